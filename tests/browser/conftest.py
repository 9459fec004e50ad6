"""A service with a drawn board, and Chromium to look at its page as a phone does."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from drawn_boards import jpeg, reads
from live import live
from playwright.sync_api import Browser, Page, expect, sync_playwright

from api.service import create_app
from api.settings import Settings

PORTRAIT = (390, 844)
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("Chromium is not installed (on Debian: apt-get install chromium)")
    expect.set_options(timeout=10_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where a service answers that has read nothing yet."""
    settings = Settings("crokinole", tmp_path / "data", None, upload_limit_bytes=2_000_000, heartbeat_s=0.5)
    with live(create_app(settings, reads())) as where:
        yield where


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """A photograph of the drawn board, as a phone keeps it."""
    path = tmp_path / "board.jpg"
    path.write_bytes(jpeg())
    return path


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[OpenPage]:
    """Open a page as one more phone would; whatever it complains of fails the test."""
    complaints: list[str] = []
    contexts = []

    def open_one(url: str, size: tuple[int, int] = PORTRAIT, **how: object) -> Page:
        viewport = {"width": size[0], "height": size[1]}
        context = chromium.new_context(viewport=viewport, device_scale_factor=2, is_mobile=True, has_touch=True, **how)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on(
            "request", lambda asked: complaints.append(asked.url) if not asked.url.startswith(("blob:", url)) else None
        )
        page.goto(url)
        return page

    open_one.complaints = complaints  # type: ignore[attr-defined]
    yield open_one
    for context in contexts:
        context.close()
    assert complaints == []

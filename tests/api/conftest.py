"""A service with a drawn board before its eye, on a real port, for the tests to talk to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from drawn_boards import jpeg, reads
from fastapi import FastAPI
from live import live

from api.service import create_app
from api.session import Reader
from api.settings import Settings

StartService = Callable[..., httpx.Client]


@pytest.fixture
def photo() -> dict[str, tuple[str, bytes, str]]:
    """The form field of an upload of the drawn board."""
    return {"photo": ("board.jpg", jpeg(), "image/jpeg")}


@pytest.fixture
def serve_live() -> Iterator[Callable[[FastAPI], str]]:
    """Serve an application until the test is over; returns its address."""
    with ExitStack() as running:
        yield lambda app: running.enter_context(live(app))


@pytest.fixture
def start(tmp_path: Path, serve_live: Callable[[FastAPI], str]) -> Iterator[StartService]:
    """Start a service over ``tmp_path``; a second one over the same folder is what a restart brings up."""
    clients: list[httpx.Client] = []

    def start_service(
        reader: Reader | None = None, pictures: Path | None = None, upload_limit_bytes: int = 2_000_000
    ) -> httpx.Client:
        settings = Settings(
            "crokinole", tmp_path / "data", pictures, upload_limit_bytes, demo_pause_s=0.05, heartbeat_s=0.1
        )
        app = create_app(settings, reader or reads())
        client = httpx.Client(base_url=serve_live(app), timeout=10)
        client.app = app  # type: ignore[attr-defined]
        clients.append(client)
        return client

    yield start_service
    for client in clients:
        client.close()


@pytest.fixture
def client(start: StartService) -> httpx.Client:
    return start()

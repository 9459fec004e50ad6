"""The phone page in Chromium: a round from the picture to the score, on two phones."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

OpenPage = Callable[..., Page]

SHOTS = os.environ.get("TALLYCAM_SHOTS")


def shoot(page: Page, name: str) -> None:
    """Keep a picture of the page in the folder that TALLYCAM_SHOTS names, for people to look at."""
    if SHOTS:
        page.wait_for_timeout(250)
        page.screenshot(path=Path(SHOTS) / f"{name}.png")


def expect_score(page: Page, left: int, right: int) -> None:
    points = page.locator("#score .points")
    expect(points.nth(0)).to_have_text(str(left))
    expect(points.nth(1)).to_have_text(str(right))


def choose(page: Page, photo: Path, discs: int = 6) -> None:
    expect(page.locator("#choose")).to_be_enabled()
    page.locator("#library").set_input_files(photo)
    expect(page.locator("[data-disc]")).to_have_count(discs)
    expect(page.locator(".progress")).to_have_count(0)


def tap_disc(page: Page, words: str) -> None:
    page.get_by_role("group", name="Discs on the board").get_by_role("button", name=words).first.tap()


def test_a_round_from_the_picture_to_the_score_on_two_phones(address: str, photo: Path, open_page: OpenPage) -> None:
    mine, theirs = open_page(address), open_page(address, color_scheme="dark")
    expect_score(mine, 0, 0)
    expect(mine.locator(".empty")).to_be_visible()
    expect(mine.locator("#count")).to_be_disabled()
    shoot(mine, "390x844-empty")

    choose(mine, photo)
    expect(mine.locator(".doubtful")).to_have_count(1)
    expect(mine.locator("#round .sum b")).to_have_text(["35", "30"])
    expect(theirs.locator("[data-disc]")).to_have_count(6)
    shoot(mine, "390x844-read")
    shoot(theirs, "390x844-read-dark")

    tap_disc(mine, "in doubt")
    expect(mine.get_by_role("button", name="10", exact=True)).to_have_attribute("aria-pressed", "true")
    shoot(mine, "390x844-disc")
    mine.get_by_role("button", name="15", exact=True).tap()
    expect(mine.locator("#round .sum b")).to_have_text(["40", "30"])
    expect(theirs.locator("#round .sum b")).to_have_text(["40", "30"])
    expect(mine.locator(".doubtful")).to_have_count(0)

    mine.get_by_role("button", name="One more for Natural").tap()
    expect(mine.locator("#round .sum b")).to_have_text(["40", "50"])
    mine.get_by_role("button", name="One fewer for Natural").tap()
    expect(mine.locator("#round .sum b")).to_have_text(["40", "30"])

    mine.get_by_role("button", name="Count this round").tap()
    expect_score(mine, 10, 0)
    expect_score(theirs, 10, 0)
    expect(mine.locator("#rounds tbody tr")).to_have_count(1)
    shoot(mine, "390x844-counted")
    shoot(theirs, "390x844-counted-dark")

    theirs.get_by_role("button", name="Undo round 1").tap()
    expect_score(mine, 0, 0)
    expect_score(theirs, 0, 0)
    expect(mine.get_by_role("button", name="Count this round")).to_be_enabled()


def test_a_disc_is_removed_given_to_the_other_side_and_added(address: str, photo: Path, open_page: OpenPage) -> None:
    page = open_page(address)
    choose(page, photo)
    sums = page.locator("#round .sum b")

    tap_disc(page, "Natural disc, 20")
    page.get_by_role("button", name="It is Black").tap()
    expect(sums).to_have_text(["55", "10"])

    tap_disc(page, "Natural disc, 5")
    page.get_by_role("button", name="No disc here").tap()
    expect(sums).to_have_text(["55", "5"])

    box = page.locator("#board > svg").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.68)
    expect(page.get_by_role("heading", name="Add a disc here?")).to_be_visible()
    shoot(page, "390x844-add")
    page.locator("#sheet").get_by_role("button", name="Natural").tap()
    expect(page.locator("[data-disc]")).to_have_count(6)
    expect(sums).to_have_text(["55", "15"])

    page.get_by_role("button", name="Swap sides").tap()
    expect(page.locator("#score .name").nth(0)).to_contain_text("Natural")
    expect(sums).to_have_text(["15", "55"])


def test_a_match_is_won_and_a_new_one_begun(address: str, photo: Path, open_page: OpenPage) -> None:
    page = open_page(address)
    choose(page, photo)
    more = page.get_by_role("button", name="One more for Black")
    for twenties in range(1, 6):
        more.tap()
        expect(page.locator("#round output").first).to_have_text(str(twenties))
    expect(page.get_by_role("button", name="Count this round")).to_contain_text("and wins")
    page.get_by_role("button", name="Count this round").tap()
    expect(page.locator("#winner")).to_have_text("Black wins, 105 to 0")
    shoot(page, "390x844-won")

    page.get_by_role("button", name="New match").first.tap()
    page.get_by_role("textbox", name="Name of side 1").fill("Ann <b>")
    shoot(page, "390x844-new-match")
    page.get_by_role("button", name="Start").tap()
    expect_score(page, 0, 0)
    expect(page.locator("#score .name").nth(0)).to_have_text("Ann <b>")
    expect(page.locator("#winner")).to_be_hidden()


def test_what_is_wrong_is_said_in_words(address: str, photo: Path, tmp_path: Path, open_page: OpenPage) -> None:
    page = open_page(address)
    trouble = page.get_by_role("alert")
    for name, data, words in (
        ("notes.jpg", b"no picture", "not a picture"),
        ("big.jpg", bytes(2_000_001), "over 2 MB"),
    ):
        bad = tmp_path / name
        bad.write_bytes(data)
        expect(page.locator("#choose")).to_be_enabled()
        page.locator("#library").set_input_files(bad)
        expect(trouble).to_contain_text(words)
    shoot(page, "390x844-trouble")
    page.get_by_role("button", name="Close this message").tap()
    expect(trouble).to_be_hidden()
    choose(page, photo)
    assert [said for said in open_page.complaints if "422" not in said] == []  # type: ignore[attr-defined]
    open_page.complaints.clear()  # type: ignore[attr-defined]


def test_a_page_that_hears_nothing_says_so(address: str, open_page: OpenPage) -> None:
    page = open_page(address)
    expect(page.locator("#stale")).to_be_hidden()
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('online'))")  # makes the page open its stream anew, into the void
    expect(page.locator("#stale")).to_be_visible()
    shoot(page, "390x844-stale")
    page.context.set_offline(False)
    expect(page.locator("#stale")).to_be_hidden()
    open_page.complaints.clear()  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", [(360, 640), (844, 390), (390, 844), (320, 568), (1280, 800)])
def test_nothing_is_cut_off_on_any_screen(
    address: str, photo: Path, open_page: OpenPage, size: tuple[int, int]
) -> None:
    page = open_page(address, size)
    choose(page, photo)
    shoot(page, f"{size[0]}x{size[1]}-read")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    for button in page.locator("footer button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
        assert box["height"] >= 44
    tap_disc(page, "in doubt")
    sheet = page.locator("#sheet").bounding_box()
    assert sheet is not None
    assert sheet["y"] >= 0
    shoot(page, f"{size[0]}x{size[1]}-disc")


def test_a_keyboard_is_enough(address: str, photo: Path, open_page: OpenPage) -> None:
    page = open_page(address)
    choose(page, photo)
    page.locator(".doubtful").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="15", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#round .sum b").nth(0)).to_have_text("40")
    page.get_by_role("button", name="Count this round").focus()
    page.keyboard.press("Enter")
    expect_score(page, 10, 0)

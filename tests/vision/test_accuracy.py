"""Counting right and wrong is itself held to account."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from paint import Camera, Paint, picture

from calibration.calibration import apply
from vision.accuracy import Accuracy, BadTruth, TrueDisc, compare, missing_board, read_truth
from vision.still import Still, read_still

BLACK, RED = (40, 40, 40), (50, 45, 170)
CAMERA = Camera(width_px=1280, height_px=720)
LAID = ((60.0, 0.0, BLACK), (0.0, -150.0, RED), (-250.0, 0.0, BLACK))


@pytest.fixture(scope="module")
def still() -> Still:
    return read_still(picture(Paint(discs=LAID), CAMERA))


def true_disc(n: int, *, place: str, colour: str, ambiguous: bool = False) -> TrueDisc:
    x, y = apply(CAMERA.homography(), [LAID[n][:2]])[0]
    return TrueDisc(colour, float(x), float(y), 15.0, place, ambiguous)


def truth(**other: str) -> tuple[TrueDisc, ...]:
    called = {"0": "15", "1": "10", "2": "5"} | other
    return tuple(true_disc(n, place=called[str(n)], colour=("black", "red", "black")[n]) for n in range(3))


def test_all_right_is_exact(still: Still) -> None:
    assert compare(still, 1.0, truth()) == Accuracy(1, 1, 0, 3, 3, 3, 3)


def test_a_wrong_place_is_found_but_not_exact(still: Still) -> None:
    counted = compare(still, 1.0, truth(**{"1": "15"}))
    assert (counted.found, counted.place_right, counted.exact) == (3, 2, 0)


def test_an_ambiguous_disc_may_be_called_the_neighbour(still: Still) -> None:
    settled = (*truth()[:2], true_disc(2, place="10", colour="black", ambiguous=True))
    assert compare(still, 1.0, settled).exact == 1


def test_a_disc_that_is_not_there_is_one_too_many(still: Still) -> None:
    counted = compare(still, 1.0, truth()[:2])
    assert (counted.extra, counted.exact) == (1, 0)


def test_a_missed_disc_is_missed(still: Still) -> None:
    more = (*truth(), TrueDisc("red", 20.0, 20.0, 15.0, "10", False))
    assert (compare(still, 1.0, more).discs, compare(still, 1.0, more).exact) == (4, 0)


def test_sides_may_be_named_either_way_round_but_not_mixed(still: Still) -> None:
    swapped = tuple(TrueDisc({"black": "a", "red": "b"}[d.colour], d.x_px, d.y_px, 15, d.place, False) for d in truth())
    mixed = (truth()[0], truth()[1], true_disc(2, place="5", colour="red"))
    assert compare(still, 1.0, swapped).side_right == 3
    assert compare(still, 1.0, mixed).side_right == 2


def test_no_board_counts_its_discs_as_not_found() -> None:
    assert missing_board(truth()) + Accuracy(photos=1) == Accuracy(photos=2, no_board=1, discs=3)


@pytest.mark.parametrize("text", ["", "{}", '{"image": "a.jpg", "discs": [{"x": 1}]}'])
def test_a_bad_truth_file_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.truth.json").write_text(text)
    with pytest.raises(BadTruth, match="not a truth file"):
        read_truth(tmp_path / "a.truth.json")


def test_truth_is_read_as_written(tmp_path: Path) -> None:
    disc = {"color": "red", "x": 1, "y": 2, "r": 3, "zone": "ditch", "ambiguous": False, "id": 0}
    (tmp_path / "a.truth.json").write_text(json.dumps({"image": "a.jpg", "discs": [disc]}))
    assert read_truth(tmp_path / "a.truth.json") == ("a.jpg", (TrueDisc("red", 1, 2, 3, "ditch", False),))

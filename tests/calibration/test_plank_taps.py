"""Taps on a plank's corners or holes place it; its own rims and edges mend a careless finger."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from planks import Plank, View, errors, picture

from calibration.calibration import apply, corners_px
from calibration.errors import BadBoardFile
from calibration.plank_taps import from_taps
from scoring.board import HoleBoard
from scoring.games.good_sam_washers import FIVE_HOLE
from scoring.games.holeyboard import THREE_HOLE

VIEW = View(tilt_deg=15, lean_deg=40, roll_deg=70)
BOARDS = pytest.mark.parametrize("board", [THREE_HOLE, FIVE_HOLE], ids=["three holes", "five holes"])


Taps = Callable[[HoleBoard], NDArray[np.float64]]


def corners(board: HoleBoard) -> NDArray[np.float64]:
    return apply(VIEW.plane(0), np.array(board.corners_mm))


def holes(board: HoleBoard) -> NDArray[np.float64]:
    return apply(VIEW.plane(0), np.array([hole.centre_mm for hole in board.holes]))


@BOARDS
@pytest.mark.parametrize("tapped", [corners, holes])
@pytest.mark.parametrize("seed", [5, 6])
def test_sloppy_taps_are_as_good_as_exact_ones(board: HoleBoard, tapped: Taps, seed: int) -> None:
    off = np.random.default_rng(seed).uniform(-15, 15, tapped(board).shape)
    laid = Plank(board)
    found = from_taps(tapped(board) + off, picture(laid, VIEW), board)
    assert errors(found, laid, VIEW).holes_mm < 2
    assert errors(found, laid, VIEW).corners_mm < 4
    assert found.found_by == "taps"


def test_corners_may_go_round_either_way_from_any_of_them() -> None:
    laid = Plank()
    seen = picture(laid, VIEW)
    for taps in (corners(THREE_HOLE)[::-1], np.roll(corners(THREE_HOLE), 1, axis=0)):
        assert errors(from_taps(taps, seen, THREE_HOLE), laid, VIEW).corners_mm < 4


def test_the_hole_tapped_first_is_the_nearest() -> None:
    seen = picture(Plank(), VIEW)
    for taps in (holes(THREE_HOLE), holes(THREE_HOLE)[::-1]):
        found = from_taps(taps, seen, THREE_HOLE)
        assert np.allclose(found.to_px(np.array([found.board.holes[0].centre_mm])), taps[:1], atol=2)


def test_where_nothing_shows_the_taps_alone_hold() -> None:
    bare = np.full((720, 1280, 3), 150, np.uint8)
    found = from_taps(corners(THREE_HOLE), bare, THREE_HOLE)
    assert np.allclose(sorted(corners_px(found)), sorted(map(tuple, corners(THREE_HOLE))), atol=0.1)


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([(0, 0), (1, 1), (2, 2), (3, 3)], "do not go round a board"),
        ([(10, 10), (90, 90)], "the four corners"),
        ([(10, 10), (90, 90), (500, 20)], "do not lie as the holes"),
        ([(5000, 10), (90, 90), (500, 20)], "outside the picture"),
    ],
)
def test_taps_that_are_no_board_are_refused(points: list[tuple[float, float]], said: str) -> None:
    with pytest.raises(BadBoardFile, match=said):
        from_taps(np.array(points, dtype=float), np.full((720, 1280, 3), 150, np.uint8), THREE_HOLE)

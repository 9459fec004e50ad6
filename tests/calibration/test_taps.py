"""Four taps place a board; the lines mend a careless finger."""

from __future__ import annotations

import numpy as np
import pytest
from paint import Camera, Paint, picture, worst_mm

from calibration.calibration import apply
from calibration.errors import BadBoardFile
from calibration.taps import from_taps
from scoring.games.crokinole import BOARD

CAMERA = Camera(tilt_deg=12, roll_deg=20)


def quarters_px() -> np.ndarray:
    start = BOARD.zones[-1].radius_mm
    return apply(CAMERA.homography(), np.array([(start, 0), (0, start), (-start, 0), (0, -start)]))


def test_sloppy_taps_are_as_good_as_exact_ones() -> None:
    off = np.random.default_rng(5).uniform(-15, 15, (4, 2))
    found = from_taps(quarters_px() + off, picture(Paint(), CAMERA), BOARD)
    assert worst_mm(found, CAMERA) < 0.6
    assert found.found_by == "taps"


def test_taps_may_go_round_either_way() -> None:
    found = from_taps(quarters_px()[::-1], picture(Paint(), CAMERA), BOARD)
    assert worst_mm(found, CAMERA) < 0.6


def test_where_no_line_shows_the_taps_alone_hold() -> None:
    bare = np.full((800, 1000, 3), 150, np.uint8)
    assert worst_mm(from_taps(quarters_px(), bare, BOARD), CAMERA) < 0.1


@pytest.mark.parametrize(
    "points",
    [
        [(0, 0), (1, 1), (2, 2), (3, 3)],
        [(0, 0), (100, 0), (100, 100), (50, 20)],
        [(10, 10), (90, 90), (90, 10), (10, 90)],
    ],
)
def test_taps_that_go_round_nothing_are_refused(points: list[tuple[float, float]]) -> None:
    with pytest.raises(BadBoardFile, match="do not go round a board"):
        from_taps(np.array(points, dtype=float), picture(Paint(), CAMERA), BOARD)


def test_taps_beside_the_picture_are_refused() -> None:
    with pytest.raises(BadBoardFile, match="outside the picture"):
        from_taps(quarters_px() + (5000, 0), picture(Paint(), CAMERA), BOARD)

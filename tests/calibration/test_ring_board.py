"""The board is found by itself: from any side, half covered, or not at all where there is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from paint import Camera, Paint, picture, worst_mm

from calibration import ring_board
from calibration.errors import BoardNotFound
from scoring.games.crokinole import BOARD


@pytest.mark.parametrize("tilt_deg", [0, 10, 20, 30, 40])
@pytest.mark.parametrize("roll_deg", [0, 77])
def test_finds_the_lines_to_half_a_millimetre(tilt_deg: float, roll_deg: float) -> None:
    camera = Camera(tilt_deg=tilt_deg, roll_deg=roll_deg)
    found = ring_board.find(picture(Paint(numbers=True), camera), BOARD)
    assert worst_mm(found, camera) < 0.5
    assert np.hypot(*found.to_mm(np.array([[499.5, 399.5]]))[0]) < 0.5


@pytest.mark.parametrize(
    "paint",
    [
        Paint(surface=(95, 55, 20), line=(60, 70, 220), ditch=(50, 40, 190)),
        Paint(surface=(35, 35, 35), line=(60, 190, 220)),
        Paint(surface=(60, 110, 170), line=(55, 100, 150), grain=6),
    ],
    ids=["navy, red lines", "black, gold lines", "oak, faint lines"],
)
def test_finds_dark_painted_and_faint_boards(paint: Paint) -> None:
    camera = Camera(tilt_deg=15, roll_deg=40)
    assert worst_mm(ring_board.find(picture(paint, camera), BOARD), camera) < 0.7


def test_measures_the_lines_instead_of_assuming_them() -> None:
    octagon = BOARD.__class__(
        BOARD.name,
        BOARD.hole,
        (
            BOARD.zones[0].__class__(BOARD.zones[0].place, 0.339 * 304.8, 1.6),
            BOARD.zones[1].__class__(BOARD.zones[1].place, 0.717 * 304.8, 1.6),
            BOARD.zones[2],
        ),
        BOARD.edge_mm,
        BOARD.piece_radius_mm,
        BOARD.piece_height_mm,
    )
    found = ring_board.find(picture(Paint(board=octagon), Camera(tilt_deg=10)), BOARD).board
    assert [zone.radius_mm for zone in found.zones] == pytest.approx([103.3, 218.5, 304.8], abs=0.4)


def test_arms_captions_and_a_cut_off_edge_do_not_mislead() -> None:
    camera = Camera(tilt_deg=8, distance_mm=850)
    seen = picture(Paint(), camera)
    cv2.line(seen, (0, 300), (330, 380), (90, 120, 190), 90)
    cv2.rectangle(seen, (20, 600), (420, 780), (30, 30, 30), -1)
    cv2.putText(seen, "SEMIFINAL", (40, 700), cv2.FONT_HERSHEY_SIMPLEX, 2, (255, 255, 255), 4)
    assert worst_mm(ring_board.find(seen, BOARD), camera) < 0.7


def _target() -> np.ndarray:
    seen = np.full((480, 640, 3), 255, np.uint8)
    for radius in (40, 90, 140, 190):
        cv2.circle(seen, (320, 240), radius, (0, 0, 0), 6, cv2.LINE_AA)
    return seen


@pytest.mark.parametrize(
    "seen",
    [
        np.full((480, 640, 3), 127, np.uint8),
        np.random.default_rng(3).integers(0, 255, (480, 640, 3), dtype=np.uint8),
        _target(),
        np.zeros((40, 40, 3), np.uint8),
        np.zeros((1, 2000, 3), np.uint8),
    ],
    ids=["grey", "noise", "a target", "tiny", "a strip"],
)
def test_no_board_is_said_and_never_guessed(seen: np.ndarray) -> None:
    with pytest.raises(BoardNotFound, match="Show the whole board"):
        ring_board.find(seen, BOARD)


def test_a_board_small_in_a_large_picture_is_looked_at_closer() -> None:
    camera = Camera(tilt_deg=25, distance_mm=2300, width_px=2400, height_px=1800, focal_px=1900)
    grainy = Paint(surface=(50, 75, 105), line=(70, 140, 170), grain=9)
    assert worst_mm(ring_board.find(picture(grainy, camera), BOARD), camera) < 1.5


def test_a_dim_picture_is_as_good() -> None:
    camera = Camera(tilt_deg=15, roll_deg=40)
    dim = (picture(Paint(surface=(60, 110, 170), line=(45, 85, 130)), camera) * 0.35).astype(np.uint8)
    assert worst_mm(ring_board.find(dim, BOARD), camera) < 0.8

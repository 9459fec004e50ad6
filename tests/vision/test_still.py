"""One picture in, every disc where it lies and whose it is, with the margin that makes a call doubtful."""

from __future__ import annotations

import numpy as np
import pytest
from paint import Camera, Paint, picture

from calibration.calibration import Calibration
from calibration.errors import BadBoardFile
from calibration.taps import from_taps
from scoring.board import Place
from scoring.games.crokinole import BOARD
from vision.still import Still, read_still

BLACK, NATURAL, RED, WHITE = (40, 40, 40), (120, 180, 210), (50, 45, 170), (235, 235, 235)
NAVY = Paint(surface=(95, 55, 20), line=(60, 70, 220), ditch=(50, 40, 190), hole=(50, 40, 190))


def played(discs: list[tuple[float, float, tuple[int, int, int]]], paint: Paint = NAVY, tilt_deg: float = 8) -> Still:
    """Read a picture of these discs on a board like ``paint``'s."""
    laid = Paint(discs, paint.surface, paint.line, paint.ditch, paint.table, paint.hole, numbers=True)
    return read_still(picture(laid, Camera(tilt_deg=tilt_deg, roll_deg=33, width_px=1280, height_px=720)))


def places(still: Still) -> list[str]:
    return sorted(str(piece.call.place) for piece in still.pieces)


@pytest.mark.parametrize("tilt_deg", [0, 15, 40])
def test_a_disc_is_placed_to_a_millimetre_whatever_the_view(tilt_deg: float) -> None:
    at = [(60.0, 20.0), (-150.0, 80.0), (10.0, 250.0), (-30.0, -160.0)]
    still = played([(x, y, BLACK if i % 2 else NATURAL) for i, (x, y) in enumerate(at)], tilt_deg=tilt_deg)
    found = sorted(float(np.hypot(*piece.centre_mm)) for piece in still.pieces)
    assert found == pytest.approx(sorted(np.hypot(*xy) for xy in at), abs=1.0)


def test_touching_discs_stay_apart() -> None:
    row = [(-48.0 + 32.2 * i, 150.0, BLACK if i % 2 else NATURAL) for i in range(4)]
    assert places(played(row)) == ["10", "10", "10", "10"]


def test_black_on_navy_and_natural_on_maple_are_seen() -> None:
    assert len(played([(100, 0, BLACK), (-130, 60, BLACK)]).pieces) == 2
    maple = Paint(surface=(150, 195, 225))
    assert len(played([(100, 0, (110, 160, 200)), (-130, 60, (110, 160, 200))], maple).pieces) == 2


def test_sides_are_learned_darker_first() -> None:
    still = played([(100, 0, RED), (-130, 60, WHITE), (0, -200, RED)])
    assert [look.colour for look in still.sides] == ["red", "white"]
    assert sorted(piece.side for piece in still.pieces) == [0, 0, 1]


def test_one_side_alone_is_one_side() -> None:
    still = played([(100, 0, RED), (-130, 60, RED)])
    assert [look.colour for look in still.sides] == ["red"]


def test_an_empty_board_has_no_ghosts() -> None:
    for paint in (NAVY, Paint(numbers=True), Paint(surface=(60, 110, 170), grain=9)):
        still = played([], paint)
        assert still.pieces == ()
        assert still.sides == ()


@pytest.mark.parametrize(("inside_mm", "place"), [(4.0, "15"), (-4.0, "10")])
def test_touching_the_line_counts_lower(inside_mm: float, place: str) -> None:
    line = BOARD.zones[0]
    centre = line.inner_edge_mm - inside_mm - BOARD.piece_radius_mm
    (piece,) = played([(centre, 0, NATURAL)]).pieces
    assert piece.call.place == Place("zone", place)
    assert piece.call.margin_mm == pytest.approx(4.0, abs=1.2)
    assert not piece.doubtful


def test_a_call_within_the_measurement_is_doubtful_and_says_what_else_it_may_be() -> None:
    centre = BOARD.zones[1].inner_edge_mm - 0.3 - BOARD.piece_radius_mm
    still = played([(centre, 0, NATURAL)])
    (piece,) = still.pieces
    assert piece.doubtful
    assert {str(piece.call.place), str(piece.call.otherwise)} == {"10", "5"}
    assert "mm from counting" in still.doubts[0]


def test_a_twenty_is_counted_but_never_sure_from_one_picture() -> None:
    still = played([(0, 0, RED), (120, 30, RED), (-90, 60, BLACK)], Paint(hole=(30, 30, 30)))
    twenty = next(piece for piece in still.pieces if piece.call.place == Place("zone", "20"))
    assert twenty.doubtful
    assert any("20" in doubt for doubt in still.doubts)


def test_a_floor_painted_like_the_ditch_is_no_twenty() -> None:
    red_ditch = Paint(ditch=(50, 45, 170), hole=(50, 45, 170))
    assert places(played([(120, 30, RED), (-90, 60, BLACK)], red_ditch)) == ["10", "10"]


def test_discs_in_the_ditch_count_for_nothing() -> None:
    still = played([(120, 30, RED), (-90, 60, BLACK), (250, 265, RED), (-365, 0, BLACK)])
    assert places(still) == ["10", "10", "ditch", "ditch"]


def test_a_board_placed_by_hand_in_a_blank_picture_is_empty() -> None:
    blank = np.full((720, 1280, 3), 128, np.uint8)
    square = np.array([(900.0, 360), (640, 620), (380, 360), (640, 100)])
    assert read_still(blank, from_taps(square, blank, BOARD)).pieces == ()


@pytest.mark.parametrize(
    ("width_px", "x_mm"), [(1280, 5000.0), (640, 0.0)], ids=["beside the picture", "another shape"]
)
def test_a_board_file_for_another_view_is_refused(width_px: int, x_mm: float) -> None:
    camera = Camera(width_px=1280, height_px=720)
    shift = np.array([[1, 0, x_mm], [0, 1, 0], [0, 0, 1.0]])
    other = Calibration(BOARD, width_px, 720, camera.homography() @ shift, None, 0.1, 0.1, "file")
    with pytest.raises(BadBoardFile):
        read_still(picture(Paint(), camera), other)

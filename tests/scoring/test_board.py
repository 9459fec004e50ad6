"""Which place a disc lies in: lines, the hole, the ditch, and how near every call was."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import DITCH, Place
from scoring.games.crokinole import BOARD, points

RADIUS_MM = BOARD.piece_radius_mm
LINES_MM = [zone.inner_edge_mm for zone in BOARD.zones]
angles = st.floats(0, 2 * math.pi)


def at(distance_mm: float, angle: float = 0.7) -> tuple[float, float]:
    return distance_mm * math.cos(angle), distance_mm * math.sin(angle)


@pytest.mark.parametrize(
    ("rim_mm", "place"),
    [(LINES_MM[0] - 0.1, "15"), (LINES_MM[0], "10"), (LINES_MM[0] + 0.1, "10"),
     (LINES_MM[1] - 0.1, "10"), (LINES_MM[1] + 0.1, "5"),
     (LINES_MM[2] - 0.1, "5"), (LINES_MM[2] + 0.1, "ditch")],
)  # fmt: skip
def test_a_rim_on_a_line_counts_the_lower(rim_mm: float, place: str) -> None:
    assert str(BOARD.call((rim_mm - RADIUS_MM, 0.0)).place) == place


def test_c2_a_disc_touching_the_15_line_from_inside_counts_10() -> None:
    call = BOARD.call((101.6 - 0.8 - RADIUS_MM, 0.0))
    assert points(call.place) == 10
    assert call.margin_mm == pytest.approx(0.0, abs=1e-9)
    assert call.otherwise == Place("zone", "15")


def test_flat_in_the_hole_is_20_and_leaning_is_15() -> None:
    assert BOARD.call((0.0, 0.0)).place == Place("zone", "20")
    assert BOARD.call((2.4, 0.0)).place == Place("zone", "20")
    assert BOARD.call((2.6, 0.0)).place == Place("zone", "15")


def test_outside_all_lines_is_the_ditch() -> None:
    assert BOARD.call((320.0, 0.0)).place == DITCH
    assert BOARD.call((290.0, 0.0)).otherwise == Place("zone", "5")


def test_a_bigger_disc_touches_sooner() -> None:
    centre_mm = (LINES_MM[0] - RADIUS_MM - 0.5, 0.0)
    assert str(BOARD.call(centre_mm).place) == "15"
    assert str(BOARD.call(centre_mm, RADIUS_MM + 1).place) == "10"


@given(st.floats(3.0, 340.0), st.floats(0.0, 60.0), angles)
def test_the_call_never_rises_as_a_disc_moves_outward(distance_mm: float, further_mm: float, angle: float) -> None:
    near = BOARD.call(at(distance_mm, angle)).place
    far = BOARD.call(at(distance_mm + further_mm, angle)).place
    assert points(far) <= points(near)


@given(st.floats(0.0, 340.0), angles)
def test_the_margin_is_how_far_the_disc_must_move_to_change_the_call(distance_mm: float, angle: float) -> None:
    call = BOARD.call(at(distance_mm, angle))
    step_mm = call.margin_mm + 1e-6
    moved = [BOARD.call(at(distance, angle)).place for distance in (distance_mm - step_mm, distance_mm + step_mm)]
    assert call.margin_mm >= 0
    assert call.otherwise in moved
    short_mm = call.margin_mm - 1e-6
    if short_mm > 0:
        assert BOARD.call(at(distance_mm + short_mm, angle)).place == call.place
        assert BOARD.call(at(abs(distance_mm - short_mm), angle)).place == call.place


@pytest.mark.parametrize("text", ["20", "ditch", "off", "board", "hole:1", "mm:340"])
def test_places_read_back(text: str) -> None:
    assert str(Place.parse(text)) == text

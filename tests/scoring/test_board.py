"""Which place a disc lies in: lines, the hole, the ditch, and how near every call was."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import DITCH, HoleBoard, Place
from scoring.games.crokinole import BOARD, points
from scoring.games.good_sam_washers import FIVE_HOLE
from scoring.games.holeyboard import THREE_HOLE

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


@pytest.mark.parametrize(
    ("centre_mm", "place", "margin_mm", "otherwise"),
    [
        ((0, 305), "hole:1", 44.5, "board"),
        ((0, -305 + 44.4), "hole:5", 0.1, "board"),
        ((44.6, 0), "board", 0.1, "hole:3"),
        ((100, 150), "board", 52.5, "off"),
        ((152.4, 0), "board", 0.1, "off"),
        ((152.6, 0), "off", 0.1, "board"),
        ((-155.5, -613.5), "off", 5.0, "board"),
    ],
)
def test_a_washer_is_in_the_hole_its_middle_is_in(
    centre_mm: tuple[float, float], place: str, margin_mm: float, otherwise: str
) -> None:
    call = THREE_HOLE.call(centre_mm)
    assert (str(call.place), str(call.otherwise)) == (place, otherwise)
    assert call.margin_mm == pytest.approx(margin_mm, abs=1e-6)


@given(st.sampled_from([THREE_HOLE, FIVE_HOLE]), st.floats(-400, 400), st.floats(-700, 700), angles)
def test_no_washer_moved_by_less_than_its_margin_changes_its_call(
    board: HoleBoard, x_mm: float, y_mm: float, angle: float
) -> None:
    call = board.call((x_mm, y_mm))
    dx_mm, dy_mm = at(call.margin_mm * 0.999 - 1e-9, angle)
    assert call.margin_mm >= 0
    assert board.call((x_mm + dx_mm, y_mm + dy_mm)).place == call.place


@pytest.mark.parametrize("board", [THREE_HOLE, FIVE_HOLE])
def test_holes_are_named_from_the_thrower_and_lie_within_the_plank(board: HoleBoard) -> None:
    distances_mm = [hole.centre_mm[1] for hole in board.holes if hole.place.name != "centre"]
    assert distances_mm == sorted(distances_mm, reverse=True)
    assert all(board.beside_mm(hole.centre_mm) < -hole.radius_mm for hole in board.holes)

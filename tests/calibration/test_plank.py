"""Planks are found by themselves: any ground, wood or paint, any turn, with washers on them or an arm over them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from planks import Plank, Sensor, View, Washer, chosen, errors, picture

from calibration import plank
from calibration.errors import BoardNotFound
from scoring.board import HoleBoard
from scoring.games.good_sam_washers import FIVE_HOLE
from scoring.games.holeyboard import THREE_HOLE

BOARDS = pytest.mark.parametrize("board", [THREE_HOLE, FIVE_HOLE], ids=["three holes", "five holes"])


@BOARDS
@pytest.mark.parametrize("tilt_deg", [0, 20, 35, 50])
@pytest.mark.parametrize("lean_deg", [0, 100])
def test_finds_holes_and_corners_to_two_millimetres(board: HoleBoard, tilt_deg: float, lean_deg: float) -> None:
    laid, view = Plank(board), View(tilt_deg=tilt_deg, lean_deg=lean_deg, roll_deg=65)
    off = errors(plank.find(picture(laid, view), board), laid, view)
    assert off.holes_mm < 2
    assert off.corners_mm < 4


@BOARDS
def test_of_many_scenes_nearly_all_are_found_and_measured(board: HoleBoard) -> None:
    off = []
    for seed in range(300, 310):
        scene = chosen(seed, board)
        with suppress(BoardNotFound):
            found = plank.find(picture(scene.plank, scene.view, scene.sensor, seed), board)
            off.append(errors(found, scene.plank, scene.view))
    assert len(off) >= 9
    assert np.median([one.holes_mm for one in off]) < 2
    assert np.median([one.corners_mm for one in off]) < 3
    assert max(one.holes_mm for one in off) < 5


def test_measures_the_board_instead_of_assuming_it() -> None:
    wide = replace(
        THREE_HOLE,
        width_mm=400.0,
        length_mm=1300.0,
        holes=tuple(replace(hole, radius_mm=55.0) for hole in THREE_HOLE.holes),
    )
    found = plank.find(picture(Plank(wide), View(tilt_deg=5)), THREE_HOLE).board
    assert found.width_mm == pytest.approx(400, abs=4)
    assert found.length_mm == pytest.approx(1300, abs=6)
    assert [hole.radius_mm for hole in found.holes] == pytest.approx([55] * 3, abs=1)
    assert [hole.centre_mm[1] for hole in found.holes] == pytest.approx([305, 0, -305], abs=3)


def test_a_painted_ring_is_not_taken_for_the_hole() -> None:
    laid, view = Plank(rims=(220, 220, 220), side=(190, 200, 205)), View(tilt_deg=15)
    found = plank.find(picture(laid, view))
    assert errors(found, laid, view).holes_mm < 2
    assert found.board.holes[0].radius_mm == pytest.approx(44.5, abs=1.5)


@BOARDS
def test_a_painted_border_is_not_taken_for_the_edge(board: HoleBoard) -> None:
    laid, view = Plank(board, border=(40, 40, 110)), View(tilt_deg=10)
    assert errors(plank.find(picture(laid, view), board), laid, view).corners_mm < 4


def test_washers_an_arm_and_round_blots_do_not_mislead() -> None:
    laid = Plank(
        washers=(Washer((20, 330)), Washer((-60, 30), (40, 40, 45)), Washer((90, -400)), Washer((0, 150))),
        blots=(((-80, 160), 40), ((70, -150), 50)),
        arm=((700.0, -480.0), (60.0, -470.0)),
    )
    view = View(tilt_deg=12, lean_deg=70)
    off = errors(plank.find(picture(laid, view)), laid, view)
    assert off.holes_mm < 2
    assert off.corners_mm < 6


def test_several_pictures_of_a_dim_view_are_better_than_one() -> None:
    laid, view, dim = Plank(ground="carpet"), View(tilt_deg=10), Sensor(light=0.25, noise=7, quality=60)
    off = errors(plank.find([picture(laid, view, dim, seed) for seed in range(5)]), laid, view)
    assert off.holes_mm < 2


@pytest.mark.parametrize(
    "seen",
    [
        np.full((480, 640, 3), 127, np.uint8),
        np.random.default_rng(3).integers(0, 255, (480, 640, 3), dtype=np.uint8),
        np.zeros((40, 40, 3), np.uint8),
        np.zeros((1, 2000, 3), np.uint8),
    ],
    ids=["grey", "noise", "tiny", "a strip"],
)
def test_no_board_is_said_and_never_guessed(seen: np.ndarray) -> None:
    with pytest.raises(BoardNotFound, match="Show the whole board"):
        plank.find(seen)


@pytest.mark.parametrize(("laid", "sought"), [(THREE_HOLE, FIVE_HOLE), (FIVE_HOLE, THREE_HOLE)])
def test_another_board_is_not_taken_for_this_one(laid: HoleBoard, sought: HoleBoard) -> None:
    with pytest.raises(BoardNotFound):
        plank.find(picture(Plank(laid), View()), sought)


def test_three_washers_in_a_line_are_no_board() -> None:
    row = tuple(Washer((0.0, y), (40, 40, 45)) for y in (300.0, 0.0, -300.0))
    bare = Plank(replace(THREE_HOLE, holes=()), washers=row)
    wide = replace(bare, board=replace(bare.board, width_mm=1400.0, length_mm=2400.0))
    with pytest.raises(BoardNotFound):
        plank.find(picture(wide, View()))


def test_a_picture_is_left_as_it_is() -> None:
    seen = picture(Plank(), View())
    before = seen.copy()
    plank.find(seen)
    assert np.array_equal(seen, before)

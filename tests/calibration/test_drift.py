"""A moved view is followed or refused: never silently wrong."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from paint import Camera, Paint
from paint import picture as ring_picture
from planks import Pixels, Plank, Washer, chosen, picture

from calibration.calibration import Calibration, apply
from calibration.drift import Reference
from scoring.board import HoleBoard
from scoring.games.crokinole import BOARD
from scoring.games.good_sam_washers import FIVE_HOLE
from scoring.games.holeyboard import THREE_HOLE

NEVER_MM = 3.0


def moved_by(amount_mm: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return a movement on the board's plane: mostly a shift, with a little turn."""
    way, turn = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.0003) * amount_mm
    x, y = amount_mm * np.cos(way), amount_mm * np.sin(way)
    return np.array([[np.cos(turn), -np.sin(turn), x], [np.sin(turn), np.cos(turn), y], [0, 0, 1.0]])


def reseen(
    seen: Pixels, homography: NDArray[np.float64], moved: NDArray[np.float64], light: float, seed: int
) -> Pixels:
    """Return the picture after all that is in it moved on the board's plane, in another light, with new noise."""
    to_px = homography @ moved @ np.linalg.inv(homography)
    out = cv2.warpPerspective(seen, to_px, seen.shape[1::-1], borderMode=cv2.BORDER_REFLECT) * light
    return np.clip(out + np.random.default_rng(seed).normal(0, 2, out.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("board", [THREE_HOLE, FIVE_HOLE], ids=["three holes", "five holes"])
@pytest.mark.parametrize("amount_mm", [1, 3, 10, 30])
def test_a_plank_is_followed_whatever_lies_on_it_by_now(board: HoleBoard, amount_mm: float) -> None:
    for seed in range(400, 404):
        rng = np.random.default_rng(seed)
        scene = chosen(seed, board)
        laid, homography = scene.plank, scene.view.plane(0)
        known = Calibration(laid.board, 1280, 720, homography, None, 0.3, 0.3, "holes")
        reference = Reference.of(known, picture(laid, scene.view, scene.sensor, seed))
        now = replace(laid, washers=tuple(Washer((rng.uniform(-150, 150), rng.uniform(-500, 500))) for _ in range(5)))
        moved = moved_by(amount_mm, rng)
        drift = reference.drift(reseen(picture(now, scene.view, scene.sensor, seed), homography, moved, 0.8, seed))
        if drift.verdict in ("still", "followed"):
            points = np.array([*laid.board.corners_mm, *(hole.centre_mm for hole in laid.board.holes)])
            seen_mm = apply(np.linalg.inv(homography @ moved), drift.calibration.to_px(points))
            assert np.linalg.norm(seen_mm - points, axis=1).max() < min(NEVER_MM, 1 + amount_mm)
            assert drift.shift_mm == pytest.approx(amount_mm, abs=0.02 * amount_mm * 30 + 1)
        assert drift.verdict != "gone"


@pytest.mark.parametrize("amount_mm", [0, 2, 10, 25])
def test_a_ring_board_is_followed(amount_mm: float) -> None:
    camera = Camera(tilt_deg=12)
    homography = camera.homography()
    known = Calibration(BOARD, 1000, 800, homography, None, 0.3, 0.3, "lines")
    reference = Reference.of(known, ring_picture(Paint(discs=[(100, 50, (200, 60, 40))]), camera))
    moved = moved_by(amount_mm, np.random.default_rng(3))
    now = ring_picture(Paint(discs=[(-80, 50, (40, 60, 200)), (0, 200, (200, 60, 40))]), camera)
    drift = reference.drift(reseen(now, homography, moved, 1.1, 5))
    assert drift.verdict == ("followed" if amount_mm else "still")
    points = 300 * np.array([(1.0, 0), (0, 1), (-1, 0), (0, -1), (0, 0)])
    seen_mm = apply(np.linalg.inv(homography @ moved), drift.calibration.to_px(points))
    assert np.linalg.norm(seen_mm - points, axis=1).max() < 1


def _reference() -> tuple[Reference[HoleBoard], Pixels]:
    scene = chosen(7)
    seen = picture(scene.plank, scene.view, scene.sensor)
    known = Calibration(scene.plank.board, 1280, 720, scene.view.plane(0), None, 0.3, 0.3, "holes")
    return Reference.of(known, seen), seen


def test_a_board_carried_away_is_gone() -> None:
    reference, _ = _reference()
    scene = chosen(7)
    nothing = replace(scene.plank.board, width_mm=1.0, length_mm=1.0, holes=())
    drift = reference.drift(picture(Plank(nothing, ground="carpet"), scene.view))
    assert drift.verdict == "gone"
    assert drift.calibration is reference.calibration


@pytest.mark.parametrize("amount_mm", [80, 200, 500])
def test_what_moved_too_far_is_not_followed(amount_mm: float) -> None:
    reference, seen = _reference()
    moved = moved_by(amount_mm, np.random.default_rng(1))
    drift = reference.drift(reseen(seen, reference.calibration.homography, moved, 1.0, 1))
    assert drift.verdict in ("lost", "gone")
    assert drift.calibration is reference.calibration


def test_another_light_alone_is_no_movement() -> None:
    reference, seen = _reference()
    shade = np.linspace(0.5, 1.2, seen.shape[1])[None, :, None]
    assert reference.drift(np.clip(seen * shade, 0, 255).astype(np.uint8)).verdict == "still"
    assert reference.drift(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY)).verdict == "still"

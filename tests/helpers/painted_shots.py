"""A little film of crokinole, painted: two discs slide onto the board. With what happens in it, as a truth file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from filmed import film
from paint import Camera, Paint, picture

from calibration.calibration import Bgr, apply
from scoring.games.crokinole import BOARD

CAMERA = Camera(distance_mm=1150, focal_px=700, width_px=640, height_px=480)
FRAME_S = 0.04
Disc = tuple[float, float, tuple[int, int, int]]
BLACK, RED = (35, 32, 30), (50, 45, 170)
_REST_MM = ((-62.0, 20.0), (140.0, -60.0))
_START_MM = ((-62.0, 280.0), (140.0, 270.0))
_SLIDES = 9
_QUIET = 30
_TURN = np.linspace(0, 2 * np.pi, 48, endpoint=False)
_CIRCLE = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=1)


def painted_shots() -> tuple[list[Bgr], dict[str, Any]]:
    """Return the pictures, 25 a second, and the truth: side 0 comes to lie in the 15, side 1 in the 10."""
    board = picture(Paint(), CAMERA)
    pictures = [_with_discs(board, discs) for discs in _moments()]
    shots = []
    for n in range(2):
        flick_s = FRAME_S * (_QUIET + n * (_SLIDES + _QUIET))
        places = {str(k): {"place": ("15", "10")[k], "xy_mm": _REST_MM[k]} for k in range(n + 1)}
        times = {"t_flick_s": flick_s, "t_rest_s": flick_s + FRAME_S * _SLIDES}
        shots.append({"n": n + 1, "side": n, "piece": n, "touched": [], "places": places} | times)
    conditions = {"view": "steep", "preset": "painted", "light": "even", "effects": [], "same_colour": False}
    truth = {
        "format": "tallycam-truth/1", "game": "crokinole", "seed": 1, "purpose": "Two shots.", "fps": 1 / FRAME_S,
        "conditions": conditions, "shots": shots,
        "rounds": [{"points": [15, 10], "net": [5, 0], "score": [5, 0]}],
    }  # fmt: skip
    return pictures, truth


def write_recording(folder: Path, pictures: list[Bgr], truth: dict[str, Any] | None) -> Path:
    """Write a recording; without truth where there is none."""
    folder.mkdir(parents=True)
    film(folder / "video.mp4", pictures)
    lines = [json.dumps({"t_ns": round(1e9 * FRAME_S * n)}) + "\n" for n in range(len(pictures))]
    (folder / "frames.jsonl").write_text("".join(lines))
    (folder / "recording.toml").write_text('game = "crokinole"\n')
    if truth is not None:
        (folder / "truth.json").write_text(json.dumps(truth))
    return folder


def _moments() -> Iterator[list[Disc]]:
    lying: list[Disc] = []
    for start, rest, colour in zip(_START_MM, _REST_MM, (RED, BLACK), strict=True):
        yield from ([*lying] for _ in range(_QUIET))
        for step in range(1, _SLIDES + 1):
            left = (1 - step / _SLIDES) ** 2
            at = [r + left * (s - r) for s, r in zip(start, rest, strict=True)]
            yield [*lying, (at[0], at[1], colour)]
        lying.append((*rest, colour))
    yield from ([*lying] for _ in range(_QUIET))


def _with_discs(board: Bgr, discs: Sequence[Disc]) -> Bgr:
    """Return the empty board with discs on it, walls and all; the camera stands straight above the middle."""
    painted = board.copy()
    height_mm = BOARD.piece_height_mm
    for x_mm, y_mm, colour in discs:
        for level, share in ((0.0, 0.5), (0.5, 0.5), (1.0, 1.0)):
            up = 1 + level * height_mm / (CAMERA.distance_mm - height_mm)
            rim_mm = up * (np.array([x_mm, y_mm]) + BOARD.piece_radius_mm * _CIRCLE)
            rim_px = np.round(16 * apply(CAMERA.homography(), rim_mm)).astype(np.int32)
            cv2.fillPoly(painted, [rim_px], [share * c for c in colour], cv2.LINE_AA, 4)
    return cv2.GaussianBlur(painted, (0, 0), 0.6)

"""Paint a crokinole board as a pinhole camera would see it: plain, exact, and made in milliseconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.calibration import Calibration
from scoring.board import RingBoard
from scoring.games.crokinole import BOARD

FLAT_PX_PER_MM = 2.0
FLAT_HALF_MM = 520.0


@dataclass(frozen=True)
class Camera:
    """Where a camera stands: it looks at the board's middle from ``height_mm`` and leans ``tilt_deg``."""

    tilt_deg: float = 0.0
    roll_deg: float = 0.0
    distance_mm: float = 1000.0
    focal_px: float = 900.0
    width_px: int = 1000
    height_px: int = 800

    def rotation(self) -> NDArray[np.float64]:
        tilt, roll = np.radians([self.tilt_deg, self.roll_deg])
        lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
        turn = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
        return lean @ turn

    def homography(self) -> NDArray[np.float64]:
        """Board mm to px."""
        rotation = self.rotation()
        middle = np.array([[(self.width_px - 1) / 2], [(self.height_px - 1) / 2]])
        lens = np.hstack([np.vstack([np.eye(2) * self.focal_px, np.zeros((1, 2))]), np.vstack([middle, [[1]]])])
        homography = lens @ np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, self.distance_mm]])
        return homography / homography[2, 2]

    def place_mm(self) -> NDArray[np.float64]:
        """The camera over the board: x, y, and height above the surface."""
        x, y, z = -self.rotation().T @ np.array([0, 0, self.distance_mm])
        return np.array([x, y, -z])


@dataclass(frozen=True)
class Paint:
    """What is on the board, and in which colours (BGR)."""

    discs: Sequence[tuple[float, float, tuple[int, int, int]]] = ()
    surface: tuple[int, int, int] = (140, 190, 220)
    line: tuple[int, int, int] = (40, 40, 45)
    ditch: tuple[int, int, int] = (40, 45, 120)
    table: tuple[int, int, int] = (150, 150, 150)
    hole: tuple[int, int, int] = (40, 45, 120)
    numbers: bool = False
    grain: float = 3.0
    board: RingBoard = field(default=BOARD)


def picture(paint: Paint, camera: Camera, seed: int = 1) -> NDArray[np.uint8]:
    """Return the camera's picture of the painted board."""
    flat = _flat(paint, camera, seed)
    to_mm = np.array(
        [[1, 0, -FLAT_HALF_MM * FLAT_PX_PER_MM], [0, 1, -FLAT_HALF_MM * FLAT_PX_PER_MM], [0, 0, FLAT_PX_PER_MM]]
    )
    seen = camera.homography() @ (to_mm / FLAT_PX_PER_MM)
    size = (camera.width_px, camera.height_px)
    out = cv2.warpPerspective(flat, seen, size, flags=cv2.INTER_AREA, borderValue=paint.table)
    noise = np.random.default_rng(seed).normal(0, 2, out.shape)
    return np.clip(cv2.GaussianBlur(out, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)


def _flat(paint: Paint, camera: Camera, seed: int) -> NDArray[np.uint8]:
    side = round(2 * FLAT_HALF_MM * FLAT_PX_PER_MM)
    flat = np.full((side, side, 3), paint.table, np.uint8)
    board = paint.board
    _circle(flat, (0, 0), board.edge_mm + 70, paint.ditch)
    _circle(flat, (0, 0), board.edge_mm, paint.surface)
    grain = cv2.blur(np.random.default_rng(seed).normal(0, 10 * paint.grain, (side, side)).astype(np.float32), (61, 3))
    flat = np.clip(flat + grain[..., None], 0, 255).astype(np.uint8)
    for zone in board.zones:
        _circle(flat, (0, 0), zone.radius_mm, paint.line, zone.width_mm)
    if paint.numbers:
        for zone, at in zip(board.zones, (70, 150, 250), strict=True):
            spot = tuple(round((FLAT_HALF_MM + mm) * FLAT_PX_PER_MM) for mm in (at, 10))
            cv2.putText(flat, str(zone.place), spot, cv2.FONT_HERSHEY_SIMPLEX, 1.6, paint.line, 5, cv2.LINE_AA)
    _circle(flat, (0, 0), board.hole.radius_mm, paint.hole)
    x, y, z = camera.place_mm()
    lean = board.piece_height_mm / (z - board.piece_height_mm)
    for cx, cy, colour in paint.discs:
        side_colour = tuple(round(0.5 * c) for c in colour)
        for step in np.linspace(0, 1, 12):
            moved = (cx + (cx - x) * lean * step, cy + (cy - y) * lean * step)
            _circle(flat, moved, board.piece_radius_mm * (1 + lean * step), colour if step == 1 else side_colour)
    return flat


def _circle(
    flat: NDArray[np.uint8],
    centre_mm: tuple[float, float],
    radius_mm: float,
    colour: tuple[int, ...],
    line_mm: float = 0,
) -> None:
    shift = 4
    scale = FLAT_PX_PER_MM * 2**shift
    centre = tuple(round((FLAT_HALF_MM + c) * scale) for c in centre_mm)
    width = max(1, round(line_mm * FLAT_PX_PER_MM)) if line_mm else -1
    cv2.circle(flat, centre, round(radius_mm * scale), colour, width, cv2.LINE_AA, shift)


def worst_mm(found: Calibration[Any], camera: Camera) -> float:
    """How far the start line as found lies from where it is, at worst; the board's own turn is free."""
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    start = BOARD.zones[-1].radius_mm
    true = np.stack([np.cos(turn), np.sin(turn)], 1) * start
    at = np.hstack([true, np.ones((72, 1))]) @ camera.homography().T
    seen = found.to_mm(at[:, :2] / at[:, 2:])
    return float(np.abs(np.hypot(*seen.T) - start).max())

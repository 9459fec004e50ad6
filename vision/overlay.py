"""Draw what was read over the picture, for a player to understand at a glance."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.calibration import Bgr, Floats
from scoring.board import Circle
from vision.still import Piece, Still

LINE_BGR = (80, 220, 80)
DOUBT_BGR = (0, 190, 255)
INK_BGR = (255, 255, 255)


def draw(bgr: Bgr, still: Still) -> Bgr:
    """Return a copy of ``bgr`` with lines and discs drawn, each disc's place and margin beside it."""
    drawn = bgr.copy()
    scale = max(bgr.shape[:2]) / 1000
    board = still.calibration.board
    for circle in (*board.zones, board.hole):
        _polyline(drawn, circle_px(still, circle), LINE_BGR, max(1, round(scale)))
    for piece in sorted(still.pieces, key=lambda p: p.call.place == board.zones[-1].place):
        _ring(drawn, piece, still, scale)
    return drawn


def circle_px(still: Still, circle: Circle, points: int = 72) -> Floats:
    """Return a circle on the board as a closed line in the picture (points×2, px)."""
    turn = np.linspace(0, 2 * np.pi, points + 1)
    around = np.stack([np.cos(turn), np.sin(turn)], 1) * circle.radius_mm + circle.centre_mm
    return still.calibration.to_px(around)


def _polyline(drawn: Bgr, points_px: Floats, colour: tuple[int, int, int], width: int) -> None:
    cv2.polylines(drawn, [np.rint(points_px * 16).astype(np.int32)], True, colour, width, cv2.LINE_AA, 4)


def _ring(drawn: Bgr, piece: Piece, still: Still, scale: float) -> None:
    centre = (round(piece.centre_px[0]), round(piece.centre_px[1]))
    radius = round(piece.radius_px)
    colour = still.sides[piece.side].bgr
    cv2.circle(drawn, centre, radius + round(3 * scale), INK_BGR, max(1, round(4 * scale)), cv2.LINE_AA)
    cv2.circle(drawn, centre, radius + round(3 * scale), colour, max(1, round(2 * scale)), cv2.LINE_AA)
    if piece.doubtful:
        for start in range(0, 360, 40):
            axes = (radius + round(8 * scale),) * 2
            cv2.ellipse(drawn, centre, axes, 0, start, start + 22, DOUBT_BGR, max(2, round(3 * scale)), cv2.LINE_AA)
    if str(piece.call.place) in ("ditch", "off") and not piece.doubtful:
        return
    text = f"{piece.call.place}{'?' if piece.doubtful else ''}  {piece.call.margin_mm:.0f} mm"
    _label(drawn, text, (centre[0] + radius + round(9 * scale), centre[1]), scale, doubtful=piece.doubtful)


def _label(drawn: Bgr, text: str, at: tuple[int, int], scale: float, *, doubtful: bool) -> None:
    font, size, weight = cv2.FONT_HERSHEY_SIMPLEX, 0.5 * scale, max(1, round(1.2 * scale))
    (width, height), base = cv2.getTextSize(text, font, size, weight)
    pad = round(4 * scale)
    x = min(at[0], drawn.shape[1] - width - 2 * pad)
    top_left, bottom_right = (x, at[1] - height // 2 - pad), (x + width + 2 * pad, at[1] + height // 2 + base + pad)
    cv2.rectangle(drawn, top_left, bottom_right, DOUBT_BGR if doubtful else (30, 30, 30), -1)
    ink = (0, 0, 0) if doubtful else INK_BGR
    cv2.putText(drawn, text, (x + pad, at[1] + height // 2), font, size, ink, weight, cv2.LINE_AA)

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
    for piece in still.pieces:
        _ring(drawn, piece, still, scale)
    taken = [_round_box(piece) for piece in still.pieces]
    for piece in still.pieces:
        if str(piece.call.place) not in ("ditch", "off") or piece.doubtful:
            taken.append(_label(drawn, piece, scale, taken))
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


Box = tuple[int, int, int, int]


def _round_box(piece: Piece) -> Box:
    (x, y), r = piece.centre_px, piece.radius_px
    return round(x - r), round(y - r), round(x + r), round(y + r)


def _label(drawn: Bgr, piece: Piece, scale: float, taken: list[Box]) -> Box:
    """Write a piece's place and margin beside it, where it hides least; return the box it takes."""
    text = f"{piece.call.place}{'?' if piece.doubtful else ''}  {piece.call.margin_mm:.0f} mm"
    font, size, weight = cv2.FONT_HERSHEY_SIMPLEX, 0.5 * scale, max(1, round(1.2 * scale))
    (width, height), base = cv2.getTextSize(text, font, size, weight)
    pad, gap = round(4 * scale), piece.radius_px + 9 * scale
    wide, high = width + 2 * pad, height + base + 2 * pad
    (x, y), middle = piece.centre_px, high / 2
    corners = (
        (x + gap, y - middle),
        (x - gap - wide, y - middle),
        (x - wide / 2, y - gap - high),
        (x - wide / 2, y + gap),
    )
    left, top = min(
        ((round(a), round(b)) for a, b in corners),
        key=lambda at: _hidden((*at, at[0] + wide, at[1] + high), taken, drawn.shape),
    )
    cv2.rectangle(drawn, (left, top), (left + wide, top + high), DOUBT_BGR if piece.doubtful else (30, 30, 30), -1)
    ink = (0, 0, 0) if piece.doubtful else INK_BGR
    cv2.putText(drawn, text, (left + pad, top + pad + height), font, size, ink, weight, cv2.LINE_AA)
    return left, top, left + wide, top + high


def _hidden(box: Box, taken: list[Box], shape: tuple[int, ...]) -> int:
    """Return how many px of what is already drawn, or of itself beyond the picture, a box would hide."""
    beyond = max(0, -box[0]) + max(0, -box[1]) + max(0, box[2] - shape[1]) + max(0, box[3] - shape[0])
    shared = (
        max(0, min(box[2], other[2]) - max(box[0], other[0])) * max(0, min(box[3], other[3]) - max(box[1], other[1]))
        for other in taken
    )
    return sum(shared) + 1000 * beyond

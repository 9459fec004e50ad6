"""A drawn crokinole board, and a reader that finds what was drawn: stands in for the camera's eye in these tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.calibration import Bgr, Calibration
from calibration.errors import BoardNotFound
from scoring.board import RingBoard
from scoring.games.crokinole import BOARD
from vision.still import Piece, SideLook, Still

WIDTH_PX, HEIGHT_PX = 1200, 900
MIDDLE_PX = (610.0, 450.0)
PX_PER_MM = 1.2
BLACK, NATURAL = (40, 36, 34), (120, 178, 214)
FELT, WOOD, INK = (60, 70, 40), (150, 196, 226), (40, 50, 60)


@dataclass(frozen=True, slots=True)
class Laid:
    """One disc that is drawn: its side, and its middle in mm from the middle of the board."""

    side: int
    x_mm: float
    y_mm: float


ROUND = (
    Laid(0, 60.0, 10.0),  # 15
    Laid(0, -150.0, 60.0),  # 10
    Laid(0, 60.3, -60.3),  # 10, its rim on the 15 line: doubtful
    Laid(1, 0.0, 0.0),  # 20
    Laid(1, 120.0, 220.0),  # 5
    Laid(1, -240.0, -120.0),  # 5
)
ROUND_POINTS = (35, 30)


def photo(discs: tuple[Laid, ...] = ROUND) -> Bgr:
    """Draw a board with its discs, as seen from right above."""
    bgr = np.full((HEIGHT_PX, WIDTH_PX, 3), FELT, dtype=np.uint8)
    middle = (round(MIDDLE_PX[0]), round(MIDDLE_PX[1]))
    cv2.circle(bgr, middle, round(340 * PX_PER_MM), (30, 44, 70), -1, cv2.LINE_AA)
    cv2.circle(bgr, middle, round(BOARD.zones[-1].radius_mm * PX_PER_MM) + 8, WOOD, -1, cv2.LINE_AA)
    for line in BOARD.zones:
        cv2.circle(bgr, middle, round(line.radius_mm * PX_PER_MM), INK, 2, cv2.LINE_AA)
    cv2.circle(bgr, middle, round(BOARD.hole.radius_mm * PX_PER_MM), (25, 30, 36), -1, cv2.LINE_AA)
    for disc in discs:
        at = (round(MIDDLE_PX[0] + disc.x_mm * PX_PER_MM), round(MIDDLE_PX[1] + disc.y_mm * PX_PER_MM))
        cv2.circle(bgr, at, round(BOARD.piece_radius_mm * PX_PER_MM), (BLACK, NATURAL)[disc.side], -1, cv2.LINE_AA)
        cv2.circle(bgr, at, round(BOARD.piece_radius_mm * PX_PER_MM * 0.6), INK, 1, cv2.LINE_AA)
    return np.asarray(bgr, dtype=np.uint8)


def jpeg(discs: tuple[Laid, ...] = ROUND) -> bytes:
    """Return the drawn board as the bytes of a JPEG file."""
    return cv2.imencode(".jpg", photo(discs))[1].tobytes()


def calibration() -> Calibration[RingBoard]:
    """Return where the drawn board is."""
    homography = np.array([[PX_PER_MM, 0, MIDDLE_PX[0]], [0, PX_PER_MM, MIDDLE_PX[1]], [0, 0, 1]])
    return Calibration(BOARD, WIDTH_PX, HEIGHT_PX, homography, None, 0.4, 0.3, "lines")


def still(discs: tuple[Laid, ...] = ROUND) -> Still:
    """Return what a perfect eye sees; a disc within two millimetres of a line is doubtful."""
    board = calibration()
    pieces = []
    for disc in discs:
        at_mm = (disc.x_mm, disc.y_mm)
        x_px, y_px = board.to_px(np.array([at_mm]))[0]
        call = BOARD.call(at_mm)
        pieces.append(
            Piece(
                side=disc.side,
                centre_px=(float(x_px), float(y_px)),
                radius_px=BOARD.piece_radius_mm * PX_PER_MM,
                centre_mm=at_mm,
                call=call,
                sigma_mm=0.5,
                visible=1.0,
                doubtful=call.margin_mm < 2.0,
            )
        )
    looks = (SideLook(0, "black", BLACK), SideLook(1, "natural", NATURAL))
    seen = tuple(look for look in looks if any(disc.side == look.side for disc in discs))
    return Still(board, tuple(pieces), seen, ())


def reads(discs: tuple[Laid, ...] = ROUND) -> Callable[[Bgr], Still]:
    """Return a reader that sees these discs on any drawn board, and no board on a plain picture."""

    def reader(bgr: Bgr) -> Still:
        if float(bgr.std()) < 1.0:
            raise BoardNotFound("No crokinole board is in this picture; show the whole of it.")
        return still(discs)

    return reader

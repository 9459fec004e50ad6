"""The plank seen from straight above, in a small picture: the measure of everything that lies on it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from calibration.calibration import Calibration, Floats
from scoring.board import HoleBoard

PX_PER_MM = 0.4
MARGIN_MM = 80.0


@dataclass(frozen=True, slots=True)
class View:
    """How the small picture is seen from above: ``to_view`` maps board mm to px of the view, of ``size_px``."""

    board: HoleBoard
    size_px: tuple[int, int]
    to_view: Floats
    from_small: Floats

    @classmethod
    def of(cls, calibration: Calibration[HoleBoard], factor: int) -> View:
        """Make the view for small pictures that are ``factor`` times smaller than those the board was found in."""
        board = calibration.board
        width_mm, length_mm = board.width_mm + 2 * MARGIN_MM, board.length_mm + 2 * MARGIN_MM
        size = (round(width_mm * PX_PER_MM), round(length_mm * PX_PER_MM))
        to_view = np.array([[PX_PER_MM, 0, size[0] / 2], [0, PX_PER_MM, size[1] / 2], [0, 0, 1.0]])
        middle = (factor - 1) / 2
        shrink = np.array([[1 / factor, 0, -middle / factor], [0, 1 / factor, -middle / factor], [0, 0, 1.0]])
        mm_to_small = shrink @ calibration.homography
        return cls(board, size, to_view, to_view @ np.linalg.inv(mm_to_small))

    def look(self, small: MatLike) -> MatLike:
        """Return a small picture, or any map of its size, as seen from above."""
        return cv2.warpPerspective(small, self.from_small, self.size_px, borderMode=cv2.BORDER_REPLICATE)

    def to_px(self, mm: Floats) -> Floats:
        """Map board mm (N×2) to px of the view."""
        return mm * PX_PER_MM + np.array(self.size_px) / 2

    def to_mm(self, px: Floats) -> Floats:
        """Map px of the view (N×2) to board mm."""
        return (px - np.array(self.size_px) / 2) / PX_PER_MM

    def small_to_mm(self, px: Floats) -> Floats:
        """Map px of the small picture (N×2) to mm on the plane of the board."""
        seen = cv2.perspectiveTransform(px.reshape(-1, 1, 2).astype(np.float64), self.from_small)
        return self.to_mm(np.asarray(seen.reshape(-1, 2), np.float64))

    def mm_to_small(self, mm: Floats) -> Floats:
        """Map mm on the plane of the board (N×2) to px of the small picture."""
        seen = self.to_px(mm).reshape(-1, 1, 2)
        return np.asarray(cv2.perspectiveTransform(seen, np.linalg.inv(self.from_small)).reshape(-1, 2), np.float64)

    def hole_masks(self) -> list[NDArray[np.bool_]]:
        """Return which px of the view lie inside each hole's rim."""
        yy, xx = np.mgrid[0 : self.size_px[1], 0 : self.size_px[0]]
        at = self.to_mm(np.stack([xx, yy], -1).reshape(-1, 2).astype(np.float64))
        shape = (self.size_px[1], self.size_px[0])
        return [
            (np.hypot(*(at - np.array(hole.centre_mm)).T) < hole.radius_mm).reshape(shape) for hole in self.board.holes
        ]

    def on_board(self, mm: Floats, margin_mm: float = 0.0) -> bool:
        """Whether a point (2, mm) lies over the plank, or within ``margin_mm`` of it."""
        return self.board.beside_mm((float(mm[0]), float(mm[1]))) < margin_mm

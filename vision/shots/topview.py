"""The board seen from straight above, frame by frame: the same view as of a still, through maps made once."""

from __future__ import annotations

import cv2
import numpy as np
from cv2.typing import MatLike

from calibration.calibration import Bgr, Calibration, Floats, apply
from scoring.board import RingBoard
from vision.rectify import MARGIN_MM, PX_PER_MM

LEAST_GAIN = 1.02


class TopView:
    """Turns pictures into views from above, ``PX_PER_MM`` to the millimetre, the board's middle in the middle."""

    def __init__(self, calibration: Calibration[RingBoard], gain: float = 1.0) -> None:
        """Prepare for pictures of one calibration; dim ones are made brighter by ``gain``."""
        self.calibration = calibration
        self.board = calibration.board
        self._gain = gain
        self.reach_mm = calibration.board.edge_mm + MARGIN_MM
        self.side_px = 2 * round(self.reach_mm * PX_PER_MM) + 1
        self.middle_px = (self.side_px - 1) / 2
        self.disc_px = calibration.board.piece_radius_mm * PX_PER_MM
        rows, columns = np.mgrid[: self.side_px, : self.side_px]
        grid = np.stack([columns.ravel(), rows.ravel()], 1).astype(np.float64)
        at = apply(calibration.homography, self.to_mm(grid)).reshape(self.side_px, self.side_px, 2).astype(np.float32)
        self._maps = cv2.convertMaps(at[..., 0], at[..., 1], cv2.CV_16SC2)
        self.radius_mm: MatLike = np.hypot(*self.to_mm(grid).T).reshape(self.side_px, self.side_px).astype(np.float32)

    def of(self, bgr: Bgr) -> Bgr:
        """Return the view of a picture."""
        view = cv2.remap(bgr, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return view if self._gain < LEAST_GAIN else cv2.convertScaleAbs(view, alpha=self._gain)

    def to_mm(self, points_px: Floats) -> Floats:
        """Map px of the view (N×2) to board mm."""
        at_mm: Floats = (np.asarray(points_px, dtype=np.float64) - self.middle_px) / PX_PER_MM
        return at_mm

    def from_mm(self, points_mm: Floats) -> Floats:
        """Map board mm (N×2) to px of the view."""
        at_px: Floats = np.asarray(points_mm, dtype=np.float64) * PX_PER_MM + self.middle_px
        return at_px

    def lies_at(self, seen_px: Floats) -> Floats:
        """Return where discs lie (mm, N×2) whose faces are seen at ``seen_px``: their height taken off."""
        return self.calibration.on_board(self.to_mm(seen_px), self.board.piece_height_mm)

    def seen_at(self, lies_mm: Floats) -> Floats:
        """Return where the faces of discs that lie at ``lies_mm`` (N×2) are seen, in px: the inverse of ``lies_at``."""
        lies_mm = np.asarray(lies_mm, dtype=np.float64)
        if self.calibration.camera_mm is None:
            return self.from_mm(lies_mm)
        x, y, z = self.calibration.camera_mm
        lean = self.board.piece_height_mm / (z - self.board.piece_height_mm)
        return self.from_mm(lies_mm + lean * (lies_mm - np.array([x, y])))


def difference(view: Bgr, expected: Bgr) -> MatLike:
    """Return how far each px is from what was expected: the strongest channel's difference, 8 bit."""
    apart = cv2.absdiff(view, expected)
    b, g, r = cv2.split(apart)
    return cv2.max(cv2.max(b, g), r)

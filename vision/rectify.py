"""Look straight down on the board: a picture warped so that millimetres are pixels."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.calibration import Bgr, Calibration, Floats, box_px
from scoring.board import RingBoard

PX_PER_MM = 0.6
MARGIN_MM = 70.0


@dataclass(frozen=True, slots=True)
class Rectified:
    """The board seen from straight above, ``PX_PER_MM`` to the millimetre, its middle in the middle.

    ``to_picture`` maps its px to the picture's.
    """

    bgr: Bgr
    to_picture: Floats

    @property
    def middle_px(self) -> float:
        """The board's middle, in px from the left and from the top."""
        return float(self.bgr.shape[0] - 1) / 2

    def to_mm(self, points_px: Floats) -> Floats:
        """Map px of this view (N×2) to board mm."""
        return (np.asarray(points_px, dtype=np.float64) - self.middle_px) / PX_PER_MM

    def from_mm(self, points_mm: Floats) -> Floats:
        """Map board mm (N×2) to px of this view."""
        return np.asarray(points_mm, dtype=np.float64) * PX_PER_MM + self.middle_px


def rectify(bgr: Bgr, calibration: Calibration[RingBoard]) -> Rectified:
    """Warp ``bgr`` to a view from straight above that takes in the surface and the ditch round it."""
    side = 2 * round((calibration.board.edge_mm + MARGIN_MM) * PX_PER_MM) + 1
    middle = (side - 1) / 2
    px_to_mm = np.array([[1, 0, -middle], [0, 1, -middle], [0, 0, PX_PER_MM]]) / PX_PER_MM
    to_picture = calibration.homography @ px_to_mm
    shrink = calibration.px_per_mm() / PX_PER_MM
    soft = _soften(bgr, calibration, 0.4 * shrink) if shrink > 1.3 else bgr
    view = cv2.warpPerspective(soft, to_picture, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return Rectified(view, to_picture)


def _soften(bgr: Bgr, calibration: Calibration[RingBoard], sigma_px: float) -> Bgr:
    """Blur what the warp will shrink, where the board is, so that grain does not turn into specks."""
    reach = calibration.board.edge_mm + MARGIN_MM
    left, top, right, bottom = box_px(calibration.homography, reach, bgr.shape)
    soft = bgr.copy()
    soft[top:bottom, left:right] = cv2.GaussianBlur(bgr[top:bottom, left:right], (0, 0), sigma_px)
    return soft

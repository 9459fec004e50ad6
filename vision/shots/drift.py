"""Has the camera moved? Points that should stay where they are say so."""

from __future__ import annotations

import cv2
import numpy as np
from cv2.typing import MatLike

from calibration.calibration import Bgr, Floats

POINTS = 120
FEWEST = 12
QUALITY = 0.02
APART_PX = 8
WINDOW = (15, 15)
DRIFT_PX = 0.35
CLOSE_PX = 0.6
AGREE = 0.5
# A hand may hide many points, but where so few are found in one place again the camera looks at something else.
LOST = 0.15
FINE_PX = 15
ROOM = 2.0


class Lost(Exception):
    """Nothing in the picture is where it was."""


class FixedPoints:
    """Corners in a picture, found again in later ones (Lucas and Kanade 1981, in a pyramid)."""

    def __init__(self, bgr: Bgr, discs_px: Floats, radius_px: float) -> None:
        """Choose the points in a picture, but for what lies at ``discs_px`` (N×2): discs come and go."""
        self._relief = _relief(bgr)
        fixed = np.full(self._relief.shape, 255, np.uint8)
        for x, y in discs_px:
            cv2.circle(fixed, (round(float(x)), round(float(y))), round(ROOM * radius_px), 0, -1)
        self._points = cv2.goodFeaturesToTrack(self._relief, POINTS, QUALITY, APART_PX, mask=fixed)

    def shift(self, bgr: Bgr) -> Floats | None:
        """Return how the picture has moved since (3×3, px to px), or None where it has not.

        Raises ``Lost`` where the points are nowhere together.
        """
        if self._points is None or len(self._points) < FEWEST:
            return None
        moved, status, _ = cv2.calcOpticalFlowPyrLK(self._relief, _relief(bgr), self._points, None, winSize=WINDOW)
        seen = status.ravel() > 0
        step = (moved - self._points)[seen].reshape(-1, 2)
        stayed = float((np.hypot(*step.T) < DRIFT_PX).sum()) / len(self._points)
        if stayed > AGREE:
            return None
        if len(step) < FEWEST:
            raise Lost
        found, agree = cv2.estimateAffinePartial2D(self._points[seen], moved[seen], ransacReprojThreshold=CLOSE_PX)
        together = 0.0 if found is None else float(agree.sum()) / len(self._points)
        if together < LOST and stayed < LOST:
            raise Lost
        if together < AGREE or together <= stayed:
            return None
        return np.vstack([found, [0, 0, 1]])


def _relief(bgr: Bgr) -> MatLike:
    """Return a picture's fine structure as contrast (8 bit, 128 where even): what a lamp does to all of it drops out."""
    luma = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    wide = cv2.blur(luma, (FINE_PX, FINE_PX))
    apart = cv2.subtract(luma, wide, dtype=cv2.CV_32F)
    contrast = cv2.divide(apart, cv2.add(wide, 24, dtype=cv2.CV_32F), scale=200.0)
    return np.clip(contrast + 128, 0, 255).astype(np.uint8)

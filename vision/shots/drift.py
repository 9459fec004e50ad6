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
FINE_PX = 15


class FixedPoints:
    """Corners in a settled picture, found again in later ones (Lucas and Kanade 1981, in a pyramid)."""

    def __init__(self, bgr: Bgr) -> None:
        """Choose the points in a settled picture."""
        self._luma = _relief(bgr)
        self._points = cv2.goodFeaturesToTrack(self._luma, POINTS, QUALITY, APART_PX)

    def shift(self, bgr: Bgr) -> Floats | None:
        """Return how the picture has moved since (3×3, px to px), or None where it has not, or nothing can be said."""
        if self._points is None or len(self._points) < FEWEST:
            return None
        now = _relief(bgr)
        moved, status, _ = cv2.calcOpticalFlowPyrLK(self._luma, now, self._points, None, winSize=WINDOW)
        seen = status.ravel() > 0
        step = (moved - self._points)[seen].reshape(-1, 2)
        if len(step) < FEWEST or float(np.hypot(*np.median(step, axis=0))) < DRIFT_PX:
            return None
        found, agree = cv2.estimateAffinePartial2D(self._points[seen], moved[seen], ransacReprojThreshold=CLOSE_PX)
        if found is None or agree.mean() < AGREE:
            return None
        return np.vstack([found, [0, 0, 1]])


def _relief(bgr: Bgr) -> MatLike:
    """Return a picture's fine structure as contrast (8 bit, 128 where even): what a lamp does to all of it drops out."""
    luma = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    wide = cv2.blur(luma, (FINE_PX, FINE_PX))
    apart = cv2.subtract(luma, wide, dtype=cv2.CV_32F)
    contrast = cv2.divide(apart, cv2.add(wide, 24, dtype=cv2.CV_32F), scale=200.0)
    return np.clip(contrast + 128, 0, 255).astype(np.uint8)

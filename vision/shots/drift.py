"""Has the camera moved? Points that should stay where they are say so."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.calibration import Bgr, Floats

POINTS = 120
FEWEST = 12
QUALITY = 0.02
APART_PX = 8
WINDOW = (15, 15)
DRIFT_PX = 0.35
CLOSE_PX = 0.6
AGREE = 0.5


class FixedPoints:
    """Corners in a settled picture, found again in later ones (Lucas and Kanade 1981, in a pyramid)."""

    def __init__(self, bgr: Bgr) -> None:
        """Choose the points in a settled picture."""
        self._luma = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
        self._points = cv2.goodFeaturesToTrack(self._luma, POINTS, QUALITY, APART_PX)

    def shift(self, bgr: Bgr) -> Floats | None:
        """Return how the picture has moved since (3×3, px to px), or None where it has not, or nothing can be said."""
        if self._points is None or len(self._points) < FEWEST:
            return None
        now = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
        moved, status, _ = cv2.calcOpticalFlowPyrLK(self._luma, now, self._points, None, winSize=WINDOW)
        seen = status.ravel() > 0
        step = (moved - self._points)[seen].reshape(-1, 2)
        if len(step) < FEWEST or float(np.hypot(*np.median(step, axis=0))) < DRIFT_PX:
            return None
        found, agree = cv2.estimateAffinePartial2D(self._points[seen], moved[seen], ransacReprojThreshold=CLOSE_PX)
        if found is None or agree.mean() < AGREE:
            return None
        return np.vstack([found, [0, 0, 1]])

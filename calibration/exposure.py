"""Dim pictures, made as bright as others: what counts as an edge or another colour is meant for those."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.calibration import Bgr

BRIGHT = 215.0
MOST_GAIN = 3.0


def exposed(bgr: Bgr) -> Bgr:
    """Return the picture with its highlights (the brightest twentieth) brought to where they usually are.

    Bright pictures come back as they are.
    """
    step = max(1, max(bgr.shape[:2]) // 200)
    highlight = float(np.percentile(bgr[::step, ::step].max(2), 95))
    gain = min(BRIGHT / max(highlight, 1.0), MOST_GAIN)
    return cv2.convertScaleAbs(bgr, alpha=gain) if gain > 1.05 else bgr

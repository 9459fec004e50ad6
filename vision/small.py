"""The small picture that movement is judged on: brightness and two colour planes, about 640 px wide."""

from __future__ import annotations

import cv2
import numpy as np
from cv2.typing import MatLike

from vision.frames import Frame

WIDTH_PX = 640

# Height × width × 3, 8 bit: Y, U, V.
Yuv = MatLike


def factor_for(width_px: int) -> int:
    """Return how many times smaller the small picture of a picture ``width_px`` wide is."""
    return max(1, round(width_px / WIDTH_PX))


def small(frame: Frame) -> Yuv:
    """Return the small picture of a frame, softened against grain.

    One that came as YUV takes no detour over blue, green and red.
    """
    return cv2.blur(_planes(frame), (3, 3))


def _planes(frame: Frame) -> Yuv:
    width, height = frame.size_px
    factor = factor_for(width)
    size = (width // factor, height // factor)
    if frame.yuv is None:
        bgr = frame.bgr if factor == 1 else cv2.resize(frame.bgr, size, interpolation=cv2.INTER_AREA)
        return cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV)
    luma = frame.luma if factor == 1 else cv2.resize(frame.luma, size, interpolation=cv2.INTER_AREA)
    quarter = height * width // 4
    colours = np.ascontiguousarray(frame.yuv[height:]).reshape(-1)
    planes = (colours[:quarter], colours[quarter:])
    u, v = (cv2.resize(p.reshape(height // 2, width // 2), size, interpolation=cv2.INTER_LINEAR) for p in planes)
    return cv2.merge((luma, u, v))

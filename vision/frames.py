"""A frame: one picture of a moving camera, with the moment it was taken."""

from __future__ import annotations

from functools import cached_property

import cv2
from cv2.typing import MatLike

from calibration.calibration import Bgr


class Frame:
    """One camera picture, held in whichever form it came and converted once where the other is asked for.

    ``t_ns`` is the sensor's monotonic time, ``seq`` counts the frames the camera took: a gap is a dropped frame.
    ``camera`` names the camera. The pictures are shared, so nobody writes into them.
    """

    def __init__(
        self, t_ns: int, seq: int, *, bgr: Bgr | None = None, yuv: MatLike | None = None, camera: str = ""
    ) -> None:
        """Hold a picture as ``bgr`` (height×width×3) or as ``yuv``: I420 planes, (height·3/2)×width, height even."""
        if (bgr is None) == (yuv is None):
            raise ValueError("A frame is made from either bgr or yuv.")
        self.t_ns = t_ns
        self.seq = seq
        self.camera = camera
        self.yuv = yuv
        self._bgr = bgr

    @cached_property
    def bgr(self) -> Bgr:
        """The picture in colour, height×width×3, blue first, 8 bit."""
        if self._bgr is not None:
            return self._bgr
        assert self.yuv is not None
        return cv2.cvtColor(self.yuv, cv2.COLOR_YUV2BGR_I420)

    @cached_property
    def luma(self) -> MatLike:
        """How bright the picture is, height×width, 8 bit; free where the frame came as YUV."""
        if self.yuv is not None:
            height = self.yuv.shape[0] * 2 // 3
            return self.yuv[:height]
        return cv2.cvtColor(self.bgr, cv2.COLOR_BGR2GRAY)

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        height, width = self.luma.shape[:2]
        return width, height

    @property
    def t_s(self) -> float:
        """The moment in seconds."""
        return self.t_ns / 1e9

"""Where the shadows fall, and how they pull at what is measured.

A disc's edge is rounded. On the side of its shadow a bright disc darkens before it ends, and a dark one ends in the
dark of its shadow; so a bright disc is measured too far from its shadow and a dark one too near it. By how much was
measured against true places on 150 settled discs of rendered clips under hard and soft light; it halves the error.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.calibration import Bgr, Floats
from vision.rectify import PX_PER_MM

BRIGHT_PULL_MM = 1.2
DARK_PULL_MM = 0.6
# How much darker round a disc, on the whole, half of the pull takes.
HALF_SHADE = 0.01
LEAST_SHADE, FULL_SHADE = 0.08, 0.38
NEAR, FAR = 1.12, 1.7
PATIENCE = 12


class Shade:
    """Learns from discs, one by one, on which side of them the shadows lie."""

    def __init__(self) -> None:
        """Begin with no shadow known."""
        self._mean = np.zeros(2)
        self._seen = 0

    def learn(self, view: Bgr, bare: Bgr, centre_px: Floats, radius_px: float, wall_px: Floats) -> None:
        """Take in what is darker round a disc than the bare board; ``wall_px`` is how its side wall shows."""
        reach = int(np.ceil(FAR * radius_px + np.hypot(*wall_px))) + 1
        x0, y0 = (round(float(c)) - reach for c in centre_px)
        if min(x0, y0) < 0 or max(x0, y0) + 2 * reach + 1 > view.shape[0]:
            return
        window = np.s_[y0 : y0 + 2 * reach + 1, x0 : x0 + 2 * reach + 1]
        darker = cv2.subtract(bare[window], view[window], dtype=cv2.CV_32F) / np.maximum(bare[window], 20)
        depth = np.clip((darker.min(2) - LEAST_SHADE) / (FULL_SHADE - LEAST_SHADE), 0, 1)
        y, x = np.mgrid[y0 : y0 + 2 * reach + 1, x0 : x0 + 2 * reach + 1].astype(np.float64)
        x, y = x - centre_px[0], y - centre_px[1]
        along = np.clip((x * wall_px[0] + y * wall_px[1]) / max(float(wall_px @ wall_px), 1e-9), 0, 1)
        off = np.hypot(x - along * wall_px[0], y - along * wall_px[1])
        beside = (off > NEAR * radius_px) & (off < FAR * radius_px)
        away = np.maximum(np.hypot(x, y), 1e-6)
        weight = depth * beside
        shade = np.array([(weight * x / away).sum(), (weight * y / away).sum()]) / beside.sum()
        self._seen += 1
        self._mean += (shade - self._mean) / min(self._seen, PATIENCE)

    def pull_px(self, brighter: bool) -> Floats:
        """Return by how much (px of the view) a disc that is ``brighter`` or darker than the board is measured off."""
        size = float(np.hypot(*self._mean))
        if size < 1e-9:
            return np.zeros(2)
        pull_mm = -BRIGHT_PULL_MM if brighter else DARK_PULL_MM
        pull: Floats = self._mean / size * pull_mm * size / (size + HALF_SHADE) * PX_PER_MM
        return pull

"""Does anything move on the board? Judged on a small, grey picture of it, whatever the light does meanwhile.

Two small pictures a tenth of a second apart are compared. Automatic exposure and lamps change the whole, mains flicker
whole rows; both are taken off before what is left counts as movement.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike

LAG_NS = 90_000_000
# Grey levels (of 255, after averaging 3×3) that a still picture may differ by where it has no noise.
LEAST_LEVELS = 7.0
# How much more than usual a place must differ, and how much of a surprise counts for what is usual.
TIMES_USUAL = 7.0
SURPRISE = 3.0
# What moves is solid: so much of it in one piece, and so many px that lie in such pieces.
SOLID = np.ones((3, 3), np.uint8)
FEWEST_PX = 3
ROW_CLIP = 6.0
WHOLE_ROW_CLIP = 40.0
LEARNING = 0.06
AROUND_PX = 9


@dataclass(frozen=True, slots=True)
class Box:
    """The part of the picture the board is in (px), and how many times smaller to look at it."""

    left: int
    top: int
    right: int
    bottom: int
    factor: int

    def small(self, luma: MatLike) -> MatLike:
        """Return that part of a grey picture, small."""
        width, height = (self.right - self.left) // self.factor, (self.bottom - self.top) // self.factor
        right, bottom = self.left + width * self.factor, self.top + height * self.factor
        return cv2.resize(luma[self.top : bottom, self.left : right], (width, height), interpolation=cv2.INTER_AREA)


class Motion:
    """Compares each small picture with the one a tenth of a second before it."""

    def __init__(self, mask: MatLike | None = None) -> None:
        """Begin; ``mask`` (the size of the small pictures, nonzero where it counts) leaves the rest out."""
        self._mask = mask
        self._past: deque[tuple[int, MatLike]] = deque()
        self._usual: MatLike | None = None
        self._learned = 0

    def moving_px(self, small: MatLike, t_ns: int) -> int:
        """Return how many px of the small picture move; 0 where so few do that noise explains them."""
        self._past.append((t_ns, small))
        while len(self._past) > 2 and t_ns - self._past[1][0] >= LAG_NS:
            self._past.popleft()
        if len(self._past) < 2:
            return 0
        apart = steady_difference(small, self._past[0][1])
        if self._mask is not None:
            apart = cv2.bitwise_and(apart, apart, mask=self._mask)
        differs = (apart > self._threshold(apart)).astype(np.uint8)
        moved = cv2.countNonZero(cv2.erode(differs, SOLID))
        return moved if moved >= FEWEST_PX else 0

    def _threshold(self, apart: MatLike) -> MatLike:
        """Return by how many grey levels each px must differ to count as moving, and learn how much it usually does."""
        if self._usual is None:
            self._usual = np.full(apart.shape, np.median(apart), np.float32)
        threshold: MatLike = np.maximum(TIMES_USUAL * cv2.blur(self._usual, (AROUND_PX, AROUND_PX)), LEAST_LEVELS)
        self._learned += 1
        share = max(LEARNING, 1 / (self._learned + 1))
        cv2.accumulateWeighted(np.minimum(apart, SURPRISE * self._usual + 1), self._usual, share)
        return threshold


def steady_difference(one: MatLike, other: MatLike) -> MatLike:
    """Return how much two small grey pictures differ (grey levels, averaged 3×3), without what light does to rows."""
    apart = cv2.subtract(one, other, dtype=cv2.CV_32F)
    for clip in (WHOLE_ROW_CLIP, ROW_CLIP):
        apart -= np.clip(apart, -clip, clip).mean(1, keepdims=True)
    return cv2.absdiff(cv2.blur(apart, (3, 3)), 0)  # type: ignore[call-overload,no-any-return]

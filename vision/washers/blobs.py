"""What stands out from the still picture, as blobs: washers in flight and at rest, hands, feet."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.small import Yuv
from vision.washers.change import NOTABLE

# What stands out must do so at least this much, and this many times more than three quarters of the picture do:
# in a grainy or badly packed picture everything differs a little.
FOREGROUND = 2 * NOTABLE
OVER_GRAIN = 2.6
# A blob has a core that stands out more.
CORE = 1.7
# Of a blob's px, how many must still be changing for it to count as moving.
STIRRING = 0.12
CLOSE = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))


@dataclass(frozen=True, slots=True)
class Blob:
    """A patch that differs from the reference: its middle and size in px of the small picture, and its colour.

    ``contrast`` is its mean change, ``stirring`` the share of its px that changed since a moment ago; ``at_border``
    says whether it touches the edge of the picture.
    """

    x_px: float
    y_px: float
    area_px: int
    box_px: tuple[int, int, int, int]
    contrast: float
    colour: tuple[float, float, float]
    stirring: float
    at_border: bool

    @property
    def point_px(self) -> NDArray[np.float64]:
        """Its middle."""
        return np.array([self.x_px, self.y_px])

    @property
    def moves(self) -> bool:
        """Whether it changed since a moment ago."""
        return self.stirring > STIRRING


def blobs(change: MatLike, picture: Yuv, earlier: Yuv, noise: MatLike, least_px: float) -> list[Blob]:
    """Return the blobs of a change map of at least ``least_px``; ``earlier`` is the picture of a moment ago."""
    least = max(float(FOREGROUND), OVER_GRAIN * float(np.percentile(change[::4, ::4], 75)))
    mask = cv2.morphologyEx((change > least).astype(np.uint8), cv2.MORPH_CLOSE, CLOSE)
    count, labels, stats, centres = cv2.connectedComponentsWithStats(mask, connectivity=8, ltype=cv2.CV_16U)
    height, width = mask.shape
    found = []
    cores = np.bincount(labels[change > min(CORE * least, 230)], minlength=count)
    for label in np.flatnonzero((cores > 0.1 * least_px) & (stats[:, cv2.CC_STAT_AREA] >= least_px)):
        if label == 0:
            continue
        x, y, w, h, area = (int(v) for v in stats[label])
        box = np.s_[y : y + h, x : x + w]
        own = labels[box] == label
        now = picture[box]
        stirred = (cv2.absdiff(now, earlier[box]) > noise[box]).any(axis=2) & own
        colour = now[own].mean(0)
        found.append(
            Blob(
                float(centres[label][0]),
                float(centres[label][1]),
                area,
                (x, y, w, h),
                float(change[box][own].mean()),
                (float(colour[0]), float(colour[1]), float(colour[2])),
                float(stirred.sum()) / area,
                x <= 1 or y <= 1 or x + w >= width - 1 or y + h >= height - 1,
            )
        )
    return found

"""What stands out from the still picture, as blobs: washers in flight and at rest, hands, feet."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.small import Yuv
from vision.washers.change import GREY, NOTABLE

# What stands out must do so at least this much, and this many times more than three quarters of the picture do:
# in a grainy or badly packed picture everything differs a little.
FOREGROUND = 2 * NOTABLE
OVER_GRAIN = 2.6
# A blob has a core that stands out more.
CORE = 1.7
# Of a blob's px, how many must still be changing for it to count as moving.
STIRRING = 0.12
# A shadow leaves so much of the light, evenly, and of the colour as much as of the brightness (8-bit steps); beside it,
# where the light was judged by it, all seems lighter.
DARKEST, LIGHTEST = 0.3, 1.3
UNEVEN = 0.05
FADED = 2.0
CLOSE = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))


@dataclass(frozen=True, slots=True)
class Blob:
    """A patch that differs from the reference: its middle and size in px of the small picture, and its colour.

    ``contrast`` is its mean change, ``stirring`` the share of its px that changed since a moment ago; ``at_border``
    says whether it touches the edge of the picture, and ``shade`` whether it looks like a shadow: what lies there,
    evenly darker.
    """

    x_px: float
    y_px: float
    area_px: int
    box_px: tuple[int, int, int, int]
    contrast: float
    colour: tuple[float, float, float]
    stirring: float
    at_border: bool
    shade: bool

    @property
    def point_px(self) -> NDArray[np.float64]:
        """Its middle."""
        return np.array([self.x_px, self.y_px])

    @property
    def moves(self) -> bool:
        """Whether it changed since a moment ago."""
        return self.stirring > STIRRING


def blobs(change: MatLike, picture: Yuv, expected: Yuv, earlier: Yuv, noise: MatLike, least_px: float) -> list[Blob]:
    """Return the blobs of a change map of at least ``least_px``.

    ``expected`` is the still picture in today's light, ``earlier`` the picture of a moment ago.
    """
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
                _is_shade(now[own], expected[box][own]),
            )
        )
    return found


def _is_shade(now: MatLike, then: MatLike) -> bool:
    """Whether px (N×3) are what they were, but for one factor of brightness."""
    seen, usual = now.astype(np.float32), then.astype(np.float32)
    ratio = seen[:, 0] / np.maximum(usual[:, 0], 8)
    factor = float(np.median(ratio))
    if not DARKEST < factor < LIGHTEST or float(np.abs(ratio - factor).mean()) > UNEVEN:
        return False
    fades = seen[:, 1:] - GREY - factor * (usual[:, 1:] - GREY)
    return float(np.abs(fades).mean()) < FADED

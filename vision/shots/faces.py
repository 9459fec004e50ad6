"""Find discs by what they hide: where the view differs from the bare board by a disc's shape, in one colour."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from cv2.typing import MatLike

from calibration.calibration import Bgr, Floats
from vision.discs import to_lab
from vision.rectify import PX_PER_MM
from vision.shots.topview import TopView

# A px that differs by this much (of 255) from the bare board surely shows something.
CLEAR_LEVELS = 22.0
NOISE_LEVELS = 5.0
LEAST_SCORE = 0.3
APART = 1.55
# The part of a face (in radii) that its colour is taken from: first where it may be, then where it is.
CORES = (0.55, 0.7)
SEARCH_PX = 5
WALL_STEP_PX = 0.5
LEAST_FILL = 0.62
MOST_LEAK = 0.5
LEAST_CONTRAST = 12.0
MOST = 40
# How far beyond the surface discs may lie.
DITCH_MM = 60.0


@dataclass(frozen=True, slots=True)
class Face:
    """A disc's face in the view: where (px), its colour (L*a*b*, L halved, and BGR), and how like a disc it is.

    ``fill`` is how much of a disc's circle the colour covers, ``leak`` how much of what is round it.
    """

    centre_px: Floats
    lab: Floats
    bgr: Floats
    fill: float
    leak: float
    contrast: float

    @property
    def likeness(self) -> float:
        """How disc-like it is, 1 at best."""
        return self.fill - self.leak


class FaceFinder:
    """Finds the discs of one size in views, ``shrink`` times smaller than the full view from above."""

    def __init__(self, top: TopView, shrink: int = 1, radius_px: float | None = None) -> None:
        """Prepare the shapes to look for."""
        self._top = top
        self.shrink = shrink
        self.radius_px = (radius_px or top.disc_px) / shrink
        inside, around = _shapes(self.radius_px, self.radius_px * 1.35, (0.0, 0.0))
        self._shape = (inside / inside.sum() - 0.7 * around / around.sum()).astype(np.float32)
        self._reach = int(np.ceil(1.3 * self.radius_px))
        side = top.side_px // shrink * shrink
        radius_mm = top.radius_mm[:side:shrink, :side:shrink]
        self._board = (radius_mm < top.board.edge_mm + DITCH_MM).astype(np.float32)

    def cover(self, apart: MatLike) -> MatLike:
        """Return how surely each px shows something that is not the bare board (0 to 1)."""
        cover = (apart.astype(np.float32) - NOISE_LEVELS) * np.float32(1 / (CLEAR_LEVELS - NOISE_LEVELS))
        return cv2.multiply(np.clip(cover, 0, 1), self._board)

    def find(self, view: Bgr, expected: Bgr, cover: MatLike) -> list[Face]:
        """Return the discs in a view, most disc-like first, never two in one place."""
        score = cv2.filter2D(cover, cv2.CV_32F, self._shape, borderType=cv2.BORDER_CONSTANT)
        size = 2 * int(self.radius_px * 0.6) + 1
        top = (score == cv2.dilate(score, np.ones((size, size), np.uint8))) & (score > LEAST_SCORE)
        ys, xs = np.nonzero(top)
        order = np.argsort(-score[ys, xs])[:MOST]
        found = [self.measure(view, expected, np.array([float(xs[i]), float(ys[i])])) for i in order]
        kept: list[Face] = []
        for face in sorted(found, key=lambda f: -f.likeness):
            good = face.fill > LEAST_FILL and face.leak < MOST_LEAK and face.contrast > LEAST_CONTRAST
            apart = all(np.hypot(*(face.centre_px - k.centre_px)) > APART * self.radius_px * self.shrink for k in kept)
            if good and apart:
                kept.append(face)
        return kept

    def measure(self, view: Bgr, expected: Bgr, at_px: Floats) -> Face:
        """Centre a disc near ``at_px`` (px of this smaller view) and describe it."""
        reach = self._reach + SEARCH_PX
        x0, y0 = (round(float(c)) - reach for c in at_px)
        seen = _cut(view, x0, y0, 2 * reach + 1).astype(np.float32)
        bare = _cut(expected, x0, y0, 2 * reach + 1).astype(np.float32)
        inside, around = self._shapes_at(at_px)
        shape = inside / inside.sum() - around / max(float(around.sum()), 1e-6)
        grid_y, grid_x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
        centre = np.zeros(2)
        half = shape.shape[0] // 2
        near = slice(reach - SEARCH_PX, reach + SEARCH_PX + 1)
        for core in CORES if self.shrink == 1 else CORES[:1]:
            within = (grid_x - centre[0]) ** 2 + (grid_y - centre[1]) ** 2 < (core * self.radius_px) ** 2
            colour = np.median(seen[within], axis=0)
            away = colour - bare
            length = np.einsum("ijk,ijk->ij", away, away)
            share = np.einsum("ijk,ijk->ij", seen - bare, away) / np.maximum(length, LEAST_CONTRAST**2)
            off = seen - bare - share[..., None] * away
            stray = np.einsum("ijk,ijk->ij", off, off) / np.maximum(length, LEAST_CONTRAST**2)
            alike = (np.clip(share, 0, 1) * np.exp(-2 * stray)).astype(np.float32)
            fits = cv2.filter2D(alike, cv2.CV_32F, shape.astype(np.float32), borderType=cv2.BORDER_REPLICATE)
            centre = _peak(fits[near, near]) - SEARCH_PX
        column, row = (round(float(c)) + reach for c in centre)
        patch = alike[row - half : row + half + 1, column - half : column + half + 1]
        contrast = float(np.sqrt(np.median(length[within])))
        lab = to_lab(np.clip(colour, 0, 255).astype(np.uint8).reshape(1, 1, 3))[0, 0].astype(np.float64)
        centre_px = (centre + (x0 + reach, y0 + reach)) * self.shrink + (self.shrink - 1) / 2
        return Face(
            centre_px,
            lab,
            colour.astype(np.float64),
            float((patch * inside).sum() / inside.sum()),
            float((patch * around).sum() / max(float(around.sum()), 1e-6)),
            contrast,
        )

    def _shapes_at(self, at_px: Floats) -> tuple[MatLike, MatLike]:
        """Return a disc's face there and what is round it, the side wall that the camera sees left out."""
        seen_px = np.asarray(at_px) * self.shrink + (self.shrink - 1) / 2
        lies_mm = self._top.lies_at(seen_px[None])[0]
        wall = (lies_mm - self._top.to_mm(seen_px[None])[0]) * PX_PER_MM / self.shrink
        x, y = np.round(wall / WALL_STEP_PX) * WALL_STEP_PX
        return _shapes(self.radius_px, 1.25 * self.radius_px, (float(x), float(y)))


@lru_cache(maxsize=512)
def _shapes(radius_px: float, outer_px: float, wall_px: tuple[float, float]) -> tuple[MatLike, MatLike]:
    """Return a disc's face and the ring round it, to ``outer_px``, without the side wall that shows by ``wall_px``."""
    reach = int(np.ceil(outer_px))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    inside = np.clip(radius_px + 0.5 - np.hypot(x, y), 0, 1)
    around = np.clip(outer_px + 0.5 - np.hypot(x, y), 0, 1) - inside
    for step in (0.5, 1.0):
        off = np.hypot(x - step * wall_px[0], y - step * wall_px[1])
        around = np.minimum(around, np.clip(off - radius_px - 0.5, 0, 1))
    return inside, around


def _cut(image: MatLike, x0: int, y0: int, size: int) -> MatLike:
    if x0 >= 0 and y0 >= 0 and x0 + size <= image.shape[1] and y0 + size <= image.shape[0]:
        return image[y0 : y0 + size, x0 : x0 + size]
    ys = np.clip(np.arange(y0, y0 + size), 0, image.shape[0] - 1)
    xs = np.clip(np.arange(x0, x0 + size), 0, image.shape[1] - 1)
    return image[ys[:, None], xs]


def _peak(total: MatLike) -> Floats:
    y, x = np.unravel_index(int(total.argmax()), total.shape)
    found = np.array([float(x), float(y)])
    for axis, line, at in ((0, total[y], x), (1, total[:, x], y)):
        if 0 < at < len(line) - 1:
            bend = line[at - 1] - 2 * line[at] + line[at + 1]
            found[axis] += np.clip(0.5 * (line[at - 1] - line[at + 1]) / min(float(bend), -1e-6), -0.5, 0.5)
    return found

"""Find a known pattern of equal round holes in a picture: where it may be, best guess first.

Every point of a hole's rim has its gradient on a line through the hole's middle, so that each edge point votes for the
two places one radius to either side of it. Seen aslant the holes are ellipses; the votes are then cast in a picture
stretched until they are round again. Holes of one size that lie to each other as the board's do are a proposal:
shadows, knots and stray washers seldom lie so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from calibration.calibration import Floats, apply
from calibration.concentric import EdgePoints

# Votes are counted in cells: several to a radius, none finer than edges are placed.
CELLS_A_RADIUS = 6.0
LEAST_CELL_PX = 1.5
RADII_PX = 6.5 * 1.13 ** np.arange(18)
PEAKS = 16
LEAST_RIM = 0.14
# How far from where a straight view would put it a hole may lie, in hole radii: perspective and lenses.
STRAY = 0.7
# The hole's radius over the board's usual one.
SIZES = 0.72, 1.55
# A camera near the vertical, and one about 45 degrees from it, leaning any way.
SQUASHES = (1.0, 0.72)
LEANS = 5


@dataclass(frozen=True, slots=True)
class HolePattern:
    """Where holes lie on a board: middles (K×2) and their usual radius, in any unit."""

    middles: Floats
    radius: float

    @property
    def farthest(self) -> tuple[int, int]:
        """The two holes that lie farthest from each other."""
        apart = np.linalg.norm(self.middles[:, None] - self.middles[None], axis=2)
        one, other = np.unravel_index(int(apart.argmax()), apart.shape)
        return int(one), int(other)

    @property
    def turns_over(self) -> bool:
        """Whether the pattern is the same from its other end."""
        apart = np.linalg.norm(self.middles[:, None] + self.middles[None], axis=2)
        return bool((apart.min(0) < 1e-6).all())


@dataclass(frozen=True, slots=True)
class Proposal:
    """A pattern that may be there: the map from board to picture (3×3), the radius (board) and how much rim voted."""

    homography: Floats
    radius: float
    votes: float


@dataclass(frozen=True, slots=True)
class _Sighting:
    """Where holes of ``radius`` seem to lie in a stretched picture, and the turn and size they would give the board."""

    middles: Floats
    turn: complex
    radius: float
    votes: float


def proposals(edges: EdgePoints, shape: tuple[int, ...], pattern: HolePattern, most: int) -> Iterator[list[Proposal]]:
    """Yield up to ``most`` places of the pattern: as seen from straight above first, then from more and more aslant."""
    for squash in SQUASHES:
        found: list[tuple[_Sighting, Floats]] = []
        for lean in np.arange(LEANS if squash < 1 else 1) * np.pi / LEANS:
            stretch = _stretch(squash, lean)
            found += [(sighting, stretch) for sighting in _seen(edges, shape, pattern, stretch)]
        found.sort(key=lambda pair: -pair[0].votes)
        yield [_proposal(sighting, stretch, pattern) for sighting, stretch in found[:most]]


def _stretch(squash: float, lean: float) -> Floats:
    along, across = np.array([np.cos(lean), np.sin(lean)]), np.array([-np.sin(lean), np.cos(lean)])
    stretch: Floats = np.outer(along, along) / np.sqrt(squash) + np.outer(across, across) * np.sqrt(squash)
    return stretch


def _proposal(sighting: _Sighting, stretch: Floats, pattern: HolePattern) -> Proposal:
    to_picture = np.eye(3)
    to_picture[:2, :2] = np.linalg.inv(stretch)
    radius = sighting.radius / abs(sighting.turn)
    return Proposal(to_picture @ through(pattern.middles, sighting.middles, sighting.turn), radius, sighting.votes)


def _seen(edges: EdgePoints, shape: tuple[int, ...], pattern: HolePattern, stretch: Floats) -> Iterator[_Sighting]:
    height, width = shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)]) @ stretch.T
    origin, reach = corners.min(0), corners.max(0) - corners.min(0)
    at = edges.at_px @ stretch.T - origin
    normal = edges.normal @ np.linalg.inv(stretch)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    for radius in RADII_PX:
        cell = max(LEAST_CELL_PX, radius / CELLS_A_RADIUS)
        size = int(reach[0] / cell) + 2, int(reach[1] / cell) + 2
        for inward in (-radius, radius):
            votes = _votes((at + inward * normal) / cell, size, radius, cell)
            for middles, turn, score in _patterns(votes, radius / cell, pattern):
                yield _Sighting(middles * cell + origin, turn * cell, radius, score)


def _votes(middles: Floats, size: tuple[int, int], radius: float, cell: float) -> MatLike:
    """Return how much of a rim of ``radius`` (px) round each cell was seen, about 0 to 1."""
    cells = (middles + 0.5).astype(np.int32)
    inside = (middles[:, 0] > 0) & (middles[:, 1] > 0) & (cells[:, 0] < size[0]) & (cells[:, 1] < size[1])
    flat = (cells[:, 1] * size[0] + cells[:, 0])[inside]
    votes = np.bincount(flat, minlength=size[0] * size[1]).reshape(size[1], size[0]).astype(np.float32)
    blur = max(0.16 * radius / cell, 0.7)
    return cv2.GaussianBlur(votes, (0, 0), blur) * (blur**2 / radius)


def _patterns(votes: MatLike, radius: float, pattern: HolePattern) -> Iterator[tuple[Floats, complex, float]]:
    """Yield the best few sets of cells at which every hole has votes, with the turn and the votes."""
    peaks, heights = _peaks(votes, radius)
    if len(peaks) < 2:
        return
    one, other = pattern.farthest
    middles = pattern.middles[:, 0] + 1j * pattern.middles[:, 1]
    spots = peaks[:, 0] + 1j * peaks[:, 1]
    turn = (spots[None] - spots[:, None]) / (middles[other] - middles[one])
    usual = np.abs(turn) * pattern.radius
    fits = (usual * SIZES[0] < radius) & (radius < usual * SIZES[1])
    first, second = np.nonzero(np.triu(fits) if pattern.turns_over else fits)
    if not len(first):
        return
    predicted = spots[first, None] + turn[first, second, None] * (middles - middles[one])
    near = cv2.dilate(votes, np.ones((2 * round(STRAY * radius) + 1,) * 2, np.uint8))
    x, y = np.rint(predicted.real).astype(np.int64), np.rint(predicted.imag).astype(np.int64)
    height, width = votes.shape
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    seen = np.where(inside, near[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)], 0.0)
    seen[:, one], seen[:, other] = heights[first], heights[second]
    score = np.prod(np.minimum(seen, 1) + 0.02, axis=1) ** (1 / len(middles)) - 0.02
    for best in np.argsort(-score)[:2]:
        if score[best] < LEAST_RIM:
            return
        at = np.array([_highest_near(votes, spot, STRAY * radius) for spot in predicted[best]])
        at[one], at[other] = peaks[first[best]], peaks[second[best]]
        yield at, complex(turn[first[best], second[best]]), float(score[best])


def _peaks(votes: MatLike, radius: float) -> tuple[NDArray[np.int64], Floats]:
    size = 2 * max(1, round(0.6 * radius)) + 1
    top = (votes >= cv2.dilate(votes, np.ones((size, size), np.uint8))) & (votes > LEAST_RIM)
    ys, xs = np.nonzero(top)
    heights = votes[ys, xs].astype(np.float64)
    order = np.argsort(-heights)[:PEAKS]
    return np.stack([xs, ys], 1)[order], heights[order]


def _highest_near(votes: MatLike, at: complex, reach: float) -> tuple[float, float]:
    left, top = max(round(at.real - reach), 0), max(round(at.imag - reach), 0)
    part = votes[top : round(at.imag + reach) + 1, left : round(at.real + reach) + 1]
    y, x = np.unravel_index(int(part.argmax()), part.shape)
    return float(left + x), float(top + y)


def through(middles: Floats, spots: Floats, turn: complex) -> Floats:
    """Return the map that takes ``middles`` nearly to ``spots``, as little bent as that allows."""
    homography = np.array([[turn.real, -turn.imag, 0], [turn.imag, turn.real, 0], [0, 0, 1.0]])
    homography[:2, 2] = spots.mean(0) - homography[:2, :2] @ middles.mean(0)
    size = np.abs(middles).max()
    for _ in range(2):
        gap = apply(np.linalg.inv(homography), spots) - middles
        x, y = (middles / size).T
        none, one = np.zeros_like(x), np.ones_like(x)
        rows = np.concatenate(
            [
                np.stack([one, none, x, y, none, none, -x * x, -x * y], 1),
                np.stack([none, one, none, none, x, y, -x * y, -y * y], 1),
            ]
        )
        free = np.array([1e-3, 1e-3, 0.3, 1.0, 1.0, 0.3, 1.0, 0.3])
        least = np.concatenate([rows / 0.03, np.diag(free)])
        step = np.linalg.lstsq(least, np.concatenate([(gap / size).T.ravel() / 0.03, np.zeros(8)]), rcond=None)[0]
        tx, ty, a, b, c, d, kx, ky = step
        bent = np.array([[1 + a, b, tx * size], [c, 1 + d, ty * size], [kx / size, ky / size, 1.0]])
        homography = homography @ bent
    scaled: Floats = homography / homography[2, 2]
    return scaled

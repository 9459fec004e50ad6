"""Find concentric circles seen in perspective: their common middle, and how the picture foreshortens them.

Two facts about ellipses with one centre make this quick and hard to fool. Points where such an ellipse has opposite
normals lie opposite each other, so the middle of the two is the centre, whatever the ellipse's size: every pair of
edge points with opposite gradients votes for the point half way between them. And with the centre known, each edge
point's gradient gives one linear equation for the two numbers of the shape that all the ellipses share, again
whatever its size. Straight grain, arms and captions vote for nothing in common.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from calibration.calibration import Bgr, Floats

TILE_PX = 32
POINTS_PER_TILE = 14
CELL_PX = 4
DIRECTIONS = 72
SHAPE_STEP = 0.075
MOST_ECCENTRIC = 0.66
# Radius of the board over its distance from the camera: what pictures that show it whole have.
NEARNESS = (0.15, 0.25, 0.35)


@dataclass(frozen=True, slots=True)
class EdgePoints:
    """Where brightness changes: positions (N×2, px), unit gradients (N×2) and weights (N)."""

    at_px: Floats
    normal: Floats
    weight: Floats


@dataclass(frozen=True, slots=True)
class Foreshortening:
    """Concentric circles as a picture shows them, up to their size.

    A point ``d`` px from ``centre_px`` lies on the circle of radius ``sqrt(d'·A·d) / (1 − tilt·d)`` with
    ``A = [[1+p, q], [q, 1−p]]``: ``p`` and ``q`` squash circles to ellipses, ``tilt`` (per px) is the perspective.
    """

    centre_px: Floats
    p: float
    q: float
    tilt: Floats

    def matrix(self) -> Floats:
        """Return ``A``."""
        return np.array([[1 + self.p, self.q], [self.q, 1 - self.p]])

    def radii_and_slant(self, points: EdgePoints) -> tuple[Floats, Floats]:
        """Return each point's radius (px) and the sine of the angle between its gradient and its circle's normal."""
        d = points.at_px - self.centre_px
        ad = d @ self.matrix()
        square = np.einsum("ij,ij->i", d, ad)
        w = 1 - d @ self.tilt
        normal = ad * w[:, None] + square[:, None] * self.tilt
        across = points.normal[:, 0] * normal[:, 1] - points.normal[:, 1] * normal[:, 0]
        return np.sqrt(square) / np.abs(w), np.abs(across) / (np.hypot(normal[:, 0], normal[:, 1]) + 1e-9)

    def homography(self, radius_px: float) -> Floats:
        """Return the map from a plane where the circle of ``radius_px`` is the unit circle to the picture (3×3)."""
        unit = np.linalg.inv(np.linalg.cholesky(self.matrix()).T) * radius_px
        homography = np.eye(3)
        homography[:2, :2] = unit
        homography[2, :2] = self.tilt @ unit
        shift = np.eye(3)
        shift[:2, 2] = self.centre_px
        return shift @ homography


def edge_points(bgr: Bgr, per_tile: int = POINTS_PER_TILE) -> EdgePoints:
    """Find edges in the strongest colour channel, spread evenly: no tile of the picture has more than ``per_tile``.

    Directions that are over-represented (wood grain, planks, tiles) weigh less.
    """
    dx, dy = strongest_gradient(cv2.GaussianBlur(bgr, (0, 0), 0.8))
    ys, xs = np.nonzero(cv2.Canny(dx, dy, 12, 30))
    gx, gy = dx[ys, xs].astype(np.float64), dy[ys, xs].astype(np.float64)
    strength = np.hypot(gx, gy)
    keep = _strongest_per_tile(xs, ys, strength, per_tile)
    normal = np.stack([gx, gy], 1)[keep] / strength[keep, None]
    return EdgePoints(np.stack([xs, ys], 1)[keep].astype(np.float64), normal, _rarity(normal))


def strongest_gradient(bgr: Bgr) -> tuple[MatLike, MatLike]:
    """Return the gradient (dx, dy) at every px, of whichever colour channel changes most there."""
    dx = cv2.Sobel(cv2.extractChannel(bgr, 0), cv2.CV_16S, 1, 0)
    dy = cv2.Sobel(cv2.extractChannel(bgr, 0), cv2.CV_16S, 0, 1)
    best = np.abs(dx) + np.abs(dy)
    for channel in (1, 2):
        plane = cv2.extractChannel(bgr, channel)
        cx, cy = cv2.Sobel(plane, cv2.CV_16S, 1, 0), cv2.Sobel(plane, cv2.CV_16S, 0, 1)
        size = np.abs(cx) + np.abs(cy)
        stronger = cv2.compare(size, best, cv2.CMP_GT)
        cv2.copyTo(cx, stronger, dx)
        cv2.copyTo(cy, stronger, dy)
        best = cv2.max(size, best)
    return dx, dy


def _strongest_per_tile(
    xs: NDArray[np.int64], ys: NDArray[np.int64], strength: Floats, per_tile: int
) -> NDArray[np.int64]:
    tile = (ys // TILE_PX) * 4096 + xs // TILE_PX
    order = np.argsort(tile * 65536 - np.minimum(strength, 65535).astype(np.int64))
    first = np.r_[0, np.nonzero(np.diff(tile[order]))[0] + 1]
    rank = np.arange(len(order)) - np.repeat(first, np.diff(np.r_[first, len(order)]))
    kept: NDArray[np.int64] = order[rank < per_tile]
    return kept


def _rarity(normal: Floats) -> Floats:
    bins = (_direction(normal, 48) * 2) % 48
    count = np.bincount(bins, minlength=48).astype(np.float64)[::2]
    count = (np.roll(count, 1) + 2 * count + np.roll(count, -1)) / 4
    weight: Floats = np.minimum(1.0, np.median(count) / np.maximum(count, 1))[bins // 2]
    return weight


def _direction(normal: Floats, bins: int) -> NDArray[np.int64]:
    turn = np.arctan2(normal[:, 1], normal[:, 0]) / (2 * np.pi) % 1.0
    return (turn * bins).astype(np.int64) % bins


def centre_votes(points: EdgePoints, shape: tuple[int, ...]) -> MatLike:
    """Let every pair of edge points with opposite gradients vote for its middle; returns the votes a cell."""
    direction = _direction(points.normal, DIRECTIONS)
    groups = [np.nonzero(direction == i)[0] for i in range(DIRECTIONS)]
    height, width = shape[0] // CELL_PX + 1, shape[1] // CELL_PX + 1
    votes = np.zeros(height * width)
    for one, other in zip(groups[: DIRECTIONS // 2], groups[DIRECTIONS // 2 :], strict=True):
        if not len(one) or not len(other):
            continue
        a, b = points.at_px[one][:, None], points.at_px[other][None]
        across = b - a
        length = np.hypot(across[..., 0], across[..., 1])
        along = np.abs(np.einsum("ijk,ik->ij", across, points.normal[one]))
        opposite = (length > 8 * CELL_PX) & (along > 0.6 * length)
        middle = ((a + b)[opposite] / (2 * CELL_PX)).astype(np.int64)
        cells = middle[:, 1] * width + middle[:, 0]
        votes += np.bincount(cells, minlength=len(votes)) / np.sqrt(len(one) * len(other))
    return cv2.GaussianBlur(votes.reshape(height, width), (0, 0), 1.2)


def _common_shape(points: EdgePoints, centre_px: Floats) -> tuple[float, float]:
    """Return the ``p`` and ``q`` that most edge points agree on, seen from ``centre_px``."""
    d = points.at_px - centre_px
    d /= np.hypot(d[:, 0], d[:, 1])[:, None] + 1e-9
    n = points.normal
    cross = n[:, 0] * d[:, 1] - n[:, 1] * d[:, 0]
    u, v = n[:, 0] * d[:, 1] + n[:, 1] * d[:, 0], n[:, 1] * d[:, 1] - n[:, 0] * d[:, 0]
    steps = np.arange(-MOST_ECCENTRIC, MOST_ECCENTRIC + 1e-9, SHAPE_STEP)
    grid = np.array([(p, q) for p in steps for q in steps if p * p + q * q < MOST_ECCENTRIC**2])
    few = slice(None, None, 2)
    slant = np.abs(cross[few, None] - np.outer(u[few], grid[:, 0]) - np.outer(v[few], grid[:, 1]))
    best = grid[np.argmax(points.weight[few] @ np.maximum(0, 1 - slant / (1.5 * SHAPE_STEP)))]
    both = np.stack([u, v], 1)
    for _ in range(4):
        weight = points.weight / (1 + ((cross - both @ best) / 0.05) ** 2) ** 2
        best = np.linalg.solve((both * weight[:, None]).T @ both + 1e-6 * np.eye(2), both.T @ (weight * cross))
    return float(best[0]), float(best[1])


def middles(votes: MatLike, most: int) -> list[Floats]:
    """Return the best-voted middles (px), best first, no two close together."""
    left, found = votes.copy(), []
    for _ in range(most):
        y, x = np.unravel_index(int(left.argmax()), left.shape)
        found.append(np.array([x + 0.5, y + 0.5]) * CELL_PX)
        cv2.circle(left, (int(x), int(y)), 32 // CELL_PX, 0, -1)
    return found


def upright(points: EdgePoints, centre_px: Floats) -> Foreshortening:
    """Return how the circles round ``centre_px`` are squashed, with no perspective yet."""
    p, q = _common_shape(points, centre_px)
    return Foreshortening(centre_px, p, q, np.zeros(2))


def tilted(seen: Foreshortening, points: EdgePoints) -> list[Foreshortening]:
    """Propose perspectives for circles seen squashed as ``seen``, likeliest first.

    A leaning camera squashes circles along the direction it leans in, by the square of the cosine of its angle, and
    the perspective grows along the same direction: only which end is nearer, and how near, is open.

    Votes give the centre of the outer ellipses, which is not the middle of the circles when the camera leans; each
    proposal moves the middle so that those ellipses stay where they were seen.
    """
    eccentric = float(np.hypot(seen.p, seen.q))
    lean = np.sqrt(1 - (1 - eccentric) / (1 + eccentric))
    turn = np.arctan2(seen.q, seen.p) / 2
    radius, slant = seen.radii_and_slant(points)
    agreeing = slant < 0.05
    counts = np.bincount((radius[agreeing] / 4).astype(np.int64), weights=points.weight[agreeing])
    outer_px = 4.0 * (10 + int(counts[10:].argmax())) + 2.0 if len(counts) > 10 else float(np.median(radius))
    tried = [_tilted(seen, outer_px, lean * near, turn + end) for near in NEARNESS for end in (0.0, np.pi)]
    return sorted(tried, key=lambda proposal: -_agreement(proposal, points, outer_px))


def _tilted(seen: Foreshortening, outer_px: float, strength: float, turn: float) -> Foreshortening:
    tilt = strength / outer_px * np.array([np.cos(turn), np.sin(turn)])
    shape = seen.matrix() + outer_px**2 * np.outer(tilt, tilt)
    centre = seen.centre_px + outer_px**2 * np.linalg.solve(seen.matrix(), tilt)
    shape = shape / (np.trace(shape) / 2)
    return Foreshortening(centre, float(shape[0, 0] - 1), float(shape[0, 1]), tilt)


def _agreement(f: Foreshortening, points: EdgePoints, outer_px: float) -> float:
    radius, slant = f.radii_and_slant(points)
    near = radius < 1.3 * outer_px
    return float(np.sum((points.weight / (radius + 20) * np.maximum(0, 1 - slant / 0.06))[near]))

"""Find round pieces of one size on the board seen from above.

Edge points vote along their gradient for the centre of a disc of about the known size; the best-voted places are then
measured along rays. A disc is a rim that goes (nearly) all the way round, with an even inside that differs from the
surface about it. Lines, numbers, pegs, knots and sleeves each lack one of these.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.calibration import Bgr, Floats
from calibration.concentric import strongest_gradient
from calibration.rings import Maps

EDGE = 12.0
LEAST_RIM = 0.15
VOTE_SPREAD_PX = 1.3
RAYS = 48
TURN = np.arange(RAYS) * 2 * np.pi / RAYS
RAY = np.stack([np.cos(TURN), np.sin(TURN)], 1)
MOST_CANDIDATES = 60


@dataclass(frozen=True, slots=True)
class Blob:
    """Something round, in px of the view from above.

    ``rim`` is the share of its rim that shows as an edge, ``filled`` how well its face's colour fills the circle and
    no more (1 at best), ``lab`` that colour, ``contrast`` how far it is from the bare surface's, ``unevenness`` how
    much it varies.
    """

    centre_px: Floats
    radius_px: float
    rim: float
    filled: float
    lab: Floats
    contrast: float
    unevenness: float

    @property
    def likeness(self) -> float:
        """How much this looks like a disc, 0 to 2."""
        return self.rim + self.filled


@dataclass(frozen=True, slots=True)
class Gradient:
    """The strongest channel's gradient at every px."""

    dx: NDArray[np.float32]
    dy: NDArray[np.float32]
    thin: NDArray[np.uint8]


def gradient(view: Bgr) -> Gradient:
    """Measure edges once for all that follows."""
    dx, dy = strongest_gradient(cv2.GaussianBlur(view, (0, 0), 0.8))
    return Gradient(dx.astype(np.float32), dy.astype(np.float32), cv2.Canny(dx, dy, EDGE, 2 * EDGE))


@dataclass(frozen=True, slots=True)
class Votes:
    """For every px, the share of a disc's rim that edges show if its centre lay there."""

    share: NDArray[np.float32]

    def best(self, reach_px: float) -> Floats:
        """Return the likeliest centres (N×2, px) within ``reach_px`` of the middle, best first."""
        top = (self.share == cv2.dilate(self.share, np.ones((9, 9), np.uint8))) & (self.share > LEAST_RIM)
        py, px = np.nonzero(top)
        height, width = self.share.shape
        near = np.hypot(px - (width - 1) / 2, py - (height - 1) / 2) < reach_px
        py, px = py[near], px[near]
        order = np.argsort(-self.share[py, px])[:MOST_CANDIDATES]
        return np.stack([px[order], py[order]], 1).astype(np.float64)


def vote(edges: Gradient, radii_px: Floats) -> Votes:
    """Let every edge point vote for the centres of the discs of these radii whose rim it could be."""
    ys, xs = np.nonzero(edges.thin)
    gx, gy = edges.dx[ys, xs], edges.dy[ys, xs]
    strength = np.sqrt(gx * gx + gy * gy) + 1e-6
    gx, gy, weight = gx / strength, gy / strength, np.minimum(strength / (4 * EDGE), 1)
    height, width = edges.dx.shape
    cells, shares = [], []
    for radius in (*radii_px, *(-radii_px)):
        x, y = np.rint(xs + radius * gx).astype(np.int32), np.rint(ys + radius * gy).astype(np.int32)
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        cells.append((y * width + x)[inside])
        shares.append(weight[inside] / abs(radius))
    votes = np.bincount(np.concatenate(cells), weights=np.concatenate(shares), minlength=height * width)
    spread = cv2.GaussianBlur(votes.reshape(height, width).astype(np.float32), (0, 0), VOTE_SPREAD_PX)
    return Votes(spread * float(VOTE_SPREAD_PX**2))


def standing_out(lab: Maps, surface: Maps, centres: Floats, radius_px: float, least: float) -> Floats:
    """Return those centres whose surroundings differ from the bare surface: most proposals are grain and lines."""
    core = 0.45 * radius_px * np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)])
    at = np.rint(centres[:, None] + core).astype(np.int64)
    x, y = np.clip(at[..., 0], 0, lab.shape[1] - 1), np.clip(at[..., 1], 0, lab.shape[0] - 1)
    colour = np.median(lab[y, x], axis=1)
    bare = surface[y[:, 4], x[:, 4]]
    kept: Floats = centres[np.linalg.norm(colour - bare, axis=1) > least]
    return kept


def common_radius(edges: Gradient, centres: Floats, usual_px: float, spread_px: float) -> float:
    """Return the radius (px) that suits the clearest candidates best; ``usual_px`` decides where they say little."""
    radii = usual_px + np.linspace(-2.2, 2.2, 23) * spread_px
    shifts = np.array([(x, y) for x in (-1.2, 0.0, 1.2) for y in (-1.2, 0.0, 1.2)])
    grid = (centres[:, None, None] + shifts[None, :, None]).repeat(len(radii), 2)
    sizes = np.broadcast_to(radii, grid.shape[:-1])
    clear = np.minimum(_rim_strength(edges, grid, sizes) / (4 * EDGE), 1).mean(-1).max(1)
    speaking = clear[clear.max(1) > 0.6]
    said = (speaking**2).sum(0) - 0.15 * ((radii - usual_px) / spread_px) ** 2
    return float(radii[int(np.argmax(said))])


def _rim_strength(edges: Gradient, centres: Floats, radii: Floats) -> NDArray[np.float32]:
    """Return how strong the gradient is across circles: centres (…×2) and radii (…) give …×RAYS."""
    x = (centres[..., 0, None] + radii[..., None] * RAY[:, 0]).astype(np.float32)
    y = (centres[..., 1, None] + radii[..., None] * RAY[:, 1]).astype(np.float32)
    flat_x, flat_y = x.reshape(-1, RAYS), y.reshape(-1, RAYS)
    gx = cv2.remap(edges.dx, flat_x, flat_y, cv2.INTER_LINEAR)
    gy = cv2.remap(edges.dy, flat_x, flat_y, cv2.INTER_LINEAR)
    across = gx * RAY[:, 0].astype(np.float32) + gy * RAY[:, 1].astype(np.float32)
    strength: NDArray[np.float32] = across * across / (np.sqrt(gx * gx + gy * gy) + 1e-3)
    return strength.reshape(x.shape)


def measure(lab: Maps, votes: Votes, start_px: Floats, radius_px: float, surface: Maps) -> Blob:
    """Centre a disc of known radius near ``start_px`` and describe it.

    Its rim should be where edges are, and its face one colour that ends at the rim: side walls and hard shadows
    have edges of their own, but another colour.
    """
    reach = 4
    half = int(np.ceil(1.25 * radius_px)) + reach
    size = 2 * half + 1
    x0, y0 = (int(round(c)) - half for c in start_px)
    patch = _cut(lab, x0, y0, size)
    shares = _cut(votes.share, x0, y0, size)
    yy, xx = np.mgrid[-half : half + 1, -half : half + 1]
    kernel = _face_kernel(radius_px)
    centre = np.zeros(2)
    for core in (0.5, 0.7):
        face = patch[np.hypot(xx - centre[0], yy - centre[1]) < core * radius_px]
        colour = np.median(face, 0)
        floor = surface[np.clip(y0 + half, 0, len(surface) - 1), np.clip(x0 + half, 0, surface.shape[1] - 1)]
        contrast = float(np.linalg.norm(colour - floor))
        tolerance = np.clip(0.35 * contrast, 5, 20)
        alike = np.exp(-(np.linalg.norm(patch - colour, axis=2) / tolerance) ** 2)
        filled = cv2.filter2D(alike, cv2.CV_32F, kernel, borderType=cv2.BORDER_REPLICATE)
        total = (np.minimum(shares, 1) + filled)[half - reach : half + reach + 1, half - reach : half + reach + 1]
        centre = _peak(total) - reach
    row, column = (int(round(c)) + half for c in centre[::-1])
    face = patch[np.hypot(xx - centre[0], yy - centre[1]) < 0.72 * radius_px]
    return Blob(
        centre + (x0 + half, y0 + half), radius_px, float(min(shares[row, column], 1)), float(filled[row, column]),
        np.median(face, 0), contrast, float(np.abs(face - np.median(face, 0)).mean(0).sum()),
    )


def _cut(image: Maps, x0: int, y0: int, size: int) -> Maps:
    """Cut a square that may reach over the border, whose px are then repeated."""
    ys = np.clip(np.arange(y0, y0 + size), 0, image.shape[0] - 1)
    xs = np.clip(np.arange(x0, x0 + size), 0, image.shape[1] - 1)
    return image[ys[:, None], xs]


def _face_kernel(radius_px: float) -> Maps:
    half = int(np.ceil(1.25 * radius_px))
    yy, xx = np.mgrid[-half : half + 1, -half : half + 1]
    distance = np.hypot(xx, yy)
    inside = np.clip(radius_px + 0.5 - distance, 0, 1)
    around = np.clip(1.25 * radius_px + 0.5 - distance, 0, 1) - inside
    kernel: Maps = (inside / inside.sum() - around / around.sum()).astype(np.float32)
    return kernel


def _peak(total: Maps) -> Floats:
    """Return where the highest point of a small map lies (x, y), to a fraction of a px."""
    y, x = np.unravel_index(int(total.argmax()), total.shape)
    found = np.array([float(x), float(y)])
    for axis, line, at in ((0, total[y], x), (1, total[:, x], y)):
        if 0 < at < len(line) - 1:
            bend = line[at - 1] - 2 * line[at] + line[at + 1]
            found[axis] += np.clip(0.5 * (line[at - 1] - line[at + 1]) / min(bend, -1e-6), -0.5, 0.5)
    return found


def to_lab(bgr: Bgr) -> Maps:
    """Return colours as float L*a*b* with L halved: lightness varies with lamps and shadows, hue with paint."""
    lab = cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB).astype(np.float32)
    lab[..., 0] *= 0.5
    return lab


def bare_surface(view: Bgr) -> Bgr:
    """Return what the board looks like without its pieces, lines and numbers: a wide median."""
    quarter = cv2.resize(view, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    return cv2.resize(cv2.medianBlur(quarter, 19), view.shape[1::-1])

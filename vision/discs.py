"""Find round pieces of one size on the board seen from above.

Edge points vote along their gradient for the centre of a disc of about the known size; the best-voted places are then
measured along rays. A disc is a rim that goes (nearly) all the way round, with an even inside that differs from the
surface about it. Lines, numbers, pegs, knots and sleeves each lack one of these.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from calibration.calibration import Bgr, Floats
from calibration.concentric import strongest_gradient

EDGE = 12.0
LEAST_RIM = 0.15
BESIDE_RIM = 0.4
VOTE_SPREAD_PX = 1.3
SEARCH_PX = 4
WALL_DIRECTIONS = 16
LEAST_WALL_PX = 1.2
RAYS = 32
TURN = np.arange(RAYS) * 2 * np.pi / RAYS
RAY = np.stack([np.cos(TURN), np.sin(TURN)], 1)
MOST_CANDIDATES = 50


@dataclass(frozen=True, slots=True)
class Blob:
    """Something round, in px of the view from above.

    ``rim`` is the share of its rim that shows as an edge, ``filled`` how well its face's colour fills the circle and
    no more (1 at best), ``lab`` that colour, ``contrast`` how far it is from the bare surface's.
    """

    centre_px: Floats
    radius_px: float
    rim: float
    filled: float
    lab: Floats
    contrast: float

    @property
    def likeness(self) -> float:
        """How likely this is a disc, 0 to 1: a logistic regression over what a disc is known by.

        Fitted to 586 discs and 3367 other things (grain, numbers, pegs, hands, line crossings) that got this far in
        rendered and real pictures; it errs on 6 of them. The rim says most, then the face, then the contrast.
        """
        odds = 33.3 * self.rim + 12.0 * self.filled + 6.7 * self.contrast / (self.contrast + 8) - 19.5
        return float(1 / (1 + np.exp(-odds)))


@dataclass(frozen=True, slots=True)
class Gradient:
    """The strongest channel's gradient at every px."""

    dx: MatLike
    dy: MatLike
    thin: MatLike


def gradient(view: Bgr) -> Gradient:
    """Measure edges once for all that follows."""
    dx, dy = strongest_gradient(cv2.GaussianBlur(view, (0, 0), 0.8))
    return Gradient(dx.astype(np.float32), dy.astype(np.float32), cv2.Canny(dx, dy, EDGE, 2 * EDGE))


@dataclass(frozen=True, slots=True)
class Votes:
    """For every px, the share of a disc's rim that edges show if its centre lay there."""

    share: MatLike

    def best(self, surface_px: float, reach_px: float) -> Floats:
        """Return the likeliest centres (N×2, px), best first.

        Within ``surface_px`` of the middle a small share of a rim is worth a look; from there to ``reach_px``, where
        hands, cups and rails lie, much of it must show.
        """
        top = (self.share == cv2.dilate(self.share, np.ones((9, 9), np.uint8))) & (self.share > LEAST_RIM)
        py, px = np.nonzero(top)
        height, width = self.share.shape
        off_middle = np.hypot(px - (width - 1) / 2, py - (height - 1) / 2)
        worth = (off_middle < surface_px) | ((off_middle < reach_px) & (self.share[py, px] > BESIDE_RIM))
        py, px = py[worth], px[worth]
        order = np.argsort(-self.share[py, px])[:MOST_CANDIDATES]
        return np.stack([px[order], py[order]], 1).astype(np.float64)


@dataclass(frozen=True, slots=True)
class RimPoints:
    """Edge points, each with the direction in which it may be a disc's rim: what votes for centres."""

    shape: tuple[int, int]
    x: MatLike
    y: MatLike
    across_x: MatLike
    across_y: MatLike
    weight: MatLike

    @classmethod
    def of(cls, edges: Gradient) -> RimPoints:
        """Take the edge points of a view."""
        ys, xs = np.nonzero(edges.thin)
        gx, gy = edges.dx[ys, xs], edges.dy[ys, xs]
        strength = np.sqrt(gx * gx + gy * gy) + np.float32(1e-6)
        weight = np.minimum(strength / np.float32(4 * EDGE), 1)
        x, y = xs.astype(np.float32), ys.astype(np.float32)
        return cls((edges.thin.shape[0], edges.thin.shape[1]), x, y, gx / strength, gy / strength, weight)

    def vote(self, *radii_px: float) -> Votes:
        """Let every point vote for the centres of the discs of these radii whose rim it could be."""
        pad = int(max(radii_px)) + 2
        height, width = (side + 2 * pad for side in self.shape)
        x, y = self.x + np.float32(pad + 0.5), self.y + np.float32(pad + 0.5)
        votes = np.zeros(height * width)
        for radius in (*radii_px, *(-r for r in radii_px)):
            step = np.float32(radius)
            cells = (y + step * self.across_y).astype(np.int32) * width + (x + step * self.across_x).astype(np.int32)
            votes += np.bincount(cells, weights=self.weight / abs(radius), minlength=len(votes))
        kept = votes.reshape(height, width)[pad:-pad, pad:-pad].astype(np.float32)
        return Votes(cv2.GaussianBlur(kept, (0, 0), VOTE_SPREAD_PX) * VOTE_SPREAD_PX**2)


def standing_out(lab: MatLike, bare: BareSurface, centres: Floats, radius_px: float, least: float) -> Floats:
    """Return those centres whose surroundings look like a face at a first glance: most are grain, lines and numbers.

    A face differs from the bare surface by ``least``, and a good part of it is of one colour that ends at the rim.
    """
    rings = [(0.0, 1), (0.3, 6), (0.55, 8), (0.82, 12), (1.35, 16)]
    glance = np.array([(r * np.cos(t), r * np.sin(t)) for r, n in rings for t in np.arange(n) * 2 * np.pi / n])
    at = np.rint(centres[:, None] + radius_px * glance).astype(np.int64)
    x, y = np.clip(at[..., 0], 0, lab.shape[1] - 1), np.clip(at[..., 1], 0, lab.shape[0] - 1)
    seen = halved(lab[y, x])
    face = np.median(seen[:, :27], axis=1)
    contrast = np.linalg.norm(face - bare.at(centres), axis=1)
    alike = np.linalg.norm(seen - face[:, None], axis=2) < _tolerance(contrast)[:, None]
    filled = alike[:, :27].mean(1) - alike[:, 27:].mean(1)
    kept: Floats = centres[(contrast > least) & (filled > 0.12)]
    return kept


def _tolerance(contrast: Floats | float) -> Floats:
    """Return how far a colour may be from a face's and still be the face, given how the face stands out."""
    tolerance: Floats = np.clip(0.35 * contrast, 5, 20)
    return tolerance


def common_radius(edges: Gradient, centres: Floats, usual_px: float, spread_px: float) -> float:
    """Return the radius (px) that suits the clearest candidates best; ``usual_px`` decides where they say little."""
    radii = usual_px + np.linspace(-2.2, 2.2, 17) * spread_px
    shifts = np.array([(x, y) for x in (-1.2, 0.0, 1.2) for y in (-1.2, 0.0, 1.2)])
    grid = (centres[:, None, None] + shifts[None, :, None]).repeat(len(radii), 2)
    sizes = np.broadcast_to(radii, grid.shape[:-1])
    strength = _rim_strength(edges, grid, sizes)
    clear = np.minimum(strength / (4 * EDGE), 1).mean(-1).max((1, 2)) > 0.6
    rims = strength.mean(-1).max(1)[clear]
    said = (rims / rims.max(1, keepdims=True)).sum(0) - 0.2 * ((radii - usual_px) / spread_px) ** 2
    return float(radii[int(np.argmax(said))])


def _rim_strength(edges: Gradient, centres: Floats, radii: Floats) -> MatLike:
    """Return how strong the gradient is across circles: centres (…×2) and radii (…) give …×RAYS."""
    x = (centres[..., 0, None] + radii[..., None] * RAY[:, 0]).astype(np.float32)
    y = (centres[..., 1, None] + radii[..., None] * RAY[:, 1]).astype(np.float32)
    flat_x, flat_y = x.reshape(-1, RAYS), y.reshape(-1, RAYS)
    gx = cv2.remap(edges.dx, flat_x, flat_y, cv2.INTER_LINEAR)
    gy = cv2.remap(edges.dy, flat_x, flat_y, cv2.INTER_LINEAR)
    across = gx * RAY[:, 0].astype(np.float32) + gy * RAY[:, 1].astype(np.float32)
    strength: MatLike = across * across / (np.sqrt(gx * gx + gy * gy) + 1e-3)
    return strength.reshape(x.shape)


@dataclass(frozen=True, slots=True)
class Face:
    """What a disc's face covers: px within ``half`` of a centre, and the filters that ask for a face and its end.

    Seen aslant, a disc shows its side wall towards the camera, often in the face's colour; there the end of the face
    is not asked for. ``filters`` has one for each of ``WALL_DIRECTIONS`` directions of the wall, and last one for none.
    """

    radius_px: float
    half: int
    x: MatLike
    y: MatLike
    filters: tuple[MatLike, ...]

    @classmethod
    def of(cls, radius_px: float) -> Face:
        """Make the template for discs of this radius."""
        reach = int(np.ceil(1.25 * radius_px))
        yy, xx = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        distance = np.hypot(xx, yy)
        inside = np.clip(radius_px + 0.5 - distance, 0, 1)
        around = np.clip(1.25 * radius_px + 0.5 - distance, 0, 1) - inside
        half = reach + SEARCH_PX
        y, x = np.mgrid[-half : half + 1, -half : half + 1].astype(np.float32)
        turns = 2 * np.pi * np.arange(WALL_DIRECTIONS) / WALL_DIRECTIONS
        free = [np.clip(0.5 - (xx * np.cos(t) + yy * np.sin(t)) / radius_px, 0, 1) for t in turns]
        filters = [inside / inside.sum() - (a := around * share) / a.sum() for share in (*free, 1.0)]
        return cls(radius_px, half, x, y, tuple(f.astype(np.float32) for f in filters))

    def filter_for(self, wall_px: Floats) -> MatLike:
        """Return the filter for a disc whose side wall shows by the vector ``wall_px``."""
        if np.hypot(*wall_px) < LEAST_WALL_PX:
            return self.filters[-1]
        turn = np.arctan2(wall_px[1], wall_px[0]) / (2 * np.pi)
        return self.filters[round(float(turn) * WALL_DIRECTIONS) % WALL_DIRECTIONS]

    def fills(self, alike: MatLike, row: int, column: int) -> float:
        """Return how well what is ``alike`` fills a face centred there and no more, side walls not allowed for."""
        whole = self.filters[-1]
        reach = whole.shape[0] // 2
        return float((alike[row - reach : row + reach + 1, column - reach : column + reach + 1] * whole).sum())

    def within(self, share: float, centre: Floats) -> NDArray[np.bool_]:
        """Return which px lie within ``share`` of the radius from ``centre``."""
        x, y = np.float32(centre[0]), np.float32(centre[1])
        near: NDArray[np.bool_] = (self.x - x) ** 2 + (self.y - y) ** 2 < np.float32(share * self.radius_px) ** 2
        return near


def measure(lab: MatLike, votes: Votes, start_px: Floats, face: Face, bare: BareSurface, wall_px: Floats) -> Blob:
    """Centre a disc of known radius near ``start_px`` and describe it.

    Its rim should be where edges are, and its face one colour that ends at the rim: side walls and hard shadows
    have edges of their own, but another colour. ``wall_px`` is by how much, and whither, its side wall shows.
    """
    asked = face.filter_for(wall_px)
    half = face.half
    x0, y0 = (round(float(c)) - half for c in start_px)
    patch = halved(_cut(lab, x0, y0, 2 * half + 1))
    shares = np.minimum(_cut(votes.share, x0, y0, 2 * half + 1), 1)
    floor = bare.at(start_px[None])[0]
    near = slice(half - SEARCH_PX, half + SEARCH_PX + 1)
    centre = np.zeros(2)
    for core in (0.5, 0.7):
        colour = _median(patch[face.within(core, centre)])
        contrast = float(np.linalg.norm(colour - floor))
        away = patch - colour
        alike = np.exp(np.einsum("ijk,ijk->ij", away, away) / -(_tolerance(contrast) ** 2))
        filled = cv2.filter2D(alike, cv2.CV_32F, asked, borderType=cv2.BORDER_REPLICATE)
        centre = _peak((shares + filled)[near, near]) - SEARCH_PX
    column, row = (round(float(c)) + half for c in centre)
    return Blob(
        centre + (x0 + half, y0 + half),
        face.radius_px,
        float(shares[row, column]),
        face.fills(alike, row, column),
        _median(patch[face.within(0.72, centre)]),
        contrast,
    )


def _median(colours: MatLike) -> Floats:
    """Return the median of each channel (N×3); of an even number the upper, and faster than numpy's."""
    middle = len(colours) // 2
    median: Floats = np.partition(colours, middle, axis=0)[middle].astype(np.float64)
    return median


def _cut(image: MatLike, x0: int, y0: int, size: int) -> MatLike:
    """Cut a square that may reach over the border, whose px are then repeated."""
    if x0 >= 0 and y0 >= 0 and x0 + size <= image.shape[1] and y0 + size <= image.shape[0]:
        return image[y0 : y0 + size, x0 : x0 + size]
    ys = np.clip(np.arange(y0, y0 + size), 0, image.shape[0] - 1)
    xs = np.clip(np.arange(x0, x0 + size), 0, image.shape[1] - 1)
    return image[ys[:, None], xs]


def _peak(total: MatLike) -> Floats:
    """Return where the highest point of a small map lies (x, y), to a fraction of a px."""
    y, x = np.unravel_index(int(total.argmax()), total.shape)
    found = np.array([float(x), float(y)])
    for axis, line, at in ((0, total[y], x), (1, total[:, x], y)):
        if 0 < at < len(line) - 1:
            bend = line[at - 1] - 2 * line[at] + line[at + 1]
            found[axis] += np.clip(0.5 * (line[at - 1] - line[at + 1]) / min(bend, -1e-6), -0.5, 0.5)
    return found


@dataclass(frozen=True, slots=True)
class BareSurface:
    """What the board looks like without its pieces, lines and numbers: a wide median, kept at a quarter of the size."""

    quarter: MatLike

    @classmethod
    def of(cls, view: Bgr) -> BareSurface:
        """Take the pieces off ``view``."""
        quarter = cv2.resize(view, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        return cls(to_lab(cv2.medianBlur(quarter, 19)).astype(np.float32))

    def at(self, points_px: Floats) -> MatLike:
        """Return the surface's colours (N×3) at points of the view (N×2)."""
        x, y = (points_px[:, i].astype(np.int64) // 4 for i in (0, 1))
        height, width = self.quarter.shape[:2]
        return self.quarter[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]


def to_lab(bgr: Bgr) -> MatLike:
    """Return colours as float L*a*b* with L halved: lightness varies with lamps and shadows, hue with paint."""
    return halved(cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB))


def halved(lab: MatLike) -> MatLike:
    """Return 8-bit L*a*b* as float with L halved."""
    half: MatLike = lab.astype(np.float32) * np.array([0.5, 1, 1], dtype=np.float32)
    return half

"""Fit a plank to a picture: the rims of its holes and its four edges, all at once.

Across every rim and every edge the picture is read along short lines. Where the brightness steps tells how far the
rim or edge lies from where the fit has it; all of them together are one linear equation for the plane's map and the
plank's measures, solved robustly a few times over while the search narrows.

Lengths are in units of the plank: half the way, along the plank, from its nearest holes to its farthest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from calibration.calibration import Bgr, Floats, apply

EDGES = np.array([(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
"""Which way each edge faces: right, left, near, far."""

# How much a plank's measures usually differ from the usual plank: the hole's radius, how far apart the rows of holes
# are sideways, half the width, half the length (all relative), and how far the holes are off the middle (units).
USUAL_SPREAD = np.array([0.2, 0.1, 0.15, 0.12, 0.02, 0.02])
NOTHING = np.zeros(6)
LEAST_STEP = 5.0
BESIDE_PX = 1.2
# A step counts beside the clearest of its line when it has this share of it.
CLEAR = 0.4
# A rim or an edge shows where the picture steps this near to it, in units: lenses bend edges a little.
NEAR = 0.012
# How far to either side of an edge the face is compared, in units.
FACE_ENDS = 0.05
# How large a plank may be over the usual one, across and along; how far its holes may be off the middle, in steps.
LARGEST = 1.6, 1.35
MOST_ASIDE = 6
# An edge is clear that has this share of the clearest one's evidence.
CLEAR_EDGE = 0.7
# What an edge counts where the face goes on behind it: planks lie on planks.
FACE_GOES_ON = 0.3


@dataclass(frozen=True, slots=True)
class Shape:
    """What a plank measures: ``middles`` of the holes (K×2) as on the usual plank, and how this one differs.

    ``radius`` of its holes, ``spread`` (their sideways distances over the usual), ``half`` its width and length, and
    ``aside``: where the middle of its outline lies from the middle of its holes.
    """

    middles: Floats
    radius: float
    spread: float
    half: Floats
    aside: Floats

    def holes(self) -> Floats:
        """Return the middles of the holes."""
        holes: Floats = self.middles * (self.spread, 1.0)
        return holes

    def changed(self, by: Floats) -> Shape:
        """Return the shape with every measure changed, in the order of ``USUAL_SPREAD``."""
        return Shape(self.middles, self.radius + by[0], self.spread + by[1], self.half + by[2:4], self.aside + by[4:])

    def beyond(self, usual: Shape) -> Floats:
        """Return how far each measure is from the usual one, in the order of ``USUAL_SPREAD``."""
        return np.array(
            [self.radius - usual.radius, self.spread - 1, *(self.half - usual.half), *(self.aside - usual.aside)]
        )

    def strangeness(self, usual: Shape) -> float:
        """Return how far the strangest measure is from the usual one, in usual spreads."""
        return float(np.abs(self.beyond(usual) / usual.spreads()).max())

    def spreads(self) -> Floats:
        """Return how much each measure of such a plank usually differs, in units."""
        spreads: Floats = USUAL_SPREAD * np.array([self.radius, 1, *self.half, 1, 1])
        return spreads


@dataclass(frozen=True, slots=True)
class Lines:
    """Where the picture is read: points on rims and edges (N×2), which way to read (N×2 unit), and whose they are.

    ``feature`` numbers the holes from 0, then the four edges.
    """

    at: Floats
    outward: Floats
    feature: NDArray[np.int64]

    @classmethod
    def of(cls, shape: Shape, directions: int, along: int) -> Lines:
        """Lay ``directions`` lines across each rim and ``along`` across each edge."""
        turn = np.arange(directions) * 2 * np.pi / directions
        ring = np.stack([np.cos(turn), np.sin(turn)], 1)
        holes = shape.holes()
        steps = np.linspace(-0.94, 0.94, along)
        edges = [shape.aside + shape.half * (face + np.outer(steps, face[::-1])) for face in EDGES]
        count = len(holes)
        return cls(
            np.concatenate([*(middle + shape.radius * ring for middle in holes), *edges]),
            np.concatenate([np.tile(ring, (count, 1)), np.repeat(EDGES, along, axis=0)]),
            np.concatenate([np.repeat(np.arange(count), directions), count + np.repeat(np.arange(4), along)]),
        )

    def only(self, some: NDArray[np.bool_]) -> Lines:
        """Leave some of the lines."""
        return Lines(self.at[some], self.outward[some], self.feature[some])


def steps_across(bgr: Bgr, homography: Floats, lines: Lines, offsets: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return how much the picture changes across each line at each of the even ``offsets`` (N×K), and if it is there.

    The change is that of whichever colour changes most, in grey levels from about ``BESIDE_PX`` before to as far after.
    """
    apart = offsets[1] - offsets[0]
    beside = max(1, round(BESIDE_PX / (apart * unit_px(homography))))
    wide = offsets[0] + apart * np.arange(-beside, len(offsets) + beside)
    read, inside = _read(bgr, homography, lines, wide)
    change = np.abs(read[:, 2 * beside :] - read[:, : -2 * beside]).max(2)
    both = inside[:, 2 * beside :] & inside[:, : -2 * beside]
    return change * both, np.asarray(inside.all(axis=1), dtype=np.bool_)


def unit_px(homography: Floats) -> float:
    """Return how many px a unit of the plank spans in its middle."""
    return float(np.sqrt(abs(np.linalg.det(homography[:2, :2] - np.outer(homography[:2, 2], homography[2, :2])))))


def _read(picture: Bgr, homography: Floats, lines: Lines, offsets: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    plane = lines.at[:, None] + offsets[None, :, None] * lines.outward[:, None]
    xy = apply(homography, plane.reshape(-1, 2)).reshape(len(plane), len(offsets), 2).astype(np.float32)
    size = picture.shape[1], picture.shape[0]
    inside = np.asarray(((xy > 0) & (xy < np.array(size) - 1)).all(axis=2), dtype=np.bool_)
    read = cv2.remap(picture, xy[..., 0], xy[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return read.astype(np.float64), inside


def face(bgr: Bgr, fit: Fit) -> MatLike:
    """Return how like the plank's face every px is, 0 to 255, going by the colours round the holes.

    Grain and grass differ from px to px, so the colours are those of small neighbourhoods.
    """
    near_hole_px = fit.shape.radius * unit_px(fit.homography)
    lab = cv2.cvtColor(cv2.GaussianBlur(bgr, (0, 0), max(0.12 * near_hole_px, 0.8)), cv2.COLOR_BGR2LAB)
    rings = Lines.of(fit.shape, 32, 0)
    read, inside = _read(lab, fit.homography, rings, fit.shape.radius * np.linspace(0.5, 1.6, 8))
    colours = read[inside]
    if len(colours) < 20:
        return np.full(bgr.shape[:2], 255, np.uint8)
    middle = np.median(colours, axis=0)
    near = colours[np.linalg.norm(colours - middle, axis=1) < 40]
    spread = 1.5 * np.abs(near - middle).mean(0) + 3.0
    tables = 0.5 * ((np.arange(256)[:, None] - middle) / (2 * spread)) ** 2
    light, *hues = (cv2.LUT(cv2.extractChannel(lab, k), tables[:, k].astype(np.float32)) for k in range(3))
    return cv2.convertScaleAbs(cv2.exp(-cv2.add(cv2.add(light, hues[0]), hues[1])), alpha=255)


def rim_radius(bgr: Bgr, fit: Fit, camera: Floats) -> float:
    """Return the radius of the holes themselves, where a ring may be painted round them.

    ``camera`` is the camera's place over the plank (x, y in units): it sees no wall of a hole on the side towards it.
    """
    lines = Lines.of(fit.shape, 48, 0)
    towards = camera - fit.shape.holes()[lines.feature]
    return _radius_agreed(bgr, fit, lines.only(np.einsum("ij,ij->i", lines.outward, towards) > 0), 0.3)


def ends_here(wood: MatLike, homography: Floats, lines: Lines, offsets: Floats) -> Floats:
    """Return how much the plank's face ends at each of the even ``offsets`` (N×K), -1 to 1: face before, none after."""
    apart = offsets[1] - offsets[0]
    beside = max(round(FACE_ENDS / apart), 1)
    wide = offsets[0] + apart * np.arange(-beside, len(offsets) + beside)
    read, _ = _read(wood, homography, lines, wide)
    sums = np.pad(np.cumsum(read, axis=1), ((0, 0), (1, 0)))
    before = sums[:, beside : beside + len(offsets)] - sums[:, : len(offsets)]
    after = sums[:, 2 * beside + 1 :] - sums[:, beside + 1 : beside + 1 + len(offsets)]
    ends: Floats = (before - after) / (255 * beside)
    return ends


@dataclass(frozen=True, slots=True)
class Fit:
    """A plank as fitted: the map from its units to the picture, its shape, and how much of each rim and edge shows.

    ``support`` has a share (0 to 1, chance taken off) for every hole, then for every edge; ``rms`` is the residual in
    units.
    """

    homography: Floats
    shape: Shape
    support: Floats
    rms: float

    @property
    def holes_seen(self) -> Floats:
        """The support of the rims alone."""
        return self.support[:-4]

    @property
    def edges_seen(self) -> Floats:
        """The support of the edges alone: right, left, near, far."""
        return self.support[-4:]


def settle_rims(bgr: Bgr, homography: Floats, usual: Shape, radius: float) -> Fit:
    """Fit the rims alone, from a proposal: which of the circles round the holes is the rim is settled here."""
    shape = replace(usual, radius=radius)
    fit = Fit(homography, shape, np.zeros(len(usual.middles) + 4), 1.0)
    for window in (0.45, 0.3):
        lines = Lines.of(fit.shape, 32, 0)
        fit = replace(fit, shape=replace(fit.shape, radius=_radius_agreed(bgr, fit, lines, window)))
        fit = step(bgr, fit, usual, 0.5 * window, edges=False)
    return step(bgr, fit, usual, 0.14, edges=False)


def _radius_agreed(bgr: Bgr, fit: Fit, lines: Lines, window: float) -> float:
    """Return the radius at which all rims step alike: the innermost, where a ring is painted round them."""
    offsets = np.linspace(-window, 0.5 * window, 46) * fit.shape.radius
    change, _ = steps_across(bgr, fit.homography, lines, offsets)
    common = _common(change)
    peaks = np.nonzero((common[1:-1] >= common[:-2]) & (common[1:-1] > common[2:]))[0] + 1
    if not len(peaks):
        return fit.shape.radius
    first = peaks[common[peaks] > 0.6 * common[peaks].max()][0]
    before, at, after = common[first - 1 : first + 2]
    shift = 0.5 * (before - after) / min(before - 2 * at + after, -1e-6)
    return fit.shape.radius + float(offsets[first] + shift * (offsets[1] - offsets[0]))


def _common(change: Floats) -> Floats:
    """Return what most lines agree on, at each offset, 0 to 1; no single strong line counts for more than one."""
    full = max(float(np.percentile(change.max(1), 60)), LEAST_STEP)
    common: Floats = np.minimum(change / full, 1.0).mean(0)
    return np.convolve(np.pad(common, 1, mode="edge"), [0.25, 0.5, 0.25], mode="valid")


def settle_edges(bgr: Bgr, wood: MatLike, fit: Fit, usual: Shape) -> Fit:
    """Choose where the plank ends on each side: where whole lines step and the face ends, near the usual size."""
    for axis in (0, 1):
        reach = np.linspace(0.68, LARGEST[axis], 93) * usual.half[axis]
        first = len(fit.shape.middles) + 2 * axis
        ends = [_ends(bgr, wood, fit, edge, reach) for edge in (first, first + 1)]
        half, aside = _alike_on_both_sides(ends, reach, usual, axis)
        shape = fit.shape
        both, off = shape.half.copy(), shape.aside.copy()
        both[axis], off[axis] = half, aside
        fit = replace(fit, shape=replace(shape, half=both, aside=off))
    return fit


def _ends(bgr: Bgr, wood: MatLike, fit: Fit, edge: int, reach: Floats) -> Floats:
    """Return how much looks like an edge of the plank at each distance from the middle of its holes, 0 to 1."""
    lines = Lines.of(fit.shape, 0, 40)
    across = lines.only(lines.feature == edge)
    across.at[:, 0 if across.outward[0, 0] else 1] = 0.0
    change, _ = steps_across(bgr, fit.homography, across, reach)
    face_ends = np.clip(ends_here(wood, fit.homography, across, reach).mean(0), 0, 1)
    ends: Floats = _common(change) * (FACE_GOES_ON + (1 - FACE_GOES_ON) * face_ends)
    return ends


def _alike_on_both_sides(ends: list[Floats], reach: Floats, usual: Shape, axis: int) -> tuple[float, float]:
    """Return half the plank's size and how far it is off the middle: a clear edge on both sides, the outermost one.

    Inside it there may be a painted border, behind which the face goes on to the edge.
    """
    apart = reach[1] - reach[0]
    unusual = 0.04 * (np.log(reach / usual.half[axis]) / USUAL_SPREAD[2 + axis]) ** 2
    scores = np.full((2 * MOST_ASIDE + 1, len(reach)), -1.0)
    for row, shift in enumerate(range(-MOST_ASIDE, MOST_ASIDE + 1)):
        both = np.maximum(np.roll(ends[0], -shift), 0.02) * np.maximum(np.roll(ends[1], shift), 0.02)
        score = np.sqrt(both) - unusual - 0.02 * (shift * apart / USUAL_SPREAD[4 + axis]) ** 2
        inside = slice(abs(shift), len(reach) - abs(shift))
        scores[row, inside] = score[inside]
    best = scores.max(0)
    peaks = np.r_[False, (best[1:-1] >= best[:-2]) & (best[1:-1] > best[2:]), False]
    clear = np.nonzero(peaks & (best > CLEAR_EDGE * best.max()))[0]
    at = int(clear[-1]) if len(clear) else int(best.argmax())
    return float(reach[at]), float((scores[:, at].argmax() - MOST_ASIDE) * apart)


def step(
    bgr: Bgr, fit: Fit, usual: Shape, window: float, edges: bool = True, fine: int = 1, wood: MatLike | None = None
) -> Fit:
    """Solve once for the map and the measures that bring every rim and edge to where the picture steps.

    ``window`` is how far to look to either side, in hole radii; ``fine`` lays more lines.
    """
    shape, middles = fit.shape, fit.shape.middles
    lines = Lines.of(shape, 32 * fine, 28 * fine)
    reach = window * shape.radius
    offsets = np.linspace(-reach, reach, 25)
    change, inside = steps_across(bgr, fit.homography, lines, offsets)
    is_rim = lines.feature < len(middles)
    change *= 1 - 0.4 * (offsets / reach) ** 2
    if wood is not None:
        ends = ends_here(wood, fit.homography, lines, offsets)
        beyond = np.clip(np.where(is_rim[:, None], -ends, ends), 0, 1)
        change *= FACE_GOES_ON + (1 - FACE_GOES_ON) * beyond
        change = np.where(is_rim[:, None], _outermost(change), change)
    off, height = _peaks(change, offsets)
    seen = inside & (height > LEAST_STEP) & (edges | is_rim)
    rows = _rows(shape, lines)
    prior = np.diag(1 / np.r_[np.full(6, 0.3), 0.15, 0.15, usual.spreads()])
    prior_gap = -np.r_[np.zeros(8), shape.beyond(usual)] @ prior
    weight = seen * np.minimum(height / (3 * LEAST_STEP), 1.0) / 0.01
    spread = max(0.5 * reach, 0.004)
    solved = np.zeros(14)
    for _ in range(4):
        left = np.concatenate([rows * weight[:, None], prior])
        solved = np.linalg.lstsq(left, np.concatenate([off * weight, prior_gap]), rcond=None)[0]
        gap = off - rows @ solved
        spread = max(min(spread, 2.5 * float(np.median(np.abs(gap[seen]))) if seen.any() else spread), 0.006)
        weight = seen * np.minimum(height / (3 * LEAST_STEP), 1.0) / 0.01 * np.exp(-0.5 * (gap / spread) ** 2)
    near = np.abs(gap) < min(NEAR, 0.5 * reach)
    support = np.array([_share(near & seen, inside, lines.feature == k, NEAR / reach) for k in range(len(middles) + 4)])
    good = near & seen
    rms = float(np.sqrt(np.mean(gap[good] ** 2))) if good.any() else 1.0
    tx, ty, a, b, c, d, kx, ky = solved[:8]
    moved = fit.homography @ np.array([[1 + a, b, tx], [c, 1 + d, ty], [kx, ky, 1.0]])
    return Fit(moved / moved[2, 2], shape.changed(solved[8:]), support, rms)


def _share(near: NDArray[np.bool_], inside: NDArray[np.bool_], mine: NDArray[np.bool_], chance: float) -> float:
    """Return the share of a feature's lines that step where it is, less what chance gives and what the picture cuts."""
    chance = min(chance, 0.5)
    return float(max(near[mine].sum() / max(inside[mine].sum(), 1) - chance, 0.0) / (1 - chance) * inside[mine].mean())


def _rows(shape: Shape, lines: Lines) -> Floats:
    """Return how each line's offset answers to the map's eight numbers and the plank's six measures (N×14)."""
    (x, y), (nx, ny) = lines.at.T, lines.outward.T
    pull = nx * x + ny * y
    count = len(shape.middles)
    hole = lines.feature < count
    across = np.where(hole, np.r_[shape.middles[:, 0], np.zeros(4)][lines.feature], 0.0)
    sideways, lengthways = ~hole & (nx != 0), ~hole & (ny != 0)
    plane = [nx, ny, nx * x, nx * y, ny * x, ny * y, -x * pull, -y * pull]
    measures = [hole * 1.0, nx * across, sideways * 1.0, lengthways * 1.0, sideways * nx, lengthways * ny]
    rows: Floats = np.stack(plane + measures, 1)
    return rows


def _outermost(change: Floats) -> Floats:
    """Leave only the outermost clear step of each line: the wall of a hole shows inside its rim, where it ends too."""
    middle = change[:, 1:-1]
    top = (middle >= change[:, :-2]) & (middle > change[:, 2:]) & (middle > CLEAR * change.max(1, keepdims=True))
    last = np.where(top.any(1), change.shape[1] - 2 - top[:, ::-1].argmax(1), change.argmax(1))
    outermost: Floats = change * (np.abs(np.arange(change.shape[1]) - last[:, None]) <= 1)
    return outermost


def _peaks(change: MatLike, offsets: Floats) -> tuple[Floats, Floats]:
    top = np.clip(change.argmax(1), 1, change.shape[1] - 2)
    row = np.arange(len(top))
    before, at, after = change[row, top - 1], change[row, top], change[row, top + 1]
    bend = np.minimum(before - 2 * at + after, -1e-6)
    shift = np.clip(0.5 * (before - after) / bend, -0.5, 0.5)
    off: Floats = offsets[top] + shift * (offsets[1] - offsets[0])
    return off, at

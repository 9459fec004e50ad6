"""Fit a whole set of concentric lines at once, and say how well each is seen.

The picture is unrolled round the proposed middle: one row a direction, one column a radius, so that a scoring line
becomes a column. Where a line bends away from its column, the bend's harmonics tell what is wrong with the proposal:
a shift of the middle is one sine wave, a squash two, and a perspective one that grows with the square of the radius.
All lines together give one small linear equation, solved robustly a few times over while the search narrows.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike

from calibration.calibration import Bgr, Floats
from calibration.unrolled import Ring, Unrolled, picture_points, unroll

# Where a surface ends, its side wall and its shadow show too: a step places a ring less well than a line does.
STEP_WEIGHT = 0.15
# A fit goes on while it has the evidence (rings seen) that good ones have by then; the search narrows step by step.
STEPS = ((0.05, 0.0), (0.03, 0.8), (0.018, 1.3), (0.012, 1.9))


@dataclass(frozen=True, slots=True)
class RingFit:
    """A proposal after fitting: the map from unit plane to picture, the radii found, and how much of each ring shows.

    ``support`` is the share of directions (of those inside the picture) in which the ring was seen where it should be,
    less what chance would give; ``dark`` says which way the painted lines differ from the surface. ``rms`` is the
    residual in units of the reference ring's radius.
    """

    homography: Floats
    dark: bool
    radii: dict[str, float]
    support: dict[str, float]
    rms: float

    @property
    def evidence(self) -> float:
        """One figure to compare proposals by: rings seen."""
        return sum(self.support.values())


@dataclass(frozen=True, slots=True)
class _Peaks:
    offset: Floats
    height: Floats


def _peaks(unrolled: Unrolled, full: MatLike, radius: float, window: float) -> _Peaks:
    step = unrolled.radii[1] - unrolled.radii[0]
    low = max(int((radius - window - unrolled.radii[0]) / step), 1)
    high = min(int((radius + window - unrolled.radii[0]) / step) + 2, len(unrolled.radii) - 1)
    column = low + full[:, low:high].argmax(1)
    rows = np.arange(len(column))
    before, top, after = full[rows, column - 1], full[rows, column], full[rows, column + 1]
    bend = before - 2 * top + after
    shift = np.where(bend < -1e-6, 0.5 * (before - after) / np.minimum(bend, -1e-6), 0.0)
    at = unrolled.radii[0] + (column + np.clip(shift, -0.5, 0.5)) * step
    return _Peaks(at - radius, np.minimum(top, 1).astype(np.float64))


def _bends(angles: Floats, radius: float) -> Floats:
    one, two = np.stack([np.cos(angles), np.sin(angles)], 1), np.stack([np.cos(2 * angles), np.sin(2 * angles)], 1)
    return np.hstack([one, np.full((len(angles), 1), radius), radius * two, radius**2 * one])


def correct(homography: Floats, bends: Floats) -> Floats:
    """Move a homography by the seven amounts that bends were made of: shift, size, squash (2), perspective (2)."""
    tx, ty, size, p, q, kx, ky = bends
    moved = np.array([[1 + size + p, q, tx], [q, 1 + size - p, ty], [-kx, -ky, 1.0]])
    fixed = homography @ moved
    scaled: Floats = fixed / fixed[2, 2]
    return scaled


def refine(
    views: dict[str, Unrolled],
    homography: Floats,
    rings: tuple[Ring, ...],
    radii: dict[str, float],
    window: float,
    dark: bool,
) -> tuple[Floats, dict[str, float], float]:
    """Solve once for the bends and the free radii that bring every ring to its column.

    Returns the moved homography, the radii, and the weighted rms residual, all in the unit plane.
    """
    free = [ring for ring in rings if not ring.is_reference]
    rows, targets, weights = [], [], []
    for ring in rings:
        reach = window if ring.usual > 0.2 else min(window, 0.025)
        view = views[ring.name]
        peaks = _peaks(view, view.ring_map(ring, dark), radii[ring.name], reach)
        row = np.zeros((len(peaks.offset), 7 + len(free)))
        row[:, :7] = _bends(view.angles, radii[ring.name])
        if not ring.is_reference:
            row[:, 7 + free.index(ring)] = 1.0
        rows.append(row)
        targets.append(peaks.offset)
        weights.append(peaks.height**2 * (1.0 if ring.painted else STEP_WEIGHT))
    a, b, w = np.vstack(rows), np.concatenate(targets), np.concatenate(weights)
    prior = np.diag([1e-3] * 7 + [(0.02 / ring.spread) ** 2 for ring in free])
    pull = np.zeros(7 + len(free))
    pull[7:] = [(0.02 / ring.spread) ** 2 * (ring.usual - radii[ring.name]) for ring in free]
    found: Floats = np.zeros(7 + len(free))
    robust = w
    for _ in range(5):
        found = np.linalg.solve((a * robust[:, None]).T @ a + prior, a.T @ (robust * b) + pull).astype(np.float64)
        rest = b - a @ found
        robust = w / (1 + (rest / (0.3 * window)) ** 2) ** 2
    rms = float(np.sqrt(np.sum(robust * rest**2) / max(np.sum(robust), 1e-9)))
    # What was a bend in this plane becomes part of the map: sizes found now are in the new unit.
    moved = {ring.name: radii[ring.name] for ring in rings}
    for i, ring in enumerate(free):
        moved[ring.name] = float(np.clip(radii[ring.name] + found[7 + i], ring.least, ring.most))
    return correct(homography, found[:7]), moved, rms


def support(unrolled: Unrolled, ring: Ring, radius: float, dark: bool, tolerance: float = 0.009) -> float:
    """Return the share of directions in which ``ring`` shows at ``radius``, beyond what chance gives."""
    step = unrolled.radii[1] - unrolled.radii[0]
    reach = max(1, round(tolerance / step))
    seen = cv2.dilate((unrolled.ring_map(ring, dark) > 0.4).astype(np.uint8), np.ones((1, 2 * reach + 1), np.uint8))
    column = int(np.clip(round((radius - unrolled.radii[0]) / step), 0, len(unrolled.radii) - 1))
    inside = unrolled.inside[:, column]
    if inside.sum() < len(inside) // 6:
        return 0.0
    span = slice(max(0, column - 30), column + 30)
    chance = float(seen[:, span].mean())
    share = float(seen[inside, column].mean())
    return max(0.0, (share - chance) / (1 - chance + 1e-6)) * float(inside.mean())


@dataclass(frozen=True, slots=True)
class Size:
    """A proposed radius of the reference ring, for a board whose lines are dark or light."""

    radius: float
    dark: bool


def fit(bgr: Bgr, homography: Floats, dark: bool, rings: tuple[Ring, ...]) -> RingFit:
    """Fit ``rings`` to a small picture from a proposal right to within five hundredths of the reference.

    A proposal that is wrong shows it half way, and is not fitted to the end.
    """
    columns = np.arange(0.012, 1.25, 0.008)
    radii, rms = {ring.name: ring.usual for ring in rings}, 0.0
    unrolled = unroll(bgr, homography, columns, 48, (2, 4))
    seen = dict.fromkeys(radii, 0.0)
    for window, least in STEPS:
        if sum(seen.values()) < least:
            break
        homography, radii, rms = refine(dict.fromkeys(radii, unrolled), homography, rings, radii, window, dark)
        unrolled = unroll(bgr, homography, columns, 48, (2, 4), along=3)
        seen = {ring.name: support(unrolled, ring, radii[ring.name], dark) for ring in rings}
    return RingFit(homography, dark, radii, seen, rms)


def sharpen(bgr: Bgr, found: RingFit, rings: tuple[Ring, ...]) -> RingFit:
    """Fit again on a large picture, looking only close to each ring, to a fraction of a pixel."""
    homography, radii, rms = found.homography, found.radii, found.rms
    seen = tuple(ring for ring in rings if found.support[ring.name] > 0.15)
    for window in (0.012, 0.006):
        unit_px = np.sqrt(abs(np.linalg.det(homography)))
        step = max(0.6 / unit_px, 0.001)
        reach = np.arange(-0.03, 0.03 + step, step)
        columns = (max(2, round(0.008 / step)), max(3, round(0.016 / step)))
        views = {
            ring.name: unroll(bgr, homography, radii[ring.name] + reach, 120, columns if ring.painted else (1,), 5)
            for ring in seen
        }
        homography, moved, rms = refine(views, homography, seen, radii, window, found.dark)
        radii = radii | moved
    return RingFit(homography, found.dark, radii, found.support, rms)


def sizes(bgr: Bgr, homography: Floats, rings: tuple[Ring, ...], smallest: float, largest: float) -> list[Size]:
    """Propose how large the reference ring is, in the units of ``homography``'s plane, likeliest first."""
    columns = np.linspace(0.02, 1.1, 360) * largest
    unrolled = unroll(bgr, homography, columns, 48, (2, 4))
    steps = _profile(unrolled.step)
    candidates = np.geomspace(smallest, largest, 160)
    scored: list[tuple[float, Size]] = []
    for dark, lines in ((True, _profile(unrolled.dark_line)), (False, _profile(unrolled.light_line))):
        scores = np.zeros(len(candidates))
        for ring in rings:
            bounds = np.searchsorted(columns, np.outer(candidates, [ring.least - 0.01, ring.most + 0.01]))
            bounds[:, 1] = np.maximum(bounds[:, 1], bounds[:, 0] + 1)
            profile = np.append(lines if ring.painted else steps, [0.0, 0.0])
            scores += np.maximum.reduceat(profile, bounds.ravel())[::2]
        scored += [(float(score), Size(float(radius), dark)) for score, radius in zip(scores, candidates, strict=True)]
    proposed: list[Size] = []
    for _, size in sorted(scored, key=lambda pair: -pair[0]):
        if all(size.dark != s.dark or abs(size.radius / s.radius - 1) > 0.04 for s in proposed):
            proposed.append(size)
        if len(proposed) == 5:
            break
    return proposed


def _profile(response: MatLike) -> Floats:
    across = cv2.blur(np.minimum(response, 1).mean(0, dtype=np.float64).reshape(1, -1), (5, 1)).ravel()
    lifted: Floats = np.maximum(across - np.median(across), 0)
    return lifted


def line_width(bgr: Bgr, found: RingFit, rings: tuple[Ring, ...]) -> float:
    """Return how wide the painted lines are, in units of the reference ring's radius, lens blur taken off."""
    unit_px = float(np.sqrt(abs(np.linalg.det(found.homography))))
    reach = np.arange(-0.02, 0.02, 0.001)
    widths = []
    for ring in rings:
        if not ring.painted or found.support[ring.name] < 0.5:
            continue
        xy = picture_points(found.homography, found.radii[ring.name] + reach, 60).astype(np.float32)
        rolled = cv2.remap(bgr, xy[..., 0], xy[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        profile = np.median(rolled.astype(np.float64), 0)
        sides = (profile[:4].mean(0) + profile[-4:].mean(0)) / 2
        depth = np.abs(profile - sides).sum(1)
        widths.append(float(np.mean(depth > depth.max() / 2)) * 0.04)
    if not widths:
        return 1.6 / 304.8
    seen, blur = float(np.median(widths)), 2.2 / unit_px
    return float(np.sqrt(max(seen**2 - blur**2, (1.0 / 304.8) ** 2)))

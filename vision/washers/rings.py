"""Washers at rest, read from how the board differs from its empty picture: rings that explain the difference."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from calibration.calibration import Floats
from scoring.board import HoleBoard
from vision.small import Yuv
from vision.washers.change import NOTABLE
from vision.washers.view import PX_PER_MM, View

Map = NDArray[np.float32]

# A px counts fully as changed from this many times the notable change on; more of it proves no more.
CLEAR = 2.2
# A washer stands out so many times more than noise at least.
PLAIN = 3.2
# What changes less than this share of the strongest change around is its soft border.
HALF = 0.35
LEAST_VISIBLE = 0.4
# What a ring explains ends softly: blur and a look aslant make it wider than the washer.
TAKEN = 1.2
# Up to so many radii nothing should lie around a ring's middle but other rings.
BEYOND = 1.65
LEAST_FILLED = 0.62
# Metal over what surrounds it: a hand or a sleeve has no ring's outer end.
LEAST_EDGE = 0.25


@dataclass(frozen=True, slots=True)
class Ring:
    """A washer lying on the board: its middle (mm), how completely its metal shows, and its colour (Y, U, V).

    ``filled`` is the share of its metal that differs from the empty board; ``shown`` the share no other ring covers;
    ``strength`` how many times more than noise it differs.
    """

    centre_mm: tuple[float, float]
    filled: float
    shown: float
    colour: tuple[float, float, float]
    strength: float

    @property
    def mm(self) -> Floats:
        """Its middle as an array."""
        return np.array(self.centre_mm)


class RingReader:
    """Finds rings of one size in change maps of one board."""

    def __init__(self, view: View) -> None:
        """Prepare templates for the board's washers."""
        self.view = view
        board = view.board
        outer, inner = board.piece_radius_mm * PX_PER_MM, board.piece_hole_radius_mm * PX_PER_MM
        self._reach = int(np.ceil(BEYOND * outer)) + 1
        yy, xx = np.mgrid[-self._reach : self._reach + 1, -self._reach : self._reach + 1]
        away = np.hypot(xx, yy)
        metal = np.clip(outer + 0.3 - away, 0, 1) * np.clip(away - inner + 0.2, 0, 1)
        self._metal = metal.astype(np.float32)
        beyond = np.clip(BEYOND * outer - away, 0, 1) * np.clip(away - 1.08 * outer, 0, 1)
        self._beyond = beyond.astype(np.float32)
        self._disc = (np.clip(TAKEN * outer - away, 0, 1)).astype(np.float32)
        side = 2 * round(outer) + 1
        self._around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
        self._allowed = _allowed(view, board)

    def read(self, change: MatLike, picture: Yuv) -> list[Ring]:
        """Return the washers that explain ``change``: how ``picture`` (the view) differs from the empty board."""
        weight = self._weight(change)
        filled = self._mean(weight, self._metal)
        strength = self._mean(change.astype(np.float32), self._metal) / NOTABLE
        filled[strength < PLAIN] = 0
        left, free = weight.copy(), np.ones_like(weight)
        rings: list[Ring] = []
        while True:
            shown, surplus = self._mean(left, self._metal), self._mean(left, self._beyond)
            visible = self._mean(free, self._metal)
            worth = shown - surplus
            fits = (
                (filled > LEAST_FILLED) & (shown > LEAST_FILLED * visible) & (visible > LEAST_VISIBLE) & self._allowed
            )
            worth[~fits] = 0
            y, x = np.unravel_index(int(worth.argmax()), worth.shape)
            if worth[y, x] < LEAST_EDGE:
                return rings
            ring = self._take((int(x), int(y)), filled, left, free, weight, picture)
            rings.append(replace(ring, strength=float(strength[y, x])))

    def share(self, change: MatLike, mm: Floats) -> float:
        """Return the share of the metal of a washer at ``mm`` that changed notably."""
        x, y = (round(float(c)) for c in self.view.to_px(mm[None])[0])
        window, template = self._window((x, y), change.shape)
        metal = self._metal[template]
        return float(((change[window] > 1.5 * NOTABLE) * metal).sum() / max(float(metal.sum()), 1e-6))

    def faint(self, mm: Floats, picture: Yuv) -> Ring:
        """Return a washer that is known to lie at ``mm`` though it hardly shows."""
        x, y = (round(float(c)) for c in self.view.to_px(mm[None])[0])
        window, template = self._window((x, y), picture.shape)
        metal = self._metal[template][..., None]
        y_, u, v = (picture[window] * metal).sum((0, 1)) / max(float(metal.sum()), 1e-6)
        return Ring((float(mm[0]), float(mm[1])), 0.0, 1.0, (float(y_), float(u), float(v)), 0.0)

    def allows(self, mm: Floats) -> bool:
        """Whether the middle of a washer lying on the board may be at ``mm``."""
        x, y = (round(float(c)) for c in self.view.to_px(mm[None])[0])
        height, width = self._allowed.shape
        return 0 <= x < width and 0 <= y < height and bool(self._allowed[y, x])

    def _weight(self, change: MatLike) -> Map:
        """Return how surely each px is metal: well over the grain, not just the soft border of something stronger."""
        grain = max(float(NOTABLE), 1.2 * float(np.percentile(change, 75)))
        strongest = cv2.dilate(change, self._around)
        least = np.maximum(strongest.astype(np.float32) * HALF, grain)
        return np.asarray(np.clip((change - least) / np.float32((CLEAR - 1) * NOTABLE), 0, 1), np.float32)

    @staticmethod
    def _mean(weight: Map, template: Map) -> MatLike:
        """Return how full a template centred on each px is."""
        return cv2.filter2D(weight, cv2.CV_32F, template / template.sum(), borderType=cv2.BORDER_CONSTANT)

    def _take(self, at: tuple[int, int], filled: MatLike, left: Map, free: Map, weight: Map, picture: Yuv) -> Ring:
        """Make the ring at a px, and take what it explains out of ``left``."""
        x, y = at
        window, template = self._window(at, left.shape)
        metal, disc = self._metal[template], self._disc[template]
        shown = float((free[window] * metal).sum() / metal.sum())
        left[window] *= 1 - disc
        free[window] *= 1 - disc
        seen = metal * np.minimum(weight[window], 1)
        total = max(float(seen.sum()), 1e-6)
        colour = (picture[window].astype(np.float32) * seen[..., None]).sum((0, 1)) / total
        middle = self._fine(filled, at)
        mm = self.view.to_mm(middle[None])[0]
        return Ring(
            (float(mm[0]), float(mm[1])),
            float(filled[y, x]),
            shown,
            (float(colour[0]), float(colour[1]), float(colour[2])),
            0.0,
        )

    def _window(self, at: tuple[int, int], shape: tuple[int, ...]) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
        x, y = at
        reach = self._reach
        y0, y1, x0, x1 = (
            max(y - reach, 0),
            min(y + reach + 1, shape[0]),
            max(x - reach, 0),
            min(x + reach + 1, shape[1]),
        )
        template = np.s_[y0 - y + reach : y1 - y + reach, x0 - x + reach : x1 - x + reach]
        return np.s_[y0:y1, x0:x1], template

    def _fine(self, filled: MatLike, at: tuple[int, int]) -> Floats:
        """Return the middle to a fraction of a px, by the parabola through the neighbours."""
        x, y = at
        fine = np.array([float(x), float(y)])
        height, width = filled.shape
        if 0 < x < width - 1:
            fine[0] += _vertex(filled[y, x - 1], filled[y, x], filled[y, x + 1])
        if 0 < y < height - 1:
            fine[1] += _vertex(filled[y - 1, x], filled[y, x], filled[y + 1, x])
        return fine


def _vertex(before: float, at: float, after: float) -> float:
    bend = float(before) - 2 * float(at) + float(after)
    return float(np.clip(0.5 * (float(before) - float(after)) / bend, -0.5, 0.5)) if bend < -1e-6 else 0.0


def _allowed(view: View, board: HoleBoard) -> NDArray[np.bool_]:
    """Return where the middle of a washer may be that lies on the board: over the plank, and not inside a rim."""
    yy, xx = np.mgrid[0 : view.size_px[1], 0 : view.size_px[0]]
    at = view.to_mm(np.stack([xx, yy], -1).reshape(-1, 2).astype(np.float64))
    x, y = np.abs(at).T
    inside = (x < board.width_mm / 2 + 2) & (y < board.length_mm / 2 + 2)
    for hole in board.holes:
        inside &= np.hypot(*(at - np.array(hole.centre_mm)).T) > hole.radius_mm - 3
    allowed: NDArray[np.bool_] = inside.reshape(view.size_px[1], view.size_px[0])
    return allowed

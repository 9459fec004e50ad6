"""What the board looks like with nothing on it, in the light of the moment."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from cv2.typing import MatLike

from calibration.calibration import Bgr, Floats
from vision.shots.topview import TopView

GRID_PX = 11
GRID_CELLS = 24
WAVES = 5
WAVE_ROOM = 1.2
FRESHNESS = 0.3
# A factor of light this far (in parts) from what the rest of the board says belongs to a disc or a hand.
ODD = 0.06
ROUNDS = 4
DITCH_MM = 60.0
UNCHANGED = 0.004
DARK_LEVELS = 2.0
RIDGE = 1.0
# What a disc hides of the board, shadow included, in disc radii.
HIDES = 1.8


class EmptyBoard:
    """The bare board, learned where nothing lies on it, and kept fresh as the light changes."""

    def __init__(self, top: TopView, view: Bgr, discs_px: Floats) -> None:
        """Learn from a first view; what the discs at ``discs_px`` (N×2) hide is filled from the rings they lie on."""
        self.picture = _filled(top, view, discs_px) if len(discs_px) else view.copy()
        self._prepare(top)

    def _prepare(self, top: TopView) -> None:
        self._top = top
        rows, columns = (np.arange(GRID_PX // 2, top.side_px, GRID_PX) for _ in range(2))
        y, x = np.meshgrid(rows, columns, indexing="ij")
        on_surface = top.radius_mm[y, x] < top.board.edge_mm + DITCH_MM
        self._x, self._y = x[on_surface], y[on_surface]
        self._terms = _terms(top, self._x.astype(np.float64), self._y.astype(np.float64))
        cells = (np.arange(GRID_CELLS) + 0.5) * top.side_px / GRID_CELLS - 0.5
        cell_y, cell_x = np.meshgrid(cells, cells, indexing="ij")
        self._cells = _terms(top, cell_x.ravel(), cell_y.ravel())

    def look_through(self, top: TopView) -> None:
        """Carry on after the camera was knocked: the board is where it was in the view, which is now made anew."""
        self._prepare(top)

    def expected(self, view: Bgr) -> Bgr:
        """Return the bare board as it would look in the light of ``view``."""
        gains = _gains(self._terms, view[self._y, self._x], self.picture[self._y, self._x])
        field = self._cells @ gains
        if float(np.abs(field - 1).max()) < UNCHANGED:
            return self.picture
        field = field.reshape(GRID_CELLS, GRID_CELLS, 3)
        size = (self._top.side_px, self._top.side_px)
        whole = cv2.resize(field.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
        return cv2.multiply(self.picture, whole, dtype=cv2.CV_8U)

    def refresh(self, view: Bgr, hidden: MatLike, freshness: float = FRESHNESS) -> None:
        """Learn from a settled view, but for what is ``hidden`` (nonzero)."""
        bare = hidden == 0
        blended = cv2.addWeighted(view, freshness, self.expected(view), 1 - freshness, 0)
        self.picture = np.where(bare[..., None], blended, self.expected(view))

    def hidden_by(self, discs_px: Sequence[Floats] | Floats) -> MatLike:
        """Return a mask (255) of what discs there hide, with their shadows."""
        mask = np.zeros((self._top.side_px, self._top.side_px), np.uint8)
        for x, y in discs_px:
            cv2.circle(mask, (round(x), round(y)), round(HIDES * self._top.disc_px), 255, -1)
        return mask


def _terms(top: TopView, x_px: Floats, y_px: Floats) -> Floats:
    """Return what a change of light is made of there: slopes over the board, and waves along the picture's rows.

    Mains light flickers while the sensor is read row by row.
    """
    x, y = x_px / top.side_px * 2 - 1, y_px / top.side_px * 2 - 1
    slopes = np.stack([np.ones_like(x, dtype=np.float64), x, y, x * x, x * y, y * y], 1)
    edge_mm = top.board.edge_mm * np.array([(0.0, 1), (0, -1), (1, 0), (-1, 0)])
    rim_rows = top.calibration.to_px(edge_mm)[:, 1]
    span = WAVE_ROOM * float(np.ptp(rim_rows))
    rows = top.calibration.to_px(top.to_mm(np.stack([x_px, y_px], 1)))[:, 1] - rim_rows.min()
    waves = np.outer(rows, 2 * np.pi * np.arange(1, WAVES + 1) / span)
    return np.hstack([slopes, np.cos(waves), np.sin(waves)])


def _gains(terms: Floats, now: Bgr, then: Bgr) -> Floats:
    """Fit by what smooth factors (terms × 3 channels) the light has changed, whatever covers part of the board."""
    factor = (now + DARK_LEVELS) / (then + DARK_LEVELS)
    trust = np.minimum(then.min(1), 120).astype(np.float64)
    fitted = np.zeros((terms.shape[1], 3))
    fitted[0] = np.median(factor, axis=0)
    for _ in range(ROUNDS):
        off = np.abs(factor - terms @ fitted).max(1) / ODD
        weighed = terms * (trust / (1 + off * off) ** 2)[:, None]
        fitted = np.linalg.solve(weighed.T @ terms + RIDGE * np.eye(terms.shape[1]), weighed.T @ factor)
    return fitted


def _filled(top: TopView, view: Bgr, discs_px: Floats) -> Bgr:
    """Return the view without its discs: each is painted over with what its ring looks like elsewhere."""
    hidden = np.zeros(view.shape[:2], np.uint8)
    for x, y in discs_px:
        cv2.circle(hidden, (round(x), round(y)), round(HIDES * top.disc_px), 255, -1)
    ring = np.minimum(top.radius_mm, top.reach_mm).astype(np.int64)
    filled = view.copy()
    inside = hidden > 0
    for at in np.unique(ring[inside]):
        on_ring = ring == at
        seen = view[on_ring & ~inside]
        if len(seen):
            filled[on_ring & inside] = np.median(seen, axis=0)
    return filled

"""What the board looks like with nothing on it, in the light of the moment."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from cv2.typing import MatLike

from calibration.calibration import Bgr, Floats
from vision.shots.topview import TopView

# Single frames are looked at so many times smaller.
SHRINK = 2
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
        self._learn(_filled(top, view, discs_px) if len(discs_px) else view.copy())
        self.look_through(top)

    def look_through(self, top: TopView) -> None:
        """Carry on, perhaps after the camera was knocked: the board is where it was in the view, made anew."""
        self._top = top
        self._grids = {shrink: _Grid(top, shrink) for shrink in (1, SHRINK)}

    def _learn(self, picture: Bgr) -> None:
        self._pictures = {1: picture, SHRINK: smaller(picture)}

    def expected(self, view: Bgr, shrink: int = 1) -> Bgr:
        """Return the bare board as it would look in the light of ``view``, which may be ``SHRINK`` times smaller."""
        picture = self._pictures[shrink]
        field = self._grids[shrink].gains(view, picture)
        if float(np.abs(field - 1).max()) < UNCHANGED:
            return picture
        whole = cv2.resize(field, (view.shape[1], view.shape[0]), interpolation=cv2.INTER_LINEAR)
        return cv2.multiply(picture, whole, dtype=cv2.CV_8U)

    def refresh(self, view: Bgr, hidden: MatLike, freshness: float = FRESHNESS) -> None:
        """Learn from a settled view, but for what is ``hidden`` (nonzero)."""
        bare = hidden == 0
        blended = cv2.addWeighted(view, freshness, self.expected(view), 1 - freshness, 0)
        self._learn(np.where(bare[..., None], blended, self.expected(view)))

    def hidden_by(self, discs_px: Sequence[Floats] | Floats) -> MatLike:
        """Return a mask (255) of what discs there hide, with their shadows."""
        mask = np.zeros((self._top.side_px, self._top.side_px), np.uint8)
        for x, y in discs_px:
            cv2.circle(mask, (round(x), round(y)), round(HIDES * self._top.disc_px), 255, -1)
        return mask


def smaller(view: Bgr) -> Bgr:
    """Return a view ``SHRINK`` times smaller."""
    height, width = (side // SHRINK * SHRINK for side in view.shape[:2])
    size = (width // SHRINK, height // SHRINK)
    return cv2.resize(view[:height, :width], size, interpolation=cv2.INTER_AREA)


class _Grid:
    """Where the light is compared, and what its change is made of there: slopes, and waves along the picture's rows.

    Mains light flickers while the sensor is read row by row.
    """

    def __init__(self, top: TopView, shrink: int) -> None:
        side = top.side_px // shrink
        at = np.arange(GRID_PX // 2, side, GRID_PX)
        y, x = (part.ravel() for part in np.meshgrid(at, at, indexing="ij"))
        on_board = top.radius_mm[y * shrink, x * shrink] < top.board.edge_mm + DITCH_MM
        self._x, self._y = x[on_board], y[on_board]
        self._terms = _terms(top, shrink * self._x.astype(np.float64), shrink * self._y.astype(np.float64))
        cells = (np.arange(GRID_CELLS) + 0.5) * top.side_px / GRID_CELLS - 0.5
        cell_y, cell_x = np.meshgrid(cells, cells, indexing="ij")
        self._cells = _terms(top, cell_x.ravel(), cell_y.ravel())

    def gains(self, now: Bgr, then: Bgr) -> MatLike:
        """Return by what factors the light has changed, cell by cell, whatever covers part of the board."""
        seen, bare = now[self._y, self._x], then[self._y, self._x]
        factor = (seen + DARK_LEVELS) / (bare + DARK_LEVELS)
        trust = np.minimum(bare.min(1), 120).astype(np.float64)
        fitted = np.zeros((self._terms.shape[1], 3))
        fitted[0] = np.median(factor, axis=0)
        for _ in range(ROUNDS):
            off = np.abs(factor - self._terms @ fitted).max(1) / ODD
            weighed = self._terms * (trust / (1 + off * off) ** 2)[:, None]
            square = weighed.T @ self._terms + RIDGE * np.eye(len(fitted))
            fitted = np.linalg.solve(square, weighed.T @ factor)
        return (self._cells @ fitted).reshape(GRID_CELLS, GRID_CELLS, 3).astype(np.float32)


def _terms(top: TopView, x_px: Floats, y_px: Floats) -> Floats:
    x, y = x_px / top.side_px * 2 - 1, y_px / top.side_px * 2 - 1
    slopes = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], 1)
    edge_mm = top.board.edge_mm * np.array([(0.0, 1), (0, -1), (1, 0), (-1, 0)])
    rim_rows = top.calibration.to_px(edge_mm)[:, 1]
    span = WAVE_ROOM * float(np.ptp(rim_rows))
    rows = top.calibration.to_px(top.to_mm(np.stack([x_px, y_px], 1)))[:, 1] - rim_rows.min()
    waves = np.outer(rows, 2 * np.pi * np.arange(1, WAVES + 1) / span)
    return np.hstack([slopes, np.cos(waves), np.sin(waves)])


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

"""One frame while something moves: which discs are not where they lay, seen at half the size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from cv2.typing import MatLike

from calibration.calibration import Bgr, Floats
from vision.rectify import PX_PER_MM
from vision.shots.empty import SHRINK, EmptyBoard, smaller
from vision.shots.faces import FaceFinder
from vision.shots.pieces import Piece
from vision.shots.reading import foreign
from vision.shots.topview import TopView, difference
from vision.shots.tracks import Glimpse, Spot

# Where a disc is compared with how it lay: within its face and round its rim, in its radii.
SAMPLES = np.array(
    [(0.0, 0.0)]
    + [
        (r * np.cos(t), r * np.sin(t))
        for r, n in ((0.5, 6), (0.85, 16), (1.15, 16))
        for t in np.arange(n) * 2 * np.pi / n
    ]
)
CHANGED_LEVELS = 20.0
MOST_CHANGED = 0.16
COVERED = 1.3


class Glimpser:
    """Looks at single frames of a shot, knowing how the discs lay before it."""

    def __init__(self, top: TopView, empty: EmptyBoard, radius_px: float, before: Bgr, pieces: Sequence[Piece]) -> None:
        """Prepare for one shot: ``before`` is the settled view, ``pieces`` the discs in sight in it."""
        self._top, self._empty = top, empty
        self._finder = FaceFinder(top, SHRINK, radius_px)
        self._pieces = [piece for piece in pieces if piece.seen_px is not None]
        centres = np.array([piece.seen_px for piece in self._pieces]).reshape(-1, 1, 2) / SHRINK - 0.25
        self._centres = centres[:, 0]
        at = np.rint(centres + SAMPLES * self._finder.radius_px).astype(np.int64)
        self._at = np.clip(at, 0, top.side_px // SHRINK - 1)
        small = smaller(before)
        self._lay = self._seen(small) - self._seen(empty.expected(small, SHRINK))

    def look(self, bgr: Bgr, t_ns: int) -> Glimpse:
        """Return what a frame shows."""
        view = smaller(self._top.of(bgr))
        expected = self._empty.expected(view, SHRINK)
        cover = self._finder.cover(difference(view, expected))
        still = self._still(view, expected)
        for lies, centre in zip(still, self._centres, strict=True):
            if lies:
                _erase(cover, centre, COVERED * self._finder.radius_px)
        hand = foreign(cover, self._finder.radius_px)
        if hand.any():
            cover[cv2.dilate(hand, np.ones((3, 3), np.uint8)) > 0] = 0
        blurred = bool(hand.any()) and len(still) > 1 and not any(still)
        faces = [] if blurred else self._finder.find(view, expected, cover)
        lain = self._centres[np.array(still, dtype=bool)] if self._pieces else self._centres
        faces = [f for f in faces if not self._is_there(lain, f.centre_px / SHRINK - 0.25)]
        lie = self._top.lies_at(np.array([face.centre_px for face in faces])) if faces else np.zeros((0, 2))
        spots = tuple(Spot(at, face.lab) for at, face in zip(lie, faces, strict=True))
        numbers = frozenset(piece.number for piece, lies in zip(self._pieces, still, strict=True) if lies)
        return Glimpse(t_ns, spots, numbers, cv2.countNonZero(hand) * (SHRINK / PX_PER_MM) ** 2)

    def _is_there(self, lain: Floats, at_px: Floats) -> bool:
        return bool(len(lain)) and float(np.hypot(*(lain - at_px).T).min()) < self._finder.radius_px

    def _still(self, view: Bgr, expected: Bgr) -> list[bool]:
        if not self._pieces:
            return []
        off = np.abs(self._seen(view) - self._seen(expected) - self._lay).max(2)
        changed = (off > CHANGED_LEVELS).mean(1)
        return [bool(share < MOST_CHANGED) for share in changed]

    def _seen(self, view: Bgr) -> Floats:
        seen: Floats = view[self._at[..., 1], self._at[..., 0]].astype(np.float64)
        return seen


def lying(pieces: Sequence[Piece]) -> Mapping[int, Spot]:
    """Return the discs in sight as what a track can begin from."""
    return {p.number: Spot(p.lies_mm, p.lab) for p in pieces if p.lies_mm is not None and p.in_sight}


def _erase(cover: MatLike, centre: Floats, radius_px: float) -> None:
    cv2.circle(cover, (round(float(centre[0])), round(float(centre[1]))), round(radius_px), 0.0, -1)

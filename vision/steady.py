"""How far the picture has shifted since the reference was taken: a bumped camera, a lens that breathes, a drifting clamp."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

# Fine structure is what is smaller than this (px of the halved picture); light varies more slowly.
FINE_PX = 13
# A difference larger than this (of about 1 for strong edges) is something that lies or moves there, not a shift.
CLIP = 0.15
ROUNDS = 4
# A shift is believed if it explains the fine structure at least so well (1: all of it, 0: nothing).
BELIEVED = 0.25


@dataclass(frozen=True, slots=True)
class Shift:
    """By how much a picture is shifted against the reference, in px of the small picture, and how well that fits.

    ``trusted`` is false where hardly anything of the reference was recognised: a blurred, dark or hidden picture.
    """

    x_px: float
    y_px: float
    trusted: bool = True

    @property
    def size_px(self) -> float:
        """How far that is."""
        return float(np.hypot(self.x_px, self.y_px))


class Steady:
    """Finds the shift of pictures against one reference, by the gradient of its fine structure (Lucas and Kanade 1981)."""

    def __init__(self, luma: MatLike) -> None:
        """Take the reference's brightness (small picture, 8 bit)."""
        self._fine = _fine(luma)
        self._dx = cv2.Scharr(self._fine, cv2.CV_32F, 1, 0, scale=1 / 32)
        self._dy = cv2.Scharr(self._fine, cv2.CV_32F, 0, 1, scale=1 / 32)
        xx, xy, yy = (float(np.vdot(a, b)) for a, b in ((self._dx,) * 2, (self._dx, self._dy), (self._dy,) * 2))
        ridge = 1e-4 * (xx + yy) + 1e-9
        self._solve = np.linalg.inv(np.array([[xx + ridge, xy], [xy, yy + ridge]]))
        self._window = cv2.createHanningWindow((self._fine.shape[1], self._fine.shape[0]), cv2.CV_32F)
        self._spread = float(np.abs(np.clip(self._fine, -CLIP, CLIP)).mean())
        self._last = np.zeros(2)

    def shift(self, luma: MatLike) -> Shift:
        """Return the shift of a picture taken soon after the last one asked about."""
        fine = _fine(luma)
        at, explained = self._refine(fine, self._last)
        if explained < BELIEVED:
            leap, _ = cv2.phaseCorrelate(self._fine, fine, self._window)
            leapt, better = self._refine(fine, np.array(leap))
            if better > explained:
                at, explained = leapt, better
        trusted = explained >= BELIEVED
        if trusted:
            self._last = at
        return Shift(float(2 * at[0]), float(2 * at[1]), trusted)

    def _refine(self, fine: MatLike, at: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
        for _ in range(ROUNDS):
            apart = self._apart(fine, at)
            step = -self._solve @ np.array([float(np.vdot(self._dx, apart)), float(np.vdot(self._dy, apart))])
            at = at + np.clip(step, -3, 3)
            if np.abs(step).max() < 0.02:
                break
        left = float(np.abs(self._apart(fine, at)).mean())
        return at, 1 - left / max(self._spread, 1e-6)

    def _apart(self, fine: MatLike, at: NDArray[np.float64]) -> NDArray[np.float32]:
        moved = unshift(fine, Shift(float(at[0]), float(at[1])))
        return np.clip(moved - self._fine, -CLIP, CLIP)


def unshift(picture: MatLike, shift: Shift) -> MatLike:
    """Return a picture moved back by its shift, so that all lies where it lay in the reference."""
    back = np.array([[1, 0, shift.x_px], [0, 1, shift.y_px]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (picture.shape[1], picture.shape[0])
    return cv2.warpAffine(picture, back, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)


def _fine(luma: MatLike) -> MatLike:
    """Return the halved picture's fine structure as contrast: what a lamp does to all of it drops out."""
    half = cv2.resize(luma, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.float32)
    wide = cv2.blur(half, (FINE_PX, FINE_PX))
    return (half - wide) / (wide + 24)

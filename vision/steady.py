"""How far the picture has shifted since the reference was taken: a bumped camera, a drifting clamp."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

# Fine structure is what is smaller than this (px of the halved picture); light varies more slowly.
FINE_PX = 13
# A difference much larger than this (of about 1 for strong edges) is something that lies there, not a shift.
SOFT = 0.08
ROUNDS = 6
# Contrast from which fine structure can be recognised.
STRUCTURE = 0.05
# The share of it that is recognised: what shows less than the first makes one look farther, less than the second is no
# recognition. Wrong shifts reach about 0.3 by chance.
BELIEVED = 0.6
TRUSTED = 0.4
# Another shift must explain so much more to be taken instead, and be no farther off (px of the halved picture).
CLEARLY = 0.1
ALIKE = 0.01
FARTHEST_PX = 30.0


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
    """Finds the shift of pictures against one reference, by its fine structure (Lucas and Kanade 1981)."""

    def __init__(self, luma: MatLike) -> None:
        """Take the reference's brightness (small picture, 8 bit)."""
        self._fine = _fine(luma)
        flat = np.abs(self._fine.reshape(-1))
        self._strong = np.flatnonzero(flat > max(STRUCTURE, float(np.percentile(flat, 85))))
        self._known = self._fine.reshape(-1)[self._strong]
        self._tolerance = 0.55 * np.abs(self._known)
        dx, dy = (cv2.Scharr(self._fine, cv2.CV_32F, *axis, scale=1 / 32) for axis in ((1, 0), (0, 1)))
        self._slope_x, self._slope_y = (slope.reshape(-1)[self._strong] for slope in (dx, dy))
        self._squares = (self._slope_x**2, self._slope_x * self._slope_y, self._slope_y**2)
        self._window = cv2.createHanningWindow((self._fine.shape[1], self._fine.shape[0]), cv2.CV_32F)
        self._last = np.zeros(2)

    def shift(self, luma: MatLike) -> Shift:
        """Return the shift of a picture taken soon after the last one asked about."""
        fine = _fine(luma)
        at, explained = self._refine(fine, self._last)
        if explained < BELIEVED:
            leap = np.array(cv2.phaseCorrelate(self._fine, fine, self._window)[0])
            if np.abs(leap).max() < FARTHEST_PX:
                leapt, better = self._refine(fine, leap)
                at, explained = (leapt, better) if better > explained + CLEARLY else (at, explained)
        trusted = explained >= TRUSTED
        if trusted:
            self._last = at
        return Shift(float(2 * self._last[0]), float(2 * self._last[1]), trusted)

    def _refine(self, fine: MatLike, start: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
        """Return the best shift near ``start``, and how much of the fine structure it recognises.

        What does not fit at all, a hand or a washer, pulls little: least squares with Cauchy's weights.
        """
        at, apart = start, self._apart(fine, start)
        best, most = start, self._recognised(apart)
        for _ in range(ROUNDS):
            weight = 1 / (1 + (apart / SOFT) ** 2)
            pull = weight * apart
            xx, xy, yy = (float(np.dot(weight, g)) for g in self._squares)
            ridge = 1e-3 * (xx + yy) + 1e-9
            towards = np.array([float(np.dot(self._slope_x, pull)), float(np.dot(self._slope_y, pull))])
            step = -np.linalg.solve(np.array([[xx + ridge, xy], [xy, yy + ridge]]), towards)
            at = at + np.clip(step, -3, 3)
            apart = self._apart(fine, at)
            if np.abs(step).max() < 0.02:
                break
        recognised = self._recognised(apart)
        return (at, recognised) if recognised > most - ALIKE else (best, most)

    def _recognised(self, apart: NDArray[np.float32]) -> float:
        """Return the share of the reference's structure that a picture shows, whatever the rest of it shows."""
        return float((np.abs(apart) < self._tolerance).mean())

    def _apart(self, fine: MatLike, at: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return how a picture moved back by ``at`` differs from the reference, where that has structure."""
        moved = unshift(fine, Shift(float(at[0]), float(at[1])))
        return np.asarray(moved.reshape(-1)[self._strong] - self._known, np.float32)


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

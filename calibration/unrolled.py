"""A picture unrolled round a point: one row a direction, one column a radius, so that a circle becomes a column."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from calibration.calibration import Bgr, Floats


@dataclass(frozen=True, slots=True)
class Ring:
    """One circle to look for. Radii are in units of the reference ring's.

    ``painted`` lines are thin and differ from both their sides; others are steps between two looks, such as the edge
    of the surface. ``least`` and ``most`` bound the radius, ``usual`` with ``spread`` is what boards mostly have;
    where both bounds are equal the ring is the reference.
    """

    name: str
    painted: bool
    usual: float
    spread: float
    least: float
    most: float

    @property
    def is_reference(self) -> bool:
        """Whether this ring sets the unit."""
        return self.least == self.most


@dataclass(frozen=True, slots=True)
class Unrolled:
    """How line-like and how step-like each spot is, and what is in view."""

    radii: Floats
    angles: Floats
    dark_line: MatLike
    light_line: MatLike
    step: MatLike
    inside: NDArray[np.bool_]

    def ring_map(self, ring: Ring, dark: bool) -> MatLike:
        """Return the map in which ``ring`` shows, on a board whose lines are ``dark`` or light."""
        if not ring.painted:
            return self.step
        return self.dark_line if dark else self.light_line


def unroll(
    bgr: Bgr, homography: Floats, radii: Floats, directions: int, line_columns: tuple[int, ...], along: int = 1
) -> Unrolled:
    """Unroll ``bgr`` at the given radii (unit plane) and measure lines up to ``line_columns`` columns wide.

    ``along`` directions are averaged: a ring goes on where wood grain does not.
    """
    angles = _angles(directions)
    xy = picture_points(homography, radii, directions).astype(np.float32)
    inside = (xy > 1).all(-1) & (xy[..., 0] < bgr.shape[1] - 2) & (xy[..., 1] < bgr.shape[0] - 2)
    rolled = cv2.remap(bgr, xy[..., 0], xy[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    channels = np.vstack(cv2.split(rolled))
    wide = 2 * (line_columns[0] // 2) + 1
    dark, light = (_shares(cv2.blur(ridge, (wide, along))) * inside for ridge in _ridges(channels, line_columns))
    steps = _strongest(cv2.absdiff(_shifted(channels, 1), _shifted(channels, -1)))
    return Unrolled(radii, angles, dark, light, _shares(cv2.blur(steps, (1, along))) * inside, inside)


def _angles(directions: int) -> Floats:
    angles: Floats = np.arange(directions) * 2 * np.pi / directions
    return angles


def picture_points(homography: Floats, radii: Floats, directions: int) -> Floats:
    """Return where points at these radii (unit plane) lie in the picture: directions × radii × 2."""
    along, across = np.cos(_angles(directions)), np.sin(_angles(directions))
    plane = np.stack([np.outer(along, radii), np.outer(across, radii), np.ones((directions, len(radii)))], -1)
    at = plane @ homography.T
    points: Floats = at[..., :2] / at[..., 2:]
    return points


def _shifted(channels: Bgr, columns: int) -> Bgr:
    wide = cv2.copyMakeBorder(channels, 0, 0, abs(columns), abs(columns), cv2.BORDER_REPLICATE)
    return wide[:, abs(columns) + columns : abs(columns) + columns + channels.shape[1]]


def _strongest(channels: Bgr) -> MatLike:
    rows = channels.shape[0] // 3
    return cv2.max(cv2.max(channels[:rows], channels[rows : 2 * rows]), channels[2 * rows :]).astype(np.float32)


def _ridges(channels: Bgr, columns: tuple[int, ...]) -> tuple[MatLike, MatLike]:
    dark = np.zeros_like(channels)
    light = np.zeros_like(channels)
    for k in columns:
        left, right = _shifted(channels, -k), _shifted(channels, k)
        dark = cv2.max(dark, cv2.min(cv2.subtract(left, channels), cv2.subtract(right, channels)))
        light = cv2.max(light, cv2.min(cv2.subtract(channels, left), cv2.subtract(channels, right)))
    return _strongest(dark), _strongest(light)


def _shares(response: MatLike) -> MatLike:
    """Scale a response against what is usual around it, so that faint lines count where all is calm; 1 is clear."""
    return cv2.divide(response, 3 * cv2.blur(response, (41, 9)) + 6)

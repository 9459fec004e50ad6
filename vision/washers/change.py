"""What differs from the picture as it was when all was still, whatever the light does meanwhile.

Clouds, lamps, flicker and automatic exposure change large areas by one factor; a washer changes a small one. So the
light is compared block by block, and each block is judged by the middle one of its neighbourhood: what is smaller
than a few blocks stands out from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.small import Yuv

BLOCK_PX = 16
NEIGHBOURHOOD = 5
# A change map counts this much where a px differs as much as noise would hardly make it.
NOTABLE = 12
# Differences (8 bit) that a still picture without noise may show, by compression alone: brightness, colour.
LEAST_NOISE = np.array([5.0, 3.5, 3.5], np.float32)
# Sharp edges differ when a picture is steadied to a fraction of a px only.
UNSTEADY_PX = 0.35
AROUND = cv2.getStructuringElement(cv2.MORPH_RECT, (3, 3))
# Noise reaches about this many times its mean size.
SPREAD = 3.5
# Brightness is compared with this much added, so that black does not divide; colour grows and fades with brightness.
LIFT = 2.0
GREY = 128.0
IDENTITY = np.eye(3, dtype=np.float32)
# Blocks that differ much more than this from what the light makes of the others are something else (8-bit steps).
CAST_SOFT = 6.0
CAST_ROUNDS = 3
RIDGE = 4.0
# Less of a cast is left to the blocks.
LEAST_CAST = 0.06


@dataclass(frozen=True, slots=True)
class Light:
    """How the light of one picture relates to another's: a ``cast`` over all of it, and what differs block by block.

    ``cast`` (3×3) maps Y, U−128, V−128: another lamp, another white balance. ``gain`` is a factor of brightness on top
    of it, ``tint`` a shift of colour.
    """

    cast: NDArray[np.float32]
    gain: MatLike
    tint: MatLike

    def even(self) -> Light:
        """Return the light of most of the picture, everywhere: for where something hides what it would be."""
        tint = np.median(self.tint.reshape(-1, 2), axis=0).astype(np.float32)
        gain = np.full_like(self.gain, np.median(self.gain))
        return Light(self.cast, gain, np.broadcast_to(tint, self.tint.shape).copy())


class Reference:
    """The picture when all was still, and how much each px of it flickers by itself."""

    def __init__(self, pictures: list[Yuv]) -> None:
        """Learn from ``pictures`` (alike in size) of an untouched scene; their median is the reference."""
        stack = np.asarray(np.stack(pictures), np.uint8)
        self._still = _still_noise(stack)
        self.set(np.median(stack, axis=0).astype(np.uint8))

    def set(self, picture: Yuv) -> None:
        """Take ``picture`` as what is there now; how much a still picture flickers stays as it was learned."""
        self.picture = picture
        self._noise = np.clip(self._still + UNSTEADY_PX * _steepness(picture), 1, 255).astype(np.uint8)
        self._blocks = _blocks(picture)
        self._planes = cv2.split(picture)

    def learn(self, picture: Yuv) -> None:
        """Learn from a ``picture`` of the untouched scene how much it flickers: compression and grain come and go."""
        away = cv2.absdiff(picture, self.expected(self.light(picture))).astype(np.float32)
        seen = LEAST_NOISE + SPREAD * cv2.blur(away, (9, 9))
        self._still += np.where(seen > self._still, np.float32(0.3), np.float32(0.02)) * (seen - self._still)
        self._noise = np.clip(self._still + UNSTEADY_PX * _steepness(self.picture), 1, 255).astype(np.uint8)

    def light(self, picture: Yuv) -> Light:
        """Return how the light of ``picture`` relates to the reference's."""
        now = _blocks(picture)
        cast = _cast(now, self._blocks)
        then = self._blocks @ cast.T
        gain = cv2.medianBlur((now[..., 0] + LIFT) / (np.maximum(then[..., 0], 0) + LIFT), NEIGHBOURHOOD)
        tint = now[..., 1:] - then[..., 1:] * gain[..., None]
        tints = [cv2.medianBlur(np.ascontiguousarray(tint[..., i]), NEIGHBOURHOOD) for i in (0, 1)]
        return Light(cast, gain, cv2.merge(tints))

    def change(self, picture: Yuv) -> MatLike:
        """Return how much each px differs (8 bit): ``NOTABLE`` where noise alone would hardly do it."""
        return change(picture, self.expected(self.light(picture)), self._noise)

    def expected(self, light: Light) -> Yuv:
        """Return the reference as it would look in another light."""
        height, width = self.picture.shape[:2]
        planes = self._planes
        if np.abs(light.cast - IDENTITY).max() > 0.01:
            grey = np.array([0, GREY, GREY], np.float32)
            whole = np.column_stack([light.cast, grey - light.cast @ grey])
            planes = cv2.split(cv2.transform(self.picture, whole))
        elif _is_even(light):
            return self.picture
        if _is_even(light):
            return cv2.merge(planes)
        gain = cv2.resize(light.gain, (width, height))
        luma = cv2.add(cv2.multiply(planes[0], gain, dtype=cv2.CV_32F), LIFT * (gain - 1), dtype=cv2.CV_8U)
        tint = cv2.resize(light.tint, (width, height))
        paler = GREY * (1 - gain)
        colours = [
            cv2.add(
                cv2.multiply(plane, gain, dtype=cv2.CV_32F),
                cv2.add(np.ascontiguousarray(tint[..., i]), paler),
                dtype=cv2.CV_8U,
            )
            for i, plane in enumerate(planes[1:])
        ]
        return cv2.merge((luma, *colours))

    @property
    def noise(self) -> MatLike:
        """How much a px may differ by chance (height×width×3, 8 bit)."""
        return self._noise


def change(picture: Yuv, expected: Yuv, noise: MatLike) -> MatLike:
    """Return how much ``picture`` differs from what was ``expected`` (8 bit), in units of the ``noise``."""
    apart = cv2.divide(cv2.absdiff(picture, expected), noise, scale=NOTABLE)
    y, u, v = cv2.split(apart)
    return cv2.add(cv2.add(y, u), v)


def _is_even(light: Light) -> bool:
    """Whether no block differs from what the cast alone makes of it."""
    return bool(
        np.ptp(light.gain) < 0.02 and abs(float(light.gain.mean()) - 1) < 0.01 and np.abs(light.tint).max() < 0.7
    )


def _cast(now: NDArray[np.float32], then: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the 3×3 map that turns most blocks of ``then`` into those of ``now``, whatever hides some.

    Least squares with Cauchy's weights; what the blocks do not tell stays as it is but for the brightness.
    """
    x, y = then.reshape(-1, 3).astype(np.float64), now.reshape(-1, 3).astype(np.float64)
    gain = float(np.median((y[:, 0] + LIFT) / (x[:, 0] + LIFT)))
    cast = np.eye(3) * gain
    ridge = np.eye(3) * RIDGE * len(x)
    for _ in range(CAST_ROUNDS):
        weight = 1 / (1 + (np.abs(y - x @ cast.T).sum(1) / CAST_SOFT) ** 2)
        xw = x * weight[:, None]
        cast = np.linalg.solve(xw.T @ x + ridge, xw.T @ y + ridge * gain).T
    usual = np.abs(cast - np.eye(3) * gain).max() < LEAST_CAST
    return (np.eye(3) if usual else cast).astype(np.float32)


def _blocks(picture: Yuv) -> NDArray[np.float32]:
    """Return the picture's blocks, colours counted from grey."""
    height, width = picture.shape[:2]
    size = (max(width // BLOCK_PX, 1), max(height // BLOCK_PX, 1))
    blocks: Any = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.asarray(blocks, np.float32) - np.array([0, GREY, GREY], np.float32)


def _still_noise(stack: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return what each px of a still scene differs by at most, smoothed, and never nothing."""
    away = np.abs(stack.astype(np.int16) - np.median(stack, axis=0).astype(np.int16))
    return np.asarray(LEAST_NOISE + SPREAD * cv2.blur(np.asarray(away.mean(0), np.float32), (9, 9)), np.float32)


def _steepness(picture: Yuv) -> NDArray[np.float32]:
    """Return how much each px differs from its neighbours, per px."""
    dx = cv2.Sobel(picture, cv2.CV_32F, 1, 0, scale=1 / 8)
    dy = cv2.Sobel(picture, cv2.CV_32F, 0, 1, scale=1 / 8)
    steepness = cv2.magnitude(dx.reshape(-1), dy.reshape(-1)).reshape(picture.shape)
    return np.asarray(cv2.dilate(steepness, AROUND), np.float32)

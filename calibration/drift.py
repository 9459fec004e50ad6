"""Has the view of a board moved since it was calibrated? Follow it, or say that it cannot be followed.

The board is looked at from straight above, before and now, each picture evened out so that light hardly matters. A
rough shift is taken from the whole of it, then marks of the board (grain, rims, corners, pegs) are followed one by one.
Most of them must agree on one movement of a plane: pieces that lie elsewhere by now do not, and are outvoted. What the
movement predicts is compared with what is seen, tile by tile, before anybody believes it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, Literal

import cv2
import numpy as np
from cv2.typing import MatLike

from calibration.calibration import Bgr, BoardT_co, Calibration, Floats, apply
from scoring.board import Board, RingBoard

Verdict = Literal["still", "followed", "lost", "gone"]
"""``still``: not moved. ``followed``: moved, and known where to. ``lost``: not to be trusted. ``gone``: no board."""

PX_PER_MM = 0.5
MARGIN_MM = 60.0
COARSE = 4
MARKS = 120
LEAST_MARKS = 10
WINDOW = (15, 15)
STILL_MM = 0.7
MOST_MM = 45.0
TILE_PX = 32
ALIKE = 0.55
HERE, GONE = 0.5, 0.15


@dataclass(frozen=True, slots=True)
class Drift(Generic[BoardT_co]):
    """How a board's view has changed: ``shift_mm`` is how far its farthest point moved, as seen on the board.

    ``calibration`` is the board where it is now; where the verdict is ``lost`` or ``gone`` it is the old one.
    ``confidence`` (0 to 1) is the share of the board that looks as the movement predicts.
    """

    verdict: Verdict
    shift_mm: float
    calibration: Calibration[BoardT_co]
    confidence: float


@dataclass(frozen=True, slots=True)
class Reference(Generic[BoardT_co]):
    """A board as it was calibrated, and how it looked then: what later pictures are compared with."""

    calibration: Calibration[BoardT_co]
    view: MatLike
    surface: MatLike
    marks: MatLike
    to_px: Floats

    @classmethod
    def of(cls, calibration: Calibration[Any], picture: Bgr | MatLike) -> Reference[Any]:
        """Keep ``picture`` (BGR or luma), the one the calibration was made from or a quiet one soon after."""
        half_mm = _half_mm(calibration.board) + MARGIN_MM
        width, height = (2 * int(side * PX_PER_MM) + 1 for side in half_mm)
        to_mm = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, PX_PER_MM]]) / PX_PER_MM
        to_px = calibration.homography @ to_mm
        view = _even(_from_above(picture, to_px, (width, height)))
        surface = _surface(calibration.board, to_mm, (width, height))
        marks = cv2.goodFeaturesToTrack(view, MARKS, 0.02, 7, mask=surface)
        return cls(calibration, view, surface, marks if len(marks) else np.zeros((0, 1, 2), np.float32), to_px)

    def drift(self, picture: Bgr | MatLike) -> Drift[BoardT_co]:
        """Say how far the board has moved in ``picture``, a quiet one of the same size, and where it is now."""
        size = self.view.shape[1], self.view.shape[0]
        now = _even(_from_above(picture, self.to_px, size))
        moved = _follow(self.view, now, self.marks, _rough_shift(self.view, now))
        if moved is None:
            share = _alike(self.view, now, self.surface)
            return Drift("gone" if share < GONE else "lost", 0.0, self.calibration, share)
        share = _alike(self.view, _undone(now, moved), self.surface)
        shift_mm = self._shift_mm(moved)
        if share < HERE or shift_mm > MOST_MM:
            return Drift("gone" if share < GONE else "lost", shift_mm, self.calibration, share)
        if shift_mm < STILL_MM:
            return Drift("still", shift_mm, self.calibration, share)
        homography = self.to_px @ moved @ np.linalg.inv(self.to_px) @ self.calibration.homography
        followed = replace(self.calibration, homography=homography / homography[2, 2], found_by="drift")
        return Drift("followed", shift_mm, followed, share)

    def _shift_mm(self, moved: Floats) -> float:
        half = _half_mm(self.calibration.board) * PX_PER_MM
        middle: Floats = (np.array(self.view.shape[::-1], dtype=np.float64) - 1) / 2
        outline = middle + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0)])
        return float(np.linalg.norm(apply(moved, outline) - outline, axis=1).max() / PX_PER_MM)


def _half_mm(board: Board) -> Floats:
    if isinstance(board, RingBoard):
        return np.array([board.edge_mm, board.edge_mm])
    return np.array([board.width_mm / 2, board.length_mm / 2])


def _surface(board: Board, to_mm: Floats, size: tuple[int, int]) -> MatLike:
    """Return where the board's own marks are: its surface with its edge, without what is seen through its holes."""
    mask = np.zeros(size[::-1], np.uint8)
    to_view = np.linalg.inv(to_mm).astype(np.float64)
    middle = (round(to_view[0, 2]), round(to_view[1, 2]))
    if isinstance(board, RingBoard):
        return cv2.circle(mask, middle, round((board.edge_mm + 5) * PX_PER_MM), 255, -1)
    left, top = (int(side) for side in np.array(middle) - (_half_mm(board) + 5) * PX_PER_MM)
    mask[top : 2 * middle[1] - top + 1, left : 2 * middle[0] - left + 1] = 255
    for hole in board.holes:
        x, y = apply(to_view, np.array([hole.centre_mm]))[0]
        cv2.circle(mask, (round(x), round(y)), round((hole.radius_mm - 6) * PX_PER_MM), 0, -1)
    return mask


def _from_above(picture: Bgr | MatLike, to_px: Floats, size: tuple[int, int]) -> MatLike:
    luma = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpPerspective(luma, to_px, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)


def _even(luma: MatLike) -> MatLike:
    """Return the picture with its light evened out: every neighbourhood as bright and as lively as any other."""
    exact = luma.astype(np.float32)
    off = exact - cv2.blur(exact, (31, 31))
    lively = cv2.sqrt(cv2.blur(off * off, (31, 31)))
    even = cv2.GaussianBlur(off / (lively + 4), (0, 0), 0.8)
    return cv2.convertScaleAbs(even * 45 + 128)


def _rough_shift(view: MatLike, now: MatLike) -> Floats:
    """Return by how many px most of the board seems to have moved."""
    small = [
        cv2.resize(picture, None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_AREA) for picture in (view, now)
    ]
    margin = int(MARGIN_MM * PX_PER_MM / COARSE)
    match = cv2.matchTemplate(small[1], small[0][margin:-margin, margin:-margin], cv2.TM_CCOEFF_NORMED)
    y, x = np.unravel_index(int(match.argmax()), match.shape)
    return COARSE * np.array([x - margin, y - margin], dtype=np.float64)


def _follow(view: MatLike, now: MatLike, marks: MatLike, shift: Floats) -> Floats | None:
    """Return the movement of the plane (3×3, in px of the views) that most marks agree on, or None."""
    if len(marks) < LEAST_MARKS:
        return None
    guess = (marks + shift).astype(np.float32)
    flags = cv2.OPTFLOW_USE_INITIAL_FLOW
    found, seen, _ = cv2.calcOpticalFlowPyrLK(view, now, marks, guess, winSize=WINDOW, maxLevel=1, flags=flags)
    back, seen_back, _ = cv2.calcOpticalFlowPyrLK(
        now, view, found, marks.copy(), winSize=WINDOW, maxLevel=1, flags=flags
    )
    good = (seen.ravel() == 1) & (seen_back.ravel() == 1) & (np.linalg.norm(back - marks, axis=2).ravel() < 0.5)
    if good.sum() < LEAST_MARKS:
        return None
    before, after = marks[good].reshape(-1, 2).astype(np.float64), found[good].reshape(-1, 2).astype(np.float64)
    rough, agreed = cv2.estimateAffinePartial2D(before, after, method=cv2.RANSAC, ransacReprojThreshold=2.0)
    if rough is None or agreed.sum() < max(LEAST_MARKS, 0.3 * len(before)):
        return None
    return _plane(before, after, np.vstack([rough, (0, 0, 1)]))


def _plane(before: Floats, after: Floats, moved: Floats) -> Floats:
    """Refine a movement to a plane's, weighing down marks that disagree; little bent where few marks ask for it."""
    middle, size = before.mean(0), float(before.std())
    norm: Floats = np.array([[1 / size, 0, -middle[0] / size], [0, 1 / size, -middle[1] / size], [0, 0, 1]])
    one, other = apply(norm, before), apply(norm, after)
    step = norm @ moved @ np.linalg.inv(norm)
    stiff = np.diag([0, 0, 30, 30, 30, 30, 200, 200.0]) * size / 100
    for _ in range(6):
        gap = (apply(np.linalg.inv(step), other) - one) * size
        far = np.linalg.norm(gap, axis=1)
        weight = np.exp(-0.5 * (far / max(1.5 * float(np.median(far)), 0.25)) ** 2)
        (x, y), none, ones = one.T, np.zeros(len(one)), np.ones(len(one))
        rows = size * np.concatenate(
            [
                np.stack([ones, none, x, y, none, none, -x * x, -x * y], 1),
                np.stack([none, ones, none, none, x, y, -x * y, -y * y], 1),
            ]
        )
        twice = np.r_[weight, weight]
        left = np.concatenate([rows * twice[:, None], stiff])
        tx, ty, a, b, c, d, kx, ky = np.linalg.lstsq(left, np.r_[gap.T.ravel() * twice, np.zeros(8)], rcond=None)[0]
        step = step @ np.array([[1 + a, b, tx], [c, 1 + d, ty], [kx, ky, 1.0]])
    plane = np.linalg.inv(norm) @ step @ norm
    scaled: Floats = plane / plane[2, 2]
    return scaled


def _undone(now: MatLike, moved: Floats) -> MatLike:
    size = now.shape[1], now.shape[0]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpPerspective(now, moved, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)


def _alike(view: MatLike, now: MatLike, surface: MatLike) -> float:
    """Return the share of the board's tiles that look alike in both views; tiles with nothing to see do not count."""
    weight = (surface > 0).astype(np.float32)
    one, other = view.astype(np.float32), now.astype(np.float32)

    def tiles(values: MatLike) -> MatLike:
        return cv2.resize(values * weight, None, fx=1 / TILE_PX, fy=1 / TILE_PX, interpolation=cv2.INTER_AREA)

    share = tiles(np.ones_like(one))
    covered = share > 0.3
    safe = np.maximum(share, 1e-3)
    mean_one, mean_other = tiles(one) / safe, tiles(other) / safe
    both = tiles(one * other) / safe - mean_one * mean_other
    spread_one = tiles(one * one) / safe - mean_one**2
    spread_other = tiles(other * other) / safe - mean_other**2
    telling = covered & (spread_one > 100)
    if not telling.any():
        return 0.0
    alike = both / np.sqrt(np.maximum(spread_one * spread_other, 1.0)) > ALIKE
    return float((alike & telling).sum() / telling.sum())

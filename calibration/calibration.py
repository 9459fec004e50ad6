"""Where the board is in the picture: the link between pixels and millimetres."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from calibration.errors import BadBoardFile
from scoring.board import Board, HoleBoard, PointMm

# A picture as OpenCV has it: height × width × 3, 8 bit, blue first.
Bgr = MatLike
Floats = NDArray[np.float64]
PointPx = tuple[float, float]
BoardT_co = TypeVar("BoardT_co", bound=Board, covariant=True)


@dataclass(frozen=True, slots=True)
class Calibration(Generic[BoardT_co]):
    """One board as one picture shows it.

    ``board`` carries the dimensions measured in this picture. A picture has no scale, so one length is taken as known:
    the radius of the start line of a ring board, the distance between the outermost holes of a plank.
    ``homography`` maps board mm to px (3×3). ``camera_mm`` is the camera's place over the board (x, y to the board's
    middle, z the height above its surface), or None where the picture does not tell; with it a piece's top face is
    corrected for its height. ``rms_px`` is how far the lines, rims and edges that were seen lie from where
    they were fitted, and ``rms_mm`` the same on the board; ``found_by`` names the way: ``lines``, ``holes``, ``taps``,
    ``drift`` or ``file``.
    """

    board: BoardT_co
    width_px: int
    height_px: int
    homography: Floats
    camera_mm: tuple[float, float, float] | None
    rms_px: float
    rms_mm: float
    found_by: str

    def to_px(self, points_mm: Floats) -> Floats:
        """Map board points (N×2, mm) to picture points (N×2, px)."""
        return apply(self.homography, points_mm)

    def to_mm(self, points_px: Floats) -> Floats:
        """Map picture points (N×2, px) to board points (N×2, mm), as seen on the surface of the board."""
        return unapply(self.homography, points_px)

    @property
    def centre_px(self) -> PointPx:
        """The middle of the board in the picture."""
        x, y = self.to_px(np.zeros((1, 2)))[0]
        return float(x), float(y)

    def on_board(self, seen_mm: Floats, height_mm: float) -> Floats:
        """Return where points ``height_mm`` above the board really are, that are seen over ``seen_mm`` (N×2)."""
        if self.camera_mm is None:
            return seen_mm
        x, y, z = self.camera_mm
        lean = height_mm / (z - height_mm)
        corrected: Floats = (seen_mm + lean * np.array([x, y])) / (1 + lean)
        return corrected

    def at_size(self, width_px: int, height_px: int) -> Calibration[BoardT_co]:
        """Return the same view in a picture of another size, as when a photo was shrunk while it was read.

        Raises ``BadBoardFile`` where that picture has another shape: it cannot be of the same view.
        """
        if (width_px, height_px) == (self.width_px, self.height_px):
            return self
        fx, fy = width_px / self.width_px, height_px / self.height_px
        if abs(fx / fy - 1) > 0.02:
            raise BadBoardFile(
                f"The board file is for pictures of {self.width_px} × {self.height_px}, another shape than this one."
            )
        resize = np.array([[fx, 0, (fx - 1) / 2], [0, fy, (fy - 1) / 2], [0, 0, 1.0]])
        return replace(
            self, width_px=width_px, height_px=height_px, homography=resize @ self.homography, rms_px=self.rms_px * fx
        )

    def px_per_mm(self, point_mm: PointMm = (0.0, 0.0)) -> float:
        """How many pixels one millimetre of board spans near ``point_mm``, the mean over directions."""
        x, y = point_mm
        here, right, down = self.to_px(np.array([(x, y), (x + 1, y), (x, y + 1)]))
        (a, b), (c, d) = right - here, down - here
        return float(np.sqrt(abs(a * d - b * c)))


def corners_px(calibration: Calibration[HoleBoard]) -> tuple[PointPx, PointPx, PointPx, PointPx]:
    """Return a plank's corners in the picture: near-left, near-right, far-right, far-left, as the thrower sees them."""
    near_left, near_right, far_right, far_left = (
        (float(x), float(y)) for x, y in calibration.to_px(np.array(calibration.board.corners_mm))
    )
    return near_left, near_right, far_right, far_left


def turned(calibration: Calibration[HoleBoard]) -> Calibration[HoleBoard]:
    """Return the same plank in the same picture, thrown at from its other end: near and far, left and right swap.

    One picture does not tell which end the thrower stands at.
    """
    holes = calibration.board.holes
    across = [min(holes, key=lambda other: math.dist(other.centre_mm, _opposite(hole.centre_mm))) for hole in holes]
    board = replace(
        calibration.board,
        holes=tuple(
            replace(other, place=hole.place, centre_mm=_opposite(other.centre_mm))
            for hole, other in zip(holes, across, strict=True)
        ),
    )
    homography = calibration.homography @ np.diag([-1.0, -1.0, 1.0])
    camera_mm = calibration.camera_mm
    if camera_mm is not None:
        camera_mm = (-camera_mm[0], -camera_mm[1], camera_mm[2])
    return replace(calibration, board=board, homography=homography, camera_mm=camera_mm)


def _opposite(point_mm: PointMm) -> PointMm:
    return -point_mm[0], -point_mm[1]


def box_px(homography: Floats, reach: float, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Return the part of a picture (left, top, right, bottom) in which a square of half-side ``reach`` shows."""
    corners = apply(homography, reach * np.array([(-1.0, -1), (1, -1), (1, 1), (-1, 1)]))
    size = shape[1], shape[0]
    left, top = np.clip(np.floor(corners.min(0)), 0, size)
    right, bottom = np.clip(np.floor(corners.max(0)) + 1, 0, size)
    return int(left), int(top), int(right), int(bottom)


def apply(homography: Floats, points: Floats) -> Floats:
    """Map N×2 points through a 3×3 homography."""
    points = np.asarray(points, dtype=np.float64)
    w = points @ homography[2, :2] + homography[2, 2]
    mapped: Floats = (points @ homography[:2, :2].T + homography[:2, 2]) / w[:, None]
    return mapped


def unapply(homography: Floats, points: Floats) -> Floats:
    """Map N×2 points back through a 3×3 homography."""
    return apply(np.linalg.inv(homography).astype(np.float64), points)

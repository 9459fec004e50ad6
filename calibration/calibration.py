"""Where the board is in the picture: the link between pixels and millimetres."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from calibration.errors import BadBoardFile
from scoring.board import PointMm, RingBoard

# A picture as OpenCV has it: height × width × 3, 8 bit, blue first.
Bgr = MatLike
Floats = NDArray[np.float64]
PointPx = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Calibration:
    """One board as one picture shows it.

    ``board`` carries the dimensions measured in this picture, in mm on the scale of the start line.
    ``homography`` maps board mm to px (3×3). ``camera_mm`` is the camera's place over the board (x, y to the board's
    middle, z the height above its surface), or None where the picture does not tell; with it a piece's top face is
    corrected for its height. ``rms_px`` is how far the lines that were seen lie from the lines as fitted, and
    ``rms_mm`` the same on the board; ``found_by`` names the way: ``lines``, ``taps`` or ``file``.
    """

    board: RingBoard
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
        return apply(np.linalg.inv(self.homography).astype(np.float64), points_px)

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

    def at_size(self, width_px: int, height_px: int) -> Calibration:
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

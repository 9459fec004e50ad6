"""Where the camera stands over the board, from how the board's plane is foreshortened.

With square pixels and the optical axis through the middle of the picture, two conditions on a plane's homography give
the focal length (Zhang, "A flexible new technique for camera calibration", 2000, section 3.1). Seen from straight
above they say nothing, and a cropped picture moves the middle; so what cameras usually have is weighed in.
"""

from __future__ import annotations

import numpy as np

from calibration.calibration import Floats

# Long side of a picture over its focal length: phones' main cameras 1.3, webcams and broadcast zooms 0.8, crops less.
USUAL_FOCAL = 1.0
FOCAL_SPREAD = 0.3


def camera_place(homography: Floats, width_px: int, height_px: int) -> tuple[float, float, float]:
    """Return the camera's place over the board, in board mm: x and y to its middle, z the height above it."""
    focal_px = _focal_px(homography, width_px, height_px)
    centred = _centred(homography, width_px, height_px)
    centred[:2] /= focal_px
    scale = 2 / (np.linalg.norm(centred[:, 0]) + np.linalg.norm(centred[:, 1]))
    if centred[2, 2] < 0:
        scale = -scale
    right, down = _unit(centred[:, 0] * scale), _unit(centred[:, 1] * scale)
    inward = _unit(np.cross(right, down))
    down = np.cross(inward, right)
    x, y, z = -np.stack([right, down, inward]) @ (centred[:, 2] * scale)
    return float(x), float(y), float(abs(z))


def _unit(vector: Floats) -> Floats:
    unit: Floats = vector / np.linalg.norm(vector)
    return unit


def _centred(homography: Floats, width_px: int, height_px: int) -> Floats:
    to_middle = np.array([[1, 0, -(width_px - 1) / 2], [0, 1, -(height_px - 1) / 2], [0, 0, 1.0]])
    return to_middle @ homography


def _focal_px(homography: Floats, width_px: int, height_px: int) -> float:
    """Weigh the two plane conditions against what cameras usually have, and return the focal length."""
    long_side = max(width_px, height_px)
    h = _centred(homography, width_px, height_px)
    h[:2] /= long_side
    h /= (np.linalg.norm(h[:2, 0]) + np.linalg.norm(h[:2, 1])) / 2
    tried = USUAL_FOCAL * np.exp(np.linspace(-1, 1, 81))
    first, second = h[:, 0], h[:, 1]
    skew = (first[0] * second[0] + first[1] * second[1]) / tried**2 + first[2] * second[2]
    length = (first[:2] @ first[:2] - second[:2] @ second[:2]) / tried**2 + first[2] ** 2 - second[2] ** 2
    # Lenses that bend straight lines put the axes of a well fitted homography out of square by a per cent or two.
    misfit = (skew * tried**2 / 0.01) ** 2 + (length * tried**2 / 0.02) ** 2
    unusual = (np.log(tried / USUAL_FOCAL) / FOCAL_SPREAD) ** 2
    return float(tried[np.argmin(misfit + unusual)] * long_side)

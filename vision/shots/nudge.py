"""Has a disc moved by less than a millimetre? Compare its picture before and after."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.calibration import Bgr, Floats
from vision.rectify import PX_PER_MM

WITHIN = 1.3
BESIDE = 1.5
STEPS = 3


def nudge_mm(
    before: Bgr, after: Bgr, at_px: Floats, radius_px: float, changed_px: Sequence[Floats]
) -> tuple[Floats, float]:
    """Return by how much (mm) the disc at ``at_px`` has moved, and how uncertain that is.

    By its picture's gradient (Lucas and Kanade 1981); what is near ``changed_px`` is not compared, since something
    else came or went there.
    """
    reach = int(np.ceil(WITHIN * radius_px)) + 2
    x0, y0 = (round(float(c)) - reach for c in at_px)
    size = 2 * reach + 1
    if x0 < 0 or y0 < 0 or x0 + size > before.shape[1] or y0 + size > before.shape[0]:
        return np.zeros(2), np.inf
    window = np.s_[y0 : y0 + size, x0 : x0 + size]
    then, now = before[window].astype(np.float32), after[window].astype(np.float32)
    y, x = np.mgrid[y0 : y0 + size, x0 : x0 + size].astype(np.float32)
    weight = (np.hypot(x - at_px[0], y - at_px[1]) < WITHIN * radius_px).astype(np.float32)
    for other in changed_px:
        weight *= np.hypot(x - other[0], y - other[1]) > BESIDE * radius_px
    if weight.sum() < 0.3 * np.pi * radius_px**2:
        return np.zeros(2), np.inf
    level = [(now[..., i][weight > 0].mean() + 4) / (then[..., i][weight > 0].mean() + 4) for i in range(3)]
    then = then * np.array(level, np.float32)
    shift = np.zeros(2)
    dx = cv2.Sobel(then, cv2.CV_32F, 1, 0, scale=1 / 8)
    dy = cv2.Sobel(then, cv2.CV_32F, 0, 1, scale=1 / 8)
    xx, xy, yy = (float((a * b * weight[..., None]).sum()) for a, b in ((dx, dx), (dx, dy), (dy, dy)))
    normal = np.array([[xx, xy], [xy, yy]]) + 1e-3 * (xx + yy + 1) * np.eye(2)
    off = now - then
    for _ in range(STEPS):
        back = cv2.warpAffine(
            now,
            np.array([[1, 0, shift[0]], [0, 1, shift[1]]]),
            (size, size),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        off = back - then
        pull = np.array([float((dx * off * weight[..., None]).sum()), float((dy * off * weight[..., None]).sum())])
        shift -= np.clip(np.linalg.solve(normal, pull), -1.5, 1.5)
    left = float((off * off * weight[..., None]).sum() / max(float(weight.sum()) * 3, 1))
    sigma = float(np.sqrt(left * np.trace(np.linalg.inv(normal))))
    return shift / PX_PER_MM, sigma / PX_PER_MM

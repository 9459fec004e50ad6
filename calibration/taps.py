"""Place a board by four taps, where the finder cannot or must not: a person knows best.

The four spots are where the quadrant lines meet the start line, a quarter turn apart; they fix the board's plane. The
lines themselves then correct the finger: a tap fifteen pixels off is as good as an exact one where lines show.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from calibration import rings
from calibration.calibration import Bgr, Calibration, Floats
from calibration.errors import BadBoardFile
from calibration.exposure import exposed
from calibration.ring_board import RINGS, calibrated, shrink
from calibration.rings import RingFit
from scoring.board import RingBoard

# Evidence (rings seen, of five) from which the lines are believed over the finger.
BELIEVED = 2.0
QUARTERS = np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])


def from_taps(points_px: Floats, bgr: Bgr, board: RingBoard) -> Calibration[RingBoard]:
    """Return where ``board`` lies, given the four ends of its quadrant lines on the start line, in order round it.

    ``points_px`` is 4×2. Raises ``BadBoardFile`` where the points are no four corners of a board seen from above.
    """
    points = np.asarray(points_px, dtype=np.float64)
    corners = points.astype(np.float32).reshape(-1, 1, 2)
    if not cv2.isContourConvex(corners) or cv2.contourArea(corners) < 400:
        raise BadBoardFile("The four taps do not go round a board. Tap each end of a quadrant line, in order.")
    if (points < 0).any() or (points > (bgr.shape[1], bgr.shape[0])).any():
        raise BadBoardFile("A tap lies outside the picture. Taps are in the picture's own pixels.")
    if cv2.contourArea(corners, oriented=True) < 0:
        points = points[::-1]
    plane, picture = QUARTERS.astype(np.float32), points.astype(np.float32)
    homography = cv2.getPerspectiveTransform(plane, picture).astype(np.float64)
    radii = {ring.name: ring.usual for ring in RINGS}
    tapped = RingFit(homography, True, radii, dict.fromkeys(radii, 0.0), 0.0)
    return calibrated(bgr, _by_the_lines(tapped, bgr) or tapped, board, "taps")


def _by_the_lines(tapped: RingFit, bgr: Bgr) -> RingFit | None:
    bgr = exposed(bgr)
    small, to_full = shrink(bgr)
    to_small = np.linalg.inv(to_full)
    fits = [rings.fit(small, to_small @ tapped.homography, dark, RINGS) for dark in (True, False)]
    best = max(fits, key=lambda found: found.evidence)
    if best.evidence < BELIEVED:
        return None
    return rings.sharpen(bgr, replace(best, homography=to_full @ best.homography), RINGS)

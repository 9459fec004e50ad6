"""Place a plank by taps on its four corners or on its holes, where the finder cannot or must not.

The plank's own rims and edges then correct the finger: a tap fifteen pixels off is as good as an exact one where they
show. Where nothing shows, the taps alone hold.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from calibration import plank
from calibration.calibration import Bgr, Calibration, Floats, apply, unapply
from calibration.errors import BadBoardFile
from calibration.exposure import exposed
from calibration.holes import through
from calibration.plank_fit import Fit, Shape
from scoring.board import HoleBoard

# How far a finger may be off, over half the way from the nearest to the farthest holes.
FINGER = 0.25


def from_taps(points_px: Floats, bgr: Bgr, board: HoleBoard) -> Calibration[HoleBoard]:
    """Return where ``board`` lies, given its four corners in order round it, or its holes, the nearest first.

    ``points_px`` is N×2. Raises ``BadBoardFile`` where the points are neither.
    """
    points = np.asarray(points_px, dtype=np.float64)
    if (points < 0).any() or (points > (bgr.shape[1], bgr.shape[0])).any():
        raise BadBoardFile("A tap lies outside the picture. Taps are in the picture's own pixels.")
    usual = plank.usual_shape(board)
    homography = _by_corners(points, usual) if len(points) == 4 else _by_holes(points, usual, board)
    bgr = exposed(bgr)
    found = plank.anywhere(bgr, board)
    if found is None or not _is_there(found, homography, usual):
        found = plank.near(bgr, homography, board)
    tapped = Fit(homography, usual, np.zeros(len(usual.middles) + 4), 0.0)
    return plank.calibrated(bgr, _tapped_end(found, homography) if found else tapped, board, "taps")


def _is_there(found: Fit, tapped: Floats, usual: Shape) -> bool:
    """Whether what was found is where the taps are, whichever end is the near one."""
    holes = unapply(tapped, apply(found.homography, found.shape.holes()))
    apart = np.linalg.norm(holes[:, None] - usual.middles[None], axis=2)
    return bool(apart.min(axis=1).max() < FINGER)


def _tapped_end(found: Fit, tapped: Floats) -> Fit:
    """Turn what was found so that its near end is the one that was tapped as such."""
    ahead = unapply(tapped, apply(found.homography, np.array([(0.0, 1.0), (0.0, -1.0)])))
    if ahead[0, 1] > ahead[1, 1]:
        return found
    shape = replace(found.shape, aside=-found.shape.aside)
    return replace(found, homography=found.homography @ np.diag([-1.0, -1.0, 1.0]), shape=shape)


def _by_corners(corners: Floats, usual: Shape) -> Floats:
    hull = corners.astype(np.float32).reshape(-1, 1, 2)
    if not cv2.isContourConvex(hull) or cv2.contourArea(hull) < 400:
        raise BadBoardFile("The four taps do not go round a board. Tap its corners, in order.")
    if cv2.contourArea(hull, oriented=True) < 0:
        corners = corners[::-1]
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        corners = np.roll(corners, -1, axis=0)
    x, y = usual.half
    plane = usual.aside + np.array([(-x, -y), (x, -y), (x, y), (-x, y)])
    return cv2.getPerspectiveTransform(plane.astype(np.float32), corners.astype(np.float32)).astype(np.float64)


def _by_holes(holes: Floats, usual: Shape, board: HoleBoard) -> Floats:
    count = len(usual.middles)
    if len(holes) != count:
        raise BadBoardFile(f"Tap the four corners of the board, or the middles of its {count} holes, nearest first.")
    middles, spots = ((xy - xy.mean(0)) @ np.array([1, 1j]) for xy in (usual.middles, holes))
    turn = complex(np.vdot(middles, spots) / np.vdot(middles, middles))
    if abs(turn) < 10 or np.abs(spots / turn - middles).max() > FINGER:
        raise BadBoardFile(f"The taps do not lie as the holes of a {board.name} board. Tap them again, nearest first.")
    return through(usual.middles, holes, turn)

"""Is that a 20, or only the floor of the hole?

The floor is often painted like the ditch, sometimes in a player's colour, and a deep hole is as black as a black disc:
one picture cannot prove a 20. The drop can.
"""

from __future__ import annotations

from enum import Enum, auto

import numpy as np

from calibration.calibration import Calibration
from scoring.board import RingBoard
from vision.discs import Blob, to_lab
from vision.rectify import Rectified
from vision.sides import Looks

ALIKE = 12.0
# Half of L*, and distance from grey: a deep hole in any light.
DARK_L = 62.0
COLOURLESS = 14.0
FLOOR_SHARE = 0.15
# The hole is about 6 mm deep, so a disc in it stands out; below this slant (17°) the shift is too small to tell.
HOLE_DEPTH_MM = 6.0
LEAST_SLANT = 0.3


class Holds(Enum):
    """What the hole seems to hold, by one picture."""

    FLOOR = auto()
    DISC = auto()
    UNCLEAR = auto()


def read(blob: Blob, looks: Looks, view: Rectified, calibration: Calibration[RingBoard]) -> Holds:
    """Say what ``blob``, seen in the hole, is likeliest to be: a disc of a side's look, the floor, or either."""
    board = calibration.board
    if _leans_like_the_floor(blob, view, calibration):
        return Holds.FLOOR
    if _ditch_share(blob, view, board) > FLOOR_SHARE:
        return Holds.UNCLEAR if _like_a_side(blob, looks) else Holds.FLOOR
    if blob.lab[0] < DARK_L and np.hypot(*(blob.lab[1:] - 128)) < COLOURLESS:
        return Holds.UNCLEAR if len(looks.lab) < 2 or _like_a_side(blob, looks) else Holds.FLOOR
    if _like_a_side(blob, looks):
        return Holds.DISC
    return Holds.UNCLEAR if len(looks.lab) < 2 else Holds.FLOOR


def _leans_like_the_floor(blob: Blob, view: Rectified, calibration: Calibration[RingBoard]) -> bool:
    """Whether a camera that looks aslant sees the floor: it shifts towards the camera, the top of a disc away."""
    if calibration.camera_mm is None:
        return False
    x_mm, y_mm, height_mm = calibration.camera_mm
    aside_mm = float(np.hypot(x_mm, y_mm))
    slant = aside_mm / height_mm
    if slant < LEAST_SLANT:
        return False
    top_mm = calibration.board.piece_height_mm - HOLE_DEPTH_MM
    towards_mm = float(view.to_mm(blob.centre_px[None])[0] @ (x_mm, y_mm)) / aside_mm
    return towards_mm > -0.5 * top_mm * slant


def _like_a_side(blob: Blob, looks: Looks) -> bool:
    return bool(looks.lab) and looks.nearest(blob.lab)[1] < ALIKE


def _ditch_share(blob: Blob, view: Rectified, board: RingBoard) -> float:
    """Return how much of the ditch is painted in the colour seen in the hole."""
    turns = np.arange(180) * np.pi / 90
    reach_mm = board.edge_mm + np.arange(10, 40, 6)
    spots = np.stack([np.outer(reach_mm, np.cos(turns)), np.outer(reach_mm, np.sin(turns))], -1).reshape(-1, 2)
    x, y = np.rint(view.from_mm(spots)).astype(np.int64).T
    ditch = to_lab(view.bgr[y, x][None])[0]
    return float(np.mean(np.linalg.norm(ditch - blob.lab, axis=1) < ALIKE))

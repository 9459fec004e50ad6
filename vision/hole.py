"""Is that a 20, or only the floor of the hole?

The floor is often painted like the ditch, sometimes in a player's colour, and a deep hole is as black as a black disc:
one picture cannot always prove a 20. The drop can.
"""

from __future__ import annotations

from enum import Enum, auto

import cv2
import numpy as np

from scoring.board import RingBoard
from vision.discs import Blob, to_lab
from vision.rectify import PX_PER_MM, Rectified
from vision.sides import Looks

ALIKE = 12.0
# Half of L*, and distance from grey: a deep hole in any light.
DARK_L = 62.0
COLOURLESS = 14.0
FLOOR_SHARE = 0.15


class Holds(Enum):
    """What the hole holds, by one picture."""

    NOTHING = auto()
    DISC = auto()
    UNCLEAR = auto()


def read(blob: Blob, looks: Looks, view: Rectified, board: RingBoard) -> Holds:
    """Say whether ``blob``, seen in the hole, is a disc of a side's look or the floor."""
    if looks.nearest(blob.lab)[1] > ALIKE:
        return Holds.NOTHING
    dark = blob.lab[0] < DARK_L and np.hypot(*(blob.lab[1:] - 128)) < COLOURLESS
    if dark or _ditch_share(blob, view, board) > FLOOR_SHARE:
        return Holds.UNCLEAR
    return Holds.DISC


def _ditch_share(blob: Blob, view: Rectified, board: RingBoard) -> float:
    """Return how much of the ditch is painted in the colour seen in the hole."""
    ring = np.zeros(view.bgr.shape[:2], np.uint8)
    middle = (round(view.middle_px), round(view.middle_px))
    cv2.circle(ring, middle, round((board.edge_mm + 40) * PX_PER_MM), 1, -1)
    cv2.circle(ring, middle, round((board.edge_mm + 10) * PX_PER_MM), 0, -1)
    ditch = to_lab(view.bgr[ring > 0][None])[0]
    return float(np.mean(np.linalg.norm(ditch - blob.lab, axis=1) < ALIKE))

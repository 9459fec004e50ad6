"""Find any board in pictures of it: each family of boards has its own finder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from calibration import plank, ring_board
from calibration.calibration import Bgr, Calibration
from scoring.board import Board, RingBoard


def find(pictures: Sequence[Bgr], board: Board) -> Calibration[Any]:
    """Find ``board`` in pictures of one still view: in their median, which has less noise. Raises ``BoardNotFound``."""
    bgr = pictures[0] if len(pictures) == 1 else np.asarray(np.median(np.stack(pictures), axis=0), dtype=np.uint8)
    return ring_board.find(bgr, board) if isinstance(board, RingBoard) else plank.find(bgr, board)

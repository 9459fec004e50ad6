"""What can go wrong while looking for the board.

CalibrationError
├── BoardNotFound     the picture shows no board of this game, or too little of it
└── BadBoardFile      a board file or tapped points that cannot be used
"""

from __future__ import annotations


class CalibrationError(Exception):
    """The board could not be placed in the picture; the message says what to do."""

    code = "calibration_failed"


class BoardNotFound(CalibrationError):
    """No board of this game is in the picture, or too little of it shows."""

    code = "board_not_found"


class BadBoardFile(CalibrationError):
    """A board file, or a set of tapped points, does not describe a board."""

    code = "bad_board_file"

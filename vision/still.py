"""Read one still: a picture of a board in, the pieces that lie on it and where they count out."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.calibration import Bgr, Calibration, PointPx
from scoring.board import Call, PointMm


@dataclass(frozen=True, slots=True)
class Piece:
    """One disc or washer that lies still.

    ``centre_px`` and ``radius_px`` are its top face in the picture; ``centre_mm`` is where it lies on the board,
    corrected for its height where the camera's place is known, good to ``sigma_mm``. ``visible`` is the share of its
    rim that shows. A ``doubtful`` piece is one whose call the measurement cannot settle, or that is half hidden.
    """

    side: int
    centre_px: PointPx
    radius_px: float
    centre_mm: PointMm
    call: Call
    sigma_mm: float
    visible: float
    doubtful: bool


@dataclass(frozen=True, slots=True)
class SideLook:
    """What one side's pieces look like in this picture: the word for their colour, and the colour itself."""

    side: int
    colour: str
    bgr: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Still:
    """All that was read from one picture. ``doubts`` are sentences for people."""

    calibration: Calibration
    pieces: tuple[Piece, ...]
    sides: tuple[SideLook, ...]
    doubts: tuple[str, ...]


def read_still(bgr: Bgr, calibration: Calibration | None = None) -> Still:
    """Find the board and the discs in one picture (height×width×3, BGR, 8 bit).

    Raises ``BoardNotFound`` where no board shows. A ``calibration`` given takes the finder's place.
    """
    raise NotImplementedError

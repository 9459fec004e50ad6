"""What leaves the program as JSON. The names are the contract's; points are in pixels of the photograph as taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from calibration.calibration import Calibration, Floats, PointPx
from scoring.board import Circle, Place, PointMm, RingBoard
from vision.sources.pictures import Picture
from vision.still import Still

_LINE_STEPS = 72


class Out(BaseModel):
    """Base of everything that is sent: fixed once made, and never with a field too many."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class BoardOut(Out):
    """Where the board is; ``lines_px`` are closed outlines named after the place inside them."""

    centre_px: PointPx
    rms_px: float
    rms_mm: float
    found_by: str
    lines_px: dict[str, list[PointPx]]


class PieceOut(Out):
    """One piece and where it counts. ``margin_mm`` is how far its rim is from the line that would change that."""

    side: int
    colour: str
    centre_px: PointPx
    radius_px: float
    centre_mm: PointMm
    place: str
    points: int
    margin_mm: float
    doubtful: bool


class SideOut(Out):
    """One side's colour and the sum of its pieces."""

    side: int
    colour: str
    points: int


class StillOut(Out):
    """One photograph as read."""

    game: str
    image: str
    width: int
    height: int
    board: BoardOut
    pieces: list[PieceOut]
    sides: list[SideOut]
    doubts: list[str]


class ErrorOut(Out):
    """Why a photograph could not be read: a word for programs, a sentence for people."""

    code: str
    message: str


class FailureOut(Out):
    """A photograph that could not be read."""

    image: str
    error: ErrorOut = Field(description="why")

    @classmethod
    def of(cls, image: str, error: Exception) -> Self:
        """Describe an error of ``vision`` or ``calibration``, which carry a ``code``."""
        return cls(image=image, error=ErrorOut(code=getattr(error, "code", "failed"), message=str(error)))


def still_out(still: Still, picture: Picture, game: str, image: str, points: Callable[[Place], int]) -> StillOut:
    """Describe a still in the photograph's own pixels."""
    colours = {look.side: look.colour for look in still.sides}
    pieces = [
        PieceOut(
            side=piece.side,
            colour=colours[piece.side],
            centre_px=_rounded(picture.to_original(np.array([piece.centre_px])))[0],
            radius_px=round(piece.radius_px / picture.scale, 2),
            centre_mm=(round(piece.centre_mm[0], 2), round(piece.centre_mm[1], 2)),
            place=str(piece.call.place),
            points=points(piece.call.place),
            margin_mm=round(piece.call.margin_mm, 2),
            doubtful=piece.doubtful,
        )
        for piece in still.pieces
    ]
    return StillOut(
        game=game,
        image=image,
        width=picture.width_px,
        height=picture.height_px,
        board=_board_out(still.calibration, picture),
        pieces=pieces,
        sides=[
            SideOut(side=side, colour=colour, points=sum(p.points for p in pieces if p.side == side))
            for side, colour in sorted(colours.items())
        ],
        doubts=list(still.doubts),
    )


def _board_out(calibration: Calibration, picture: Picture) -> BoardOut:
    board = calibration.board
    return BoardOut(
        centre_px=_rounded(picture.to_original(np.array([calibration.centre_px])))[0],
        rms_px=round(calibration.rms_px / picture.scale, 3),
        rms_mm=round(calibration.rms_mm, 3),
        found_by=calibration.found_by,
        lines_px={
            str(line.place): _rounded(picture.to_original(calibration.to_px(_outline_mm(line))))
            for line in _lines(board)
        },
    )


def _lines(board: RingBoard) -> Sequence[Circle]:
    return (board.hole, *board.zones)


def _outline_mm(circle: Circle) -> Floats:
    turn = np.linspace(0, 2 * np.pi, _LINE_STEPS + 1)
    return np.asarray(circle.centre_mm) + circle.radius_mm * np.column_stack((np.cos(turn), np.sin(turn)))


def _rounded(points_px: Floats) -> list[PointPx]:
    return [(round(float(x), 2), round(float(y), 2)) for x, y in points_px]

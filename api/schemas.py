"""What leaves the program as JSON. The names are the contract's; points are in pixels of the photograph as taken."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field

from calibration.calibration import PointPx
from scoring.board import PointMm

Side = Annotated[int, Field(ge=0, le=1)]
Name = Annotated[str, Field(min_length=1, max_length=24)]
RequestId = Annotated[str, Field(min_length=8, max_length=64, description="Made by the sender; twice is once.")]


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
    """One photograph as read: the object that ``tallycam score --json`` prints."""

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


class DiscOut(PieceOut):
    """One piece of a reading, with the number it is corrected by."""

    id: int
    otherwise: str = Field(description="the place that it would be in across the nearest line")
    by_hand: bool


class RoundOut(Out):
    """One round: what each side laid, what each takes, and the score then."""

    points: tuple[int, int]
    takes: tuple[int, int]
    score: tuple[int, int]


class ReadingOut(Out):
    """A photograph as read and corrected, and the round it would make; pictures are at the addresses given."""

    id: str
    version: int
    picture: str
    overlay: str
    width: int
    height: int
    board: BoardOut
    discs: list[DiscOut]
    set_aside: tuple[int, int]
    doubts: list[str]
    points: tuple[int, int]
    round: RoundOut | None = Field(description="the round this makes, or None where it cannot be counted")
    refused: str | None = Field(description="why it cannot be counted")
    wins: int | None = Field(description="the side that this round would make the winner")
    counted: bool


class MatchSideOut(Out):
    """One side of a match: its name, and its colour as last seen, in words and as ``#rrggbb``."""

    name: str | None
    colour: str | None
    rgb: str | None


class MatchOut(Out):
    """A match as it stands. It is over when it has a ``reason``; ``winner`` is then None for a draw."""

    game: str
    demo: bool
    sides: tuple[MatchSideOut, MatchSideOut]
    score: tuple[int, int]
    rounds: list[RoundOut]
    winner: int | None
    reason: str | None


class StateOut(Out):
    """All that a page shows."""

    match: MatchOut
    reading: ReadingOut | None
    being_read: int
    places: list[str]
    upload_limit_bytes: int


class In(BaseModel):
    """Base of everything that is taken in: a field too many is a mistake worth hearing of."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class DiscIn(In):
    """A disc that the camera missed."""

    side: Side
    centre_px: PointPx


class CorrectionIn(In):
    """What a person says of one disc; what is left out stays."""

    place: str | None = None
    side: Side | None = None


class SetAsideIn(In):
    """How many discs a side dropped in the hole during the round."""

    discs: Annotated[int, Field(ge=0, le=12)]


class MatchIn(In):
    """A new match; a side without a name goes by its colour."""

    names: tuple[Name | None, Name | None] = (None, None)
    options: dict[str, Any] = {}
    request: RequestId | None = None


class RoundIn(In):
    """Which reading is to be counted as the next round."""

    reading: str
    request: RequestId | None = None


class UndoIn(In):
    """Which round is to be taken back: the newest, and only if it is number ``round`` where that is given."""

    round: int | None = None
    request: RequestId | None = None

"""Puts what the program knows into the words and pixels that leave it (``api.schemas``)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from api.photo_games import PhotoGame
from api.readings import Reading
from api.schemas import (
    BoardOut,
    DiscOut,
    MatchOut,
    MatchSideOut,
    PieceOut,
    ReadingOut,
    RoundOut,
    SideOut,
    StateOut,
    StillOut,
)
from api.session import Session
from api.settings import Settings
from calibration.calibration import Calibration, Floats, PointPx
from scoring.board import Circle, RingBoard
from scoring.errors import IllegalEvent
from scoring.match import Match
from vision.sources.pictures import Picture
from vision.still import Piece, SideLook, Still

_LINE_STEPS = 72


def still_out(still: Still, picture: Picture, game: PhotoGame, image: str) -> StillOut:
    """Describe what was read from one photograph, in the photograph's own pixels."""
    colours = {look.side: look.colour for look in still.sides}
    pieces = [_piece_out(piece, picture, game, colours[piece.side]) for piece in still.pieces]
    return StillOut(
        game=game.name,
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


def state_out(session: Session, settings: Settings) -> StateOut:
    """Describe all that a page shows."""
    reading = session.current
    return StateOut(
        match=match_out(session),
        reading=None if reading is None else reading_out(session, reading),
        being_read=session.being_read,
        places=list(session.game.places),
        upload_limit_bytes=settings.upload_limit_bytes,
    )


def match_out(session: Session) -> MatchOut:
    """Describe the match as it stands."""
    state = session.match.state
    first, second = (
        MatchSideOut(name=name, colour=look.colour if look else None, rgb=_rgb(look) if look else None)
        for name, look in zip(session.names, session.looks, strict=True)
    )
    return MatchOut(
        game=session.game.name,
        demo=session.demo,
        sides=(first, second),
        score=_two(state.score),
        rounds=_rounds_out(session.match),
        winner=state.winner,
        reason=None if state.reason is None else str(state.reason),
    )


def reading_out(session: Session, reading: Reading) -> ReadingOut:
    """Describe a reading, and the round it makes."""
    number = next((n for n, taken in enumerate(session.rounds) if taken.reading_id == reading.id), None)
    match, refused = session.match, None
    if number is None:
        try:
            match = session.with_round(reading)
        except IllegalEvent as error:
            refused = str(error)
    colours = {look.side: look.colour for look in reading.still.sides}
    address = f"/api/v1/photos/{reading.id}"
    return ReadingOut(
        id=reading.id,
        version=reading.version,
        picture=f"{address}/picture",
        overlay=f"{address}/overlay",
        width=reading.picture.width_px,
        height=reading.picture.height_px,
        board=_board_out(reading.still.calibration, reading.picture),
        discs=[
            DiscOut(
                id=kept.id,
                otherwise=str(kept.piece.call.otherwise),
                by_hand=kept.by_hand,
                **_piece_out(
                    kept.piece, reading.picture, reading.game, colours.get(kept.piece.side, "unknown")
                ).model_dump(),
            )
            for kept in reading.pieces
        ],
        set_aside=reading.set_aside,
        doubts=list(reading.still.doubts),
        points=_sums(reading),
        round=None if refused else _rounds_out(match)[-1 if number is None else number],
        refused=refused,
        wins=None if refused else match.state.winner,
        counted=number is not None,
    )


def _rounds_out(match: Match) -> list[RoundOut]:
    return [
        RoundOut(points=_two(taken.points), takes=_two(taken.net), score=_two(taken.score))
        for taken in match.state.rounds
    ]


def _sums(reading: Reading) -> tuple[int, int]:
    counted = reading.counted_pieces()
    first, second = (sum(reading.game.points(place) for own, place in counted if own == side) for side in (0, 1))
    return first, second


def _two(numbers: tuple[int, ...]) -> tuple[int, int]:
    first, second = numbers
    return first, second


def _rgb(look: SideLook) -> str:
    blue, green, red = look.bgr
    return f"#{red:02x}{green:02x}{blue:02x}"


def _piece_out(piece: Piece, picture: Picture, game: PhotoGame, colour: str) -> PieceOut:
    place = piece.call.place
    return PieceOut(
        side=piece.side,
        colour=colour,
        centre_px=_rounded(picture.to_original(np.array([piece.centre_px])))[0],
        radius_px=round(piece.radius_px / picture.scale, 2),
        centre_mm=(round(piece.centre_mm[0], 2), round(piece.centre_mm[1], 2)),
        place=str(place),
        points=game.points(place),
        margin_mm=round(piece.call.margin_mm, 2),
        doubtful=piece.doubtful,
    )


def _board_out(calibration: Calibration[RingBoard], picture: Picture) -> BoardOut:
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

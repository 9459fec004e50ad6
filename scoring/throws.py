"""The throws of one round: which pieces lie where after them, and whether one more can have happened."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from scoring.board import OFF, Place
from scoring.errors import IllegalEvent, UnknownPiece, UnknownPlace
from scoring.events import ThrowMade
from scoring.notation import LETTERS
from scoring.state import Lying

Throws = tuple[ThrowMade, ...]


@dataclass(frozen=True, slots=True)
class Shot:
    """A throw as the rules leave it: whether it was good, why not, and where every piece it moved belongs after it."""

    valid: bool
    reason: str
    throw: ThrowMade


def lying(throws: Throws) -> tuple[Lying, ...]:
    """Return every piece thrown in a round, in the order thrown, in the place it lies in now."""
    where = {throw.piece: Lying(throw.side, throw.piece, throw.place) for throw in throws}
    for throw in throws:
        for moved in throw.moved:
            where[moved.piece] = replace(where[moved.piece], place=moved.to)
    return tuple(where.values())


def check(throws: Throws, throw: ThrowMade, places: Collection[Place]) -> None:
    """Refuse a throw that cannot follow ``throws`` on a board with ``places``. Raises ``IllegalEvent``."""
    if throw.piece < 0 or throw.piece in [earlier.piece for earlier in throws]:
        raise UnknownPiece(f"Piece {throw.piece} is not in hand; the next one is {next_piece(throws)}.")
    if throw.place not in places:
        raise no_place(throw.place, places)
    if not throw.moved:
        return
    where = {piece.piece: piece.place for piece in lying(throws)}
    for move in throw.moved:
        if move.piece not in where:
            raise UnknownPiece(f"Piece {move.piece} has not been thrown yet; {len(throws)} have.")
        if where[move.piece] == OFF:
            raise IllegalEvent(f"{called(throws, move.piece)} is off the board; nothing moves it.")
        if where[move.piece] != move.from_:
            lies = f"{called(throws, move.piece)} lies in {where[move.piece]}"
            raise IllegalEvent(f"{lies}; it cannot move from {move.from_}.")
        if move.to not in places:
            raise no_place(move.to, places)
        where[move.piece] = move.to


def counted(pieces: Sequence[tuple[int, Place]], places: Collection[Place], each: int) -> Throws:
    """Return a round as it lies, each piece's side and place, as throws in that order. Raises ``IllegalEvent``.

    ``each`` is how many pieces a side has, ``places`` where they can lie.
    """
    for _, place in pieces:
        if place not in places:
            raise no_place(place, places)
    for side in (0, 1):
        number = sum(owner == side for owner, _ in pieces)
        if number > each:
            raise IllegalEvent(f"{{}} has {each} pieces, not {number}; look again whose.", side)
    return tuple(ThrowMade(side, number, place) for number, (side, place) in enumerate(pieces))


def no_place(place: Place, places: Collection[Place]) -> UnknownPlace:
    """Return the error for a place that a board does not have."""
    return UnknownPlace(f"This board has no {place}; a piece is in {', '.join(sorted(map(str, places)))}.")


def called(throws: Throws, piece: int) -> str:
    """Return what players call a piece: ``B2`` for the second that side B threw in this round."""
    thrown = next((throw for throw in throws if throw.piece == piece), None)
    if thrown is None:
        return f"Piece {piece}"
    own = [throw.piece for throw in throws if throw.side == thrown.side]
    return f"{LETTERS[thrown.side]}{own.index(piece) + 1}"


def next_piece(throws: Throws) -> int:
    """Return the number of the next piece thrown."""
    return max((throw.piece for throw in throws), default=-1) + 1

"""The games whose board Tallycam reads from one photograph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scoring.board import DITCH, OFF, Place, RingBoard
from scoring.games.crokinole import BOARD, points


@dataclass(frozen=True, slots=True)
class PhotoGame:
    """A game that one photograph of the board can score: its name, its board, and what a piece counts where it lies."""

    name: str
    board: RingBoard
    points: Callable[[Place], int]

    @property
    def places(self) -> tuple[str, ...]:
        """Every place a piece can be in, the most precious first."""
        return tuple(str(place) for place in (self.board.hole.place, *(z.place for z in self.board.zones), DITCH, OFF))


_GAMES = {"crokinole": PhotoGame("crokinole", BOARD, points)}


def photo_game(name: str) -> PhotoGame:
    """Look a game up by name. Raises ``ValueError``, whose message names the games there are."""
    try:
        return _GAMES[name]
    except KeyError:
        raise ValueError(f"There is no game {name!r} to read from a photo; there is: {', '.join(_GAMES)}.") from None

"""The games whose board Tallycam reads from one photograph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from api.schemas import StillOut, still_out
from scoring.board import Place, RingBoard
from scoring.games import crokinole
from vision.sources.pictures import Picture
from vision.still import Still


@dataclass(frozen=True, slots=True)
class PhotoGame:
    """A game that one photograph of the board can score: its name, its board, and what a piece counts where it lies."""

    name: str
    board: RingBoard
    points: Callable[[Place], int]

    def describe(self, still: Still, picture: Picture, image: str) -> StillOut:
        """Put what was read into the contract's words and the photograph's own pixels."""
        return still_out(still, picture, self.name, image, self.points)


_GAMES = {"crokinole": PhotoGame("crokinole", crokinole.BOARD, crokinole.points)}


def photo_game(name: str) -> PhotoGame:
    """Look a game up by name. Raises ``ValueError``, whose message names the games there are."""
    try:
        return _GAMES[name]
    except KeyError:
        raise ValueError(f"There is no game {name!r} to read from a photo; there is: {', '.join(_GAMES)}.") from None

"""Which board a washers game is thrown at, how its throws take turns, and where the board is in the first pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration import plank
from calibration.calibration import Calibration
from scoring.board import HoleBoard
from scoring.games.good_sam_washers import FIVE_HOLE
from scoring.games.holeyboard import THREE_HOLE
from vision.errors import NotWatched
from vision.frames import Frame

MOST_FRAMES = 7


@dataclass(frozen=True, slots=True)
class ThrownAt:
    """A game's board, how many washers a side has, and how many a side throws before it is the other's turn."""

    board: HoleBoard
    washers: int
    in_turn: int


_GAMES = {"holeyboard": ThrownAt(THREE_HOLE, 3, 3), "good-sam-washers": ThrownAt(FIVE_HOLE, 5, 1)}


def thrown_at(game: str) -> ThrownAt:
    """Return what ``game`` is thrown at. Raises ``NotWatched``."""
    try:
        return _GAMES[game]
    except KeyError:
        raise NotWatched(f"{game} is not thrown at a board of holes; {', '.join(_GAMES)} are.") from None


def find_board(frames: Sequence[Frame], game: str) -> Calibration[HoleBoard]:
    """Find the board of ``game`` in quiet frames. Raises ``BoardNotFound``."""
    step = max(1, len(frames) // MOST_FRAMES)
    return plank.find([frame.bgr for frame in frames[::step]], thrown_at(game).board)

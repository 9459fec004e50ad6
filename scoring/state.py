"""What every screen shows of a match, and what a game keeps while it is played."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scoring.board import Place


class EndReason(StrEnum):
    """Why a match ended."""

    TARGET = "target"
    EXACTLY_21 = "exactly_21"
    STUCK_THE_VIC = "stuck_the_vic"
    SKUNK = "skunk"
    FIRST_ROUND_SKUNK = "first_round_skunk"
    TIME = "time"
    FORFEIT = "forfeit"
    ROUNDS_PLAYED = "rounds_played"
    LAST_COIN = "last_coin"


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round: what each side's pieces counted, what that came to for each, and the score it led to."""

    number: int
    points: tuple[int, ...]
    net: tuple[int, ...]
    score: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece of this round: whose it is, its number in the order thrown, and the place it lies in."""

    side: int
    piece: int
    place: Place


@dataclass(frozen=True, slots=True)
class Claim:
    """A win that a side has claimed and that stands until the round is over; ``void_by`` says what would undo it."""

    side: int
    reason: EndReason
    void_by: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """An event of the log that does not fit what came before it; it counts nothing until somebody settles it."""

    event: int
    message: str


@dataclass(frozen=True, slots=True)
class Play:
    """What a game keeps between two events; each game adds its own.

    ``first`` is the side that begins the round being played, ``closed`` the newest finished round.
    """

    score: tuple[int, ...]
    first: int = 0
    closed: Round | None = None
    winner: int | None = None
    reason: EndReason | None = None

    @property
    def round(self) -> int:
        """The number of the round being played, from 1; the last one when the match is over."""
        finished = self.closed.number if self.closed else 0
        return finished if self.reason and finished else finished + 1


@dataclass(frozen=True, slots=True)
class Table:
    """What is on the table at this moment, where no score has come of it yet."""

    provisional: tuple[int, ...]
    to_throw: int | None = None
    throws_left: tuple[int, ...] = ()
    claims: tuple[Claim, ...] = ()
    needs: str = ""
    places: tuple[Lying, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match at this moment.

    ``score`` is what the finished rounds came to; ``provisional`` what it would be if the round ended now.
    ``throws_left`` has a number for each side, or nothing in games that do not count throws. ``needs`` says in words
    what the side to throw needs. The match is over when ``reason`` is set; ``winner`` is then None for a draw.
    """

    game: str
    ruleset: str
    sides: tuple[str, ...]
    score: tuple[int, ...]
    provisional: tuple[int, ...]
    round: int
    rounds: tuple[Round, ...]
    to_throw: int | None
    throws_left: tuple[int, ...]
    claims: tuple[Claim, ...]
    needs: str
    places: tuple[Lying, ...]
    doubts: tuple[Doubt, ...]
    winner: int | None
    reason: EndReason | None

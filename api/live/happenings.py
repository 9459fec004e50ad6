"""What people are told while a camera watches: its sightings, with what they mean in the match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from scoring.state import EndReason
from scoring.throws import Shot
from vision.sightings import BoardSeen, Health, Lies, Occluded, TakeoutSeen, ThrowSeen


@dataclass(frozen=True, slots=True)
class Thrown:
    """A throw has come to rest: number ``n`` of its round, from 1.

    ``shot`` is how the rules judge it, None in games where any throw is as good as another. ``doubts`` are the
    camera's and the match's, one sentence each.
    """

    seen: ThrowSeen
    n: int
    shot: Shot | None
    doubts: tuple[str, ...]

    @property
    def t_ns(self) -> int:
        """When it had come to rest."""
        return self.seen.t_ns


@dataclass(frozen=True, slots=True)
class RoundOver:
    """A round is over: the board was cleared, or the footage ended.

    ``points`` and ``net`` (after cancelling) are counted from ``lies``, where the pieces lay at the end; ``score`` is
    that of the match, as far as it could be followed.
    """

    t_ns: int
    number: int
    points: tuple[int, int]
    net: tuple[int, int]
    score: tuple[int, ...]
    lies: tuple[Lies, ...]
    doubts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match is over; ``winner`` is None for a draw."""

    t_ns: int
    winner: int | None
    reason: EndReason
    score: tuple[int, ...]


Happening: TypeAlias = BoardSeen | Thrown | TakeoutSeen | Occluded | Health | RoundOver | MatchOver

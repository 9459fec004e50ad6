"""Crokinole: discs flicked at a hole in the middle of a ringed board.

The board's figures are those of tournament boards; real boards differ, and calibration measures them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from scoring.board import Circle, Place, RingBoard
from scoring.errors import IllegalEvent, UnknownPlace
from scoring.events import (
    Event,
    RoundCounted,
)
from scoring.rules import Rules
from scoring.state import EndReason, Lying, Play, Round, Table

TWENTY = Place("zone", "20")
FIFTEEN = Place("zone", "15")

BOARD = RingBoard(
    name="crokinole",
    hole=Circle(TWENTY, radius_mm=17.5),
    zones=(
        Circle(FIFTEEN, radius_mm=101.6, width_mm=1.6),
        Circle(Place("zone", "10"), radius_mm=203.2, width_mm=1.6),
        Circle(Place("zone", "5"), radius_mm=304.8, width_mm=1.6),
    ),
    edge_mm=330.0,
    piece_radius_mm=16.0,
    piece_height_mm=9.0,
)

POINTS: Mapping[str, int] = MappingProxyType({"20": 20, "15": 15, "10": 10, "5": 5, "ditch": 0, "off": 0})


def points(place: Place) -> int:
    """Return what a disc counts in ``place``. Raises ``UnknownPlace`` for one that no crokinole board has."""
    try:
        return POINTS[str(place)]
    except KeyError:
        raise UnknownPlace(f"A crokinole board has no {place}; it has {', '.join(POINTS)}.") from None


@dataclass(frozen=True, slots=True)
class CrokinolePlay(Play):
    """A crokinole match: the discs of this round by number, each its side and place, and who shot first."""

    first: int = 0
    discs: tuple[tuple[int, Place], ...] = ()
    time_up: bool = False


@dataclass(frozen=True)
class Crokinole(Rules[CrokinolePlay]):
    """Two players or two partnerships; the side whose discs count more takes the difference, to 100.

    ``scoring``: a round's difference, each side's own count, or two points for a round and one each for a tie.
    ``target`` ends the match (0: none), ``rounds`` ends it after so many (0: no limit). ``discs`` a side has.
    ``centre_rule``: with no opposing disc on the board, a shot must reach the 15 line.
    ``centre_by_any_disc``: any own disc of that shot may reach it, as tournaments play it.
    """

    scoring: Literal["difference", "cumulative", "two-point"] = "difference"
    target: int = 100
    rounds: int = 0
    discs: int = 12
    centre_rule: bool = True
    centre_by_any_disc: bool = False

    game: ClassVar[str] = "crokinole"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "standard": {},
        "nca-singles": {"scoring": "two-point", "target": 0, "rounds": 4, "discs": 8, "centre_by_any_disc": True},
        "nca-doubles": {"scoring": "two-point", "target": 0, "rounds": 4, "discs": 12, "centre_by_any_disc": True},
    }
    how_to: ClassVar[str] = ""

    def begin(self, sides: int) -> CrokinolePlay:
        """Return the match before the first shot; side 0 shoots first."""
        return CrokinolePlay(score=(0,) * sides)

    def step(self, play: CrokinolePlay, event: Event) -> CrokinolePlay:
        """Return the match after ``event``; a count of the board replaces the shots seen in its round."""
        match event:
            case RoundCounted(pieces):
                return self._counted(play, pieces)
            case _:
                return super().step(play, event)

    def look(self, play: CrokinolePlay, names: tuple[str, ...]) -> Table:  # noqa: ARG002
        """Return what the discs on the board come to so far, and whose shot it is."""
        count = _count(play.discs)
        return Table(
            provisional=tuple(s + n for s, n in zip(play.score, self._net(count), strict=True)),
            to_throw=play.first,
            places=tuple(Lying(side, piece, place) for piece, (side, place) in enumerate(play.discs)),
        )

    def _counted(self, play: CrokinolePlay, pieces: tuple[tuple[int, Place], ...]) -> CrokinolePlay:
        for side in (0, 1):
            if (own := sum(owner == side for owner, _ in pieces)) > self.discs:
                raise IllegalEvent(f"Side {side} has {self.discs} discs, not {own}; look again whose they are.")
        if any(side not in (0, 1) for side, _ in pieces):
            raise IllegalEvent("A disc belongs to side 0 or side 1.")
        count = _count(pieces)
        net = self._net(count)
        score = (play.score[0] + net[0], play.score[1] + net[1])
        after = replace(play, score=score, closed=Round(play.round, count, net, score), first=1 - play.first, discs=())
        return self._ended(after)

    def _net(self, count: tuple[int, int]) -> tuple[int, int]:
        if self.scoring == "cumulative":
            return count
        ahead = count[0] - count[1]
        if self.scoring == "difference":
            return max(ahead, 0), max(-ahead, 0)
        return (1, 1) if ahead == 0 else (2, 0) if ahead > 0 else (0, 2)

    def _ended(self, play: CrokinolePlay) -> CrokinolePlay:
        a, b = play.score
        leader = None if a == b else 0 if a > b else 1
        if self.target and max(a, b) >= self.target and leader is not None:
            return replace(play, winner=leader, reason=EndReason.TARGET)
        if self.rounds and play.closed and play.closed.number >= self.rounds:
            return replace(play, winner=leader, reason=EndReason.ROUNDS_PLAYED)
        return play


def _count(discs: tuple[tuple[int, Place], ...]) -> tuple[int, int]:
    counts = [0, 0]
    for side, place in discs:
        counts[side] += points(place)
    return counts[0], counts[1]


GAME = Crokinole

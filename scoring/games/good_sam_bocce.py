"""Bocce: four balls a side; the balls nearer the jack than the other side's nearest count."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scoring.board import OFF, Place
from scoring.errors import CannotParse, IllegalEvent, UnknownPlace
from scoring.events import Event, Foul, RoundCounted, RoundEnded, ThrowMade
from scoring.holes import Pair
from scoring.notation import Words, by_side
from scoring.race import Race, RacePlay
from scoring.rules import AtLeastOne
from scoring.throws import Throws

IN = Place("ball", "in")
OUT = Place("ball", "out")
CHOICES = ("declined", "replay", "dead")
"""What the side fouled against can choose, as flags of a foul."""

MM = "mm"
"""Kind of a measured place: how far a ball lies from the jack, such as ``mm:340``."""


@dataclass(frozen=True, slots=True)
class BoccePlay(RacePlay):
    """A bocce match: who has been warned for the foot, and the points of this frame given for balls moved."""

    warned: tuple[bool, bool] = (False, False)
    given: Pair = (0, 0)


@dataclass(frozen=True)
class Bocce(Race):
    """Two sides of four balls. The side that lies farther from the jack bowls; a frame is measured when all are bowled.

    A thrown ball is ``in`` when its side then lies nearest, ``out`` when the other does. Level nearest balls give
    nothing, and the jack stays with the side that threw it; otherwise the side that scored throws it next. A frame that
    is dead is played again. A foul's ``declined`` flag plays on as it lies; interference may also be ``replay`` or
    ``dead``.
    """

    target: int = 16
    balls: AtLeastOne = 4

    game: ClassVar[str] = "good-sam-bocce"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"good-sam": {}}
    fouls: ClassVar[tuple[str, ...]] = ("foot", "moved_own", "moved_opponent", "moved_jack", "interference")
    words: ClassVar[Words] = Words({"in": IN, "out": OUT, "off": OFF}, {})
    how_to: ClassVar[str] = (
        "Write in, out or off for each ball; then measure: count A 120 340 / B 200, in mm; end for a dead frame; "
        "foul A foot 2 for a foul that gives 2 points, foul A foot declined to play on."
    )

    def begin(self, sides: int) -> BoccePlay:
        """Return the match before the first jack; side 0 throws it."""
        return BoccePlay(score=(0,) * sides)

    def step(self, play: RacePlay, event: Event) -> RacePlay:
        """Return the match after ``event``; a measured frame closes it, a dead one is played again."""
        if isinstance(event, RoundEnded):
            return self._dead(play)
        return super().step(play, event)

    def read(self, play: RacePlay, text: str) -> Event:
        """Read a ball, or a measured frame."""
        if not text.startswith("count"):
            return super().read(play, text)
        measured = by_side(text.removeprefix("count"))
        if not all(word.isdecimal() for _, words in measured for word in words):
            raise CannotParse("Measure balls in whole millimetres: count A 120 340 / B 200.")
        return RoundCounted(tuple((side, Place(MM, word)) for side, words in measured for word in words))

    def pieces_each(self) -> int:
        """Return the balls a side."""
        return self.balls

    def places(self) -> Collection[Place]:
        """Return what a bowled ball can be."""
        return (IN, OUT, OFF)

    def turn(self, play: RacePlay) -> int:
        """Return the side that bowls: the one farther from the jack, while it has balls."""
        if not play.throws:
            return play.first
        nearest = _nearest(play.throws)
        turn = play.first if nearest is None else 1 - nearest
        if nearest is None and len(play.throws) == 1:
            turn = 1 - play.first
        return turn if self._left(play)[turn] else 1 - turn

    def count(self, throws: Throws) -> tuple[Pair, Pair]:
        """Count measured balls: those of one side nearer than the other's nearest."""
        lengths: tuple[list[int], list[int]] = ([], [])
        for throw in throws:
            if throw.place.kind == MM:
                lengths[throw.side].append(int(throw.place.name))
        points = (_nearer(lengths[0], lengths[1]), _nearer(lengths[1], lengths[0]))
        return points, points

    def next_first(self, play: RacePlay, net: Pair) -> int:
        """Return the side that throws the next jack."""
        return play.first if net[0] == net[1] else 0 if net[0] > net[1] else 1

    def _after(self, play: RacePlay, throws: Throws) -> RacePlay:
        return replace(play, throws=throws)

    def _counted(self, play: RacePlay, pieces: tuple[tuple[int, Place], ...]) -> RacePlay:
        for side, place in pieces:
            self._check_side(play, side)
            if place.kind != MM or not place.name.isdecimal():
                raise UnknownPlace(f"Balls are measured from the jack in millimetres, such as mm:340, not {place}.")
            if sum(owner == side for owner, _ in pieces) > self.balls:
                raise IllegalEvent(f"{{}} has {self.balls} balls.", side)
        _, net = self.count(tuple(ThrowMade(side, n, place) for n, (side, place) in enumerate(pieces)))
        given = _bocce(play).given
        if any(given):
            net = (net[0] + given[0] if given[0] else 0, net[1] + given[1] if given[1] else 0)
        return self._awarded(play, net)

    def _awarded(self, play: RacePlay, net: Pair) -> RacePlay:
        after = self.scored(play, net, net, self.next_first(play, net))
        winner, reason = self.verdict(after, (after.score[0], after.score[1]))
        return replace(_bocce(after), winner=winner, reason=reason, throws=(), given=(0, 0))

    def _dead(self, play: RacePlay) -> RacePlay:
        if not play.throws:
            raise IllegalEvent("This frame has not begun; there is nothing to call dead.")
        return replace(_bocce(play), throws=(), given=(0, 0))

    def _fouled(self, play: RacePlay, foul: Foul) -> RacePlay:
        self._check_side(play, foul.side)
        if foul.name not in self.fouls:
            raise IllegalEvent(f"{foul.name!r} is no foul here; there is {', '.join(self.fouls)}.")
        if not 0 <= foul.count <= self.balls:
            raise IllegalEvent(f"A foul is about 0 to {self.balls} balls, not {foul.count}.")
        if unknown := [flag for flag in foul.flags if flag not in CHOICES]:
            raise IllegalEvent(f"After a foul one can choose {', '.join(CHOICES)}, not {unknown[0]}.")
        other = 1 - foul.side
        match foul.name:
            case "foot":
                return self._foot(play, foul, other)
            case "moved_own":
                return play
            case "moved_opponent":
                given = list(_bocce(play).given)
                if given[foul.side]:
                    raise IllegalEvent("Only one side can be given points in a frame.")
                given[other] = min(given[other] + foul.count, self.balls)
                return replace(_bocce(play), given=(given[0], given[1]))
            case "moved_jack" if "declined" not in foul.flags:
                return self._awarded(play, _for(other, self.balls - self._left(play)[other]))
            case "interference" if "dead" in foul.flags:
                return self._dead(play)
            case "interference" if "replay" in foul.flags:
                if not play.throws:
                    raise IllegalEvent("No ball has been bowled that could be played over.")
                return replace(play, throws=play.throws[:-1])
        return play

    def _foot(self, play: RacePlay, foul: Foul, other: int) -> RacePlay:
        """Warn a side the first time; after that, give the other what it lay before the foul, unless it declines."""
        warned = _bocce(play).warned
        if not warned[foul.side]:
            return replace(_bocce(play), warned=(warned[0] or foul.side == 0, warned[1] or foul.side == 1))
        if "declined" in foul.flags:
            return play
        return self._awarded(play, _for(other, foul.count))


def _bocce(play: RacePlay) -> BoccePlay:
    assert isinstance(play, BoccePlay)
    return play


def _for(side: int, points: int) -> Pair:
    return (points, 0) if side == 0 else (0, points)


def _nearest(throws: Throws) -> int | None:
    """Return the side that lies nearest, as far as the balls bowled say."""
    judged = [throw for throw in throws if throw.place in (IN, OUT)]
    if not judged:
        return None
    return judged[-1].side if judged[-1].place == IN else 1 - judged[-1].side


def _nearer(own: list[int], other: list[int]) -> int:
    return sum(not other or length < min(other) for length in own)


GAME = Bocce

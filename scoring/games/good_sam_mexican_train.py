"""Mexican Train: the pips left in hand, over three rounds from the double 12 down; the lowest total wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from scoring.errors import CannotParse, IllegalEvent
from scoring.events import Event, RoundScored, RoundStarted
from scoring.notation import numbers
from scoring.rules import AtLeastOne, Rules
from scoring.state import EndReason, Play, Table

HANDS: Mapping[int, int] = {2: 16, 3: 15, 4: 14, 5: 13, 6: 12, 7: 11, 8: 10}
"""How many tiles each player draws, by the number of players."""


@dataclass(frozen=True)
class MexicanTrain(Rules[Play]):
    """Two to eight players. ``rounds`` are played, the first from the double ``first_double``, each next one lower."""

    rounds: AtLeastOne = 3
    first_double: int = 12

    game: ClassVar[str] = "good-sam-mexican-train"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"good-sam": {}}
    sides: ClassVar[range] = range(2, 9)
    how_to: ClassVar[str] = "Write the pips left in each hand: 0-31."

    def begin(self, sides: int) -> Play:
        """Return the match before the first round."""
        return Play(score=(0,) * sides)

    def step(self, play: Play, event: Event) -> Play:
        """Return the match after a round's pips."""
        match event:
            case RoundScored(points):
                return self._counted(play, points)
            case RoundStarted(first):
                return self._opened(play, first, idle=True)
            case _:
                return Rules.step(self, play, event)

    def look(self, play: Play, names: tuple[str, ...]) -> Table:
        """Return who begins, with which double, and how many tiles each draws."""
        double = self.first_double - play.round + 1
        words = f"the double {double} starts; {HANDS[len(names)]} tiles each"
        return Table(provisional=play.score, to_throw=play.first, needs=words)

    def read(self, play: Play, text: str) -> Event:  # noqa: ARG002
        """Read the pips of a round."""
        if not text[:1].isdecimal():
            raise CannotParse(f"{text!r} is no count of pips. {self.how_to}")
        return RoundScored(numbers(text.split()))

    def _counted(self, play: Play, pips: tuple[int, ...]) -> Play:
        if len(pips) != len(play.score) or min(pips) < 0:
            raise IllegalEvent(f"Count the pips in each of the {len(play.score)} hands.")
        if pips.count(0) > 1:
            raise IllegalEvent("Only one player goes out in a round.")
        first = pips.index(0) if 0 in pips else play.first
        over = play.round >= self.rounds
        totals = [before + now for before, now in zip(play.score, pips, strict=True)]
        winner = totals.index(min(totals)) if over and totals.count(min(totals)) == 1 else None
        return self.scored(play, pips, pips, first, EndReason.ROUNDS_PLAYED if over else None, winner)


GAME = MexicanTrain

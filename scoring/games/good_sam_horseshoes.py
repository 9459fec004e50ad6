"""Horseshoes: ringers, leaners and the closest shoe; 21, or 11 to nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from scoring.board import OFF, Place
from scoring.holes import Pair
from scoring.notation import Words
from scoring.race import Race, RacePlay
from scoring.rules import AtLeastOne
from scoring.state import EndReason
from scoring.throws import Throws, lying

RINGER = Place("shoe", "ringer")
LEANER = Place("shoe", "leaner")
CLOSEST = Place("shoe", "closest")
POINTS: Mapping[Place, int] = {RINGER: 3, LEANER: 1, CLOSEST: 1}


@dataclass(frozen=True)
class Horseshoes(Race):
    """Two sides pitch in turn. A ringer counts 3, a leaner 1, the closest shoe within a shoe's width of the stake 1.

    The shoe last called closest is the one that counts. ``shoes`` each; ``skunk`` against nothing wins too (0: none).
    """

    shoes: AtLeastOne = 2
    skunk: int = 11

    game: ClassVar[str] = "good-sam-horseshoes"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"good-sam": {}}
    fouls: ClassVar[tuple[str, ...]] = ("foot",)
    words: ClassVar[Words] = Words({**{place.name: place for place in POINTS}, "off": OFF, "miss": OFF}, {})
    how_to: ClassVar[str] = "Write what the shoe is: ringer, leaner, closest or off; off A1>ringer for one it moved."

    def pieces_each(self) -> int:
        """Return the shoes each."""
        return self.shoes

    def places(self) -> Collection[Place]:
        """Return what a shoe can be."""
        return (*POINTS, OFF)

    def count(self, throws: Throws) -> tuple[Pair, Pair]:
        """Count the shoes; of those called closest, only the last."""
        counts = [0, 0]
        shoes = lying(throws)
        closest = [shoe for shoe in shoes if shoe.place == CLOSEST]
        for shoe in shoes:
            if shoe.place != CLOSEST or shoe is closest[-1]:
                counts[shoe.side] += POINTS.get(shoe.place, 0)
        return (counts[0], counts[1]), (counts[0], counts[1])

    def verdict(self, play: RacePlay, score: Pair) -> tuple[int | None, EndReason | None]:
        """Return the winner and the reason; the skunk wins before the target is reached."""
        if self.skunk and min(score) == 0 and self.skunk <= max(score) < self.target:
            return self._leader(score, EndReason.SKUNK)
        return super().verdict(play, score)


GAME = Horseshoes

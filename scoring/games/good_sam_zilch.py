"""Zilch: six dice, and the nerve to roll them again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scoring.dice import Dice, check_kept, check_roll, pips
from scoring.errors import CannotParse, IllegalEvent
from scoring.events import Called, DiceKept, DiceRolled, Event, RoundStarted, ScoreSet
from scoring.notation import whose
from scoring.rules import AtLeastOne, Rules
from scoring.state import EndReason, Play, Table

DICE = 6
STRAIGHT = 4000
THREE_PAIRS = 3000
SINGLES: Mapping[int, int] = {1: 100, 5: 50}
OF_A_KIND: Mapping[int, tuple[int, int]] = {4: (2000, 2500), 5: (5000, 5500), 6: (6000, 10000)}
"""Four, five and six of a kind, and what ones count instead."""

FOURS = OF_A_KIND[4]


def points(dice: Dice, four_and_two_is_three_pairs: bool = False, fours: tuple[int, int] = FOURS) -> tuple[int, int]:
    """Return the most that one roll counts, and how many of its dice count for that."""
    counts = Counter(dice)
    if len(dice) == DICE and len(counts) == DICE:
        return STRAIGHT, DICE
    total = used = 0
    for pip, count in counts.items():
        if count >= 3:
            total += _of_a_kind(pip, count, fours)
            used += count
        elif pip in SINGLES:
            total += count * SINGLES[pip]
            used += count
    pairs = sorted(counts.values())
    if pairs == [2, 2, 2] or (four_and_two_is_three_pairs and pairs == [2, 4]):
        return max((THREE_PAIRS, DICE), (total, used))
    return total, used


def _of_a_kind(pip: int, count: int, fours: tuple[int, int]) -> int:
    if count == 3:
        return 1000 if pip == 1 else 100 * pip
    plain, ones = fours if count == 4 else OF_A_KIND[count]
    return ones if pip == 1 else plain


@dataclass(frozen=True, slots=True)
class ZilchPlay(Play):
    """A match of zilch: the turn's points, the dice just rolled, the dice left to roll, and who closes the match.

    ``rolled`` is empty when dice are to be rolled; ``kept`` is set aside, as long as not all six are; ``last`` is the
    side that got past the target first.
    """

    turn_points: int = 0
    rolled: Dice = ()
    kept: Dice = ()
    left: int = DICE
    may_stop: bool = False
    last: int | None = None


@dataclass(frozen=True)
class Zilch(Rules[ZilchPlay]):
    """Two to ten players. A turn that ends without counting dice is lost; the first turn kept must be worth ``entry``.

    Past ``target`` each other player has one more turn, and must roll on until it leads. A turn is a round.
    ``four_and_two_is_three_pairs``: four of a kind with a pair may count as three pairs. ``four_of_a_kind`` and
    ``four_ones`` are what four of a kind count, whatever the pips. ``within_one_roll``: a combination is thrown in one
    roll, else dice set aside earlier in the turn count towards it.
    """

    target: AtLeastOne = 10_000
    entry: int = 450
    four_and_two_is_three_pairs: bool = False
    four_of_a_kind: int = FOURS[0]
    four_ones: int = FOURS[1]
    within_one_roll: bool = True

    game: ClassVar[str] = "good-sam-zilch"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"good-sam": {}}
    sides: ClassVar[range] = range(2, 11)
    how_to: ClassVar[str] = "Write roll 1 3 5 5 2 6, then keep 1 5 5, then roll again or stop."

    def begin(self, sides: int) -> ZilchPlay:
        """Return the match before the first roll, by side 0."""
        return ZilchPlay(score=(0,) * sides)

    def step(self, play: ZilchPlay, event: Event) -> ZilchPlay:
        """Return the match after a roll, dice set aside, or a stop."""
        match event:
            case DiceRolled(side, dice):
                return self._rolled(play, side, dice)
            case DiceKept(side, dice):
                return self._kept(play, side, dice)
            case Called(side, "stop"):
                return self._stopped(play, side)
            case RoundStarted(first):
                return self._opened(play, first, idle=_idle(play) and play.last is None)
            case ScoreSet(score):
                return self._score_set(play, score, idle=_idle(play) and play.last is None, below=self.target)
            case _:
                return Rules.step(self, play, event)

    def look(self, play: ZilchPlay, names: tuple[str, ...]) -> Table:  # noqa: ARG002
        """Return the turn's points so far and what may be done."""
        provisional = _add(play.score, play.first, play.turn_points)
        return Table(provisional, play.first, (), needs=self._needs(play))

    def read(self, play: ZilchPlay, text: str) -> Event:
        """Read a roll, dice kept, or a stop."""
        side, text = whose(text, play.first)
        word, _, rest = text.partition(" ")
        match word:
            case "roll":
                return DiceRolled(side, pips(rest))
            case "keep":
                return DiceKept(side, pips(rest))
            case "stop":
                return Called(side, "stop")
        raise CannotParse(f"{text!r} is no roll. {self.how_to}")

    def _rolled(self, play: ZilchPlay, side: int, dice: Dice) -> ZilchPlay:
        self._check_turn(play, side, play.first)
        if play.rolled:
            raise IllegalEvent("Set counting dice of this roll aside before rolling on.")
        check_roll(dice, play.left)
        if self._worth(play, dice)[0] <= 0:
            return self._ended(play, 0)
        return replace(play, rolled=dice, may_stop=False)

    def _kept(self, play: ZilchPlay, side: int, dice: Dice) -> ZilchPlay:
        self._check_turn(play, side, play.first)
        check_kept(dice, play.rolled)
        worth, used = self._worth(play, dice)
        if used != len(dice) or worth <= 0:
            raise IllegalEvent("Every die set aside must count: a 1, a 5, three or more alike, or all six together.")
        left = play.left - len(dice)
        return replace(
            play,
            turn_points=play.turn_points + worth,
            rolled=(),
            kept=(*play.kept, *dice) if left else (),
            left=left or DICE,
            may_stop=True,
        )

    def _stopped(self, play: ZilchPlay, side: int) -> ZilchPlay:
        self._check_turn(play, side, play.first)
        if not play.may_stop:
            raise IllegalEvent("Set counting dice aside before you stop.")
        if missing := self._missing(play):
            raise IllegalEvent(f"It takes {missing} more points to stop.")
        return self._ended(play, play.turn_points)

    def _worth(self, play: ZilchPlay, dice: Dice) -> tuple[int, int]:
        """Return what dice of the newest roll add to the turn, and how many of them count for that."""
        if self.within_one_roll:
            return self._points(dice)
        worth, used = self._points((*play.kept, *dice))
        return worth - self._points(play.kept)[0], used - len(play.kept)

    def _points(self, dice: Dice) -> tuple[int, int]:
        return points(dice, self.four_and_two_is_three_pairs, (self.four_of_a_kind, self.four_ones))

    def _missing(self, play: ZilchPlay) -> int:
        """Return the points the player lacks to stop: to get on board, or in the last turns to lead."""
        needed = self.entry if not play.score[play.first] else 0
        if play.last is not None:
            needed = max(needed, max(play.score) + 1 - play.score[play.first])
        return max(needed - play.turn_points, 0)

    def _ended(self, play: ZilchPlay, worth: int) -> ZilchPlay:
        side = play.first
        after = (side + 1) % len(play.score)
        net = _add((0,) * len(play.score), side, worth)
        last = play.last
        if last is None and play.score[side] + worth >= self.target:
            last = side
        over = last is not None and after == last
        score = _add(play.score, side, worth)
        closed = self.scored(
            play, net, net, after, EndReason.TARGET if over else None, score.index(max(score)) if over else None
        )
        return replace(closed, turn_points=0, rolled=(), kept=(), left=DICE, may_stop=False, last=last)

    def _needs(self, play: ZilchPlay) -> str:
        if play.rolled:
            return f"keep counting dice of {' '.join(map(str, play.rolled))}"
        missing = self._missing(play)
        if missing:
            return f"roll {play.left} dice; {missing} more points to stop"
        return f"roll {play.left} dice, or stop with {play.turn_points}" if play.may_stop else f"roll {play.left} dice"


def _idle(play: ZilchPlay) -> bool:
    return not play.rolled and not play.may_stop


def _add(score: tuple[int, ...], side: int, worth: int) -> tuple[int, ...]:
    return tuple(points + (worth if number == side else 0) for number, points in enumerate(score))


GAME = Zilch

"""Bean bag baseball: holes are hits, misses are strikes, and runners move only when forced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scoring.board import OFF, Place
from scoring.errors import IllegalEvent
from scoring.events import Event, Foul, RoundStarted, ThrowMade
from scoring.notation import Words
from scoring.rules import AtLeastOne, Rules
from scoring.state import EndReason, Play, Table
from scoring.throws import Throws, check, lying, next_piece

BASES: Mapping[Place, int] = {
    Place("hole", "single"): 1,
    Place("hole", "double"): 2,
    Place("hole", "triple"): 3,
    Place("hole", "home-run"): 4,
}
HANGING = Place("board", "hanging")
"""A bag half in a hole: a strike, unless a later bag of the same batter drops it."""

HOME = 4


@dataclass(frozen=True, slots=True)
class BaseballPlay(Play):
    """A game of bean bag baseball: the half inning's outs, runs and bases, and the bags of the batter at the board.

    ``visitors`` is the side that bats first; ``batting`` counts half innings from 0.
    """

    visitors: int = 0
    half: int = 0
    outs: int = 0
    runs: int = 0
    bases: tuple[int, ...] = ()
    bags: Throws = ()


@dataclass(frozen=True)
class BeanbagBaseball(Rules[BaseballPlay]):
    """Visitors bat first. A batter has ``bags``; all missed is an out, and ``outs`` or ``runs`` end a half inning.

    A hit ends the turn at bat (``hit_ends_turn``), else the batter's other bags follow. In the last of ``innings``, and
    after it while level, there is no limit of runs but this: visitors stop ``visitors_ahead`` in front, the home side
    one in front. Half innings are rounds.
    """

    innings: AtLeastOne = 4
    outs: AtLeastOne = 3
    runs: AtLeastOne = 6
    bags: AtLeastOne = 3
    visitors_ahead: int = 6
    hit_ends_turn: bool = True

    game: ClassVar[str] = "good-sam-beanbag-baseball"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"good-sam": {}}
    fouls: ClassVar[tuple[str, ...]] = ("bounce", "missed_base")
    words: ClassVar[Words] = Words(
        {
            **{place.name: place for place in BASES},
            "homerun": Place("hole", "home-run"),
            "home": Place("hole", "home-run"),
            "hanging": HANGING,
            "off": OFF,
            "miss": OFF,
        },
        {},
    )
    how_to: ClassVar[str] = (
        "Write single, double, triple, home-run, hanging or off; off A1>double when a bag drops one that hung; "
        "foul A bounce for a bag that bounced in."
    )

    def begin(self, sides: int) -> BaseballPlay:
        """Return the game before the first bag; side 0 visits."""
        return BaseballPlay(score=(0,) * sides)

    def step(self, play: BaseballPlay, event: Event) -> BaseballPlay:
        """Return the game after a bag or an umpire's call."""
        match event:
            case ThrowMade():
                return self._thrown(play, event)
            case Foul(side, "bounce"):
                return self._thrown(play, ThrowMade(side, next_piece(play.bags), OFF))
            case Foul(side, "missed_base"):
                self._check_turn(play, side, self._batting(play))
                if not play.runs:
                    raise IllegalEvent("No run has scored in this half inning that could be taken away.")
                return replace(play, runs=play.runs - 1)
            case RoundStarted(first):
                after = self._opened(play, first, idle=play == self.begin(len(play.score)))
                return replace(after, visitors=after.first)
            case _:
                return Rules.step(self, play, event)

    def look(self, play: BaseballPlay, names: tuple[str, ...]) -> Table:
        """Return the inning, the outs, the bases and the runs so far."""
        side = self._batting(play)
        score = tuple(points + (play.runs if n == side else 0) for n, points in enumerate(play.score))
        half = "first" if play.half % 2 == 0 else "second"
        bases = ", ".join(str(base) for base in play.bases) or "none"
        words = f"inning {play.half // 2 + 1}, {half} half: {names[side]} bats, {play.outs} out, bases taken: {bases}"
        left = tuple(self.bags - len(play.bags) if n == side else 0 for n in range(2))
        return Table(score, side, left, needs=words, places=lying(play.bags))

    def read(self, play: BaseballPlay, text: str) -> Event:
        """Read a bag."""
        return self.words.throw(text, self._batting(play), next_piece(play.bags), lying(play.bags))

    def _batting(self, play: BaseballPlay) -> int:
        return (play.visitors + play.half) % 2

    def _thrown(self, play: BaseballPlay, bag: ThrowMade) -> BaseballPlay:
        self._check_turn(play, bag.side, self._batting(play))
        check(play.bags, bag, (*BASES, HANGING, OFF))
        if any(moved.from_ != HANGING for moved in bag.moved):
            raise IllegalEvent("Only a bag that hangs in a hole can be dropped by a later one.")
        bags = (*play.bags, bag)
        hits = [BASES[moved.to] for moved in bag.moved if moved.to in BASES]
        hits += [BASES[bag.place]] if bag.place in BASES else []
        hits = hits[:1] if self.hit_ends_turn else hits
        for bases in hits:
            play = _hit(play, bases)
        limit = self._limit(play)
        if play.runs >= limit:
            return self._half_over(replace(play, runs=limit))
        if hits and self.hit_ends_turn:
            return replace(play, bags=())
        if len(bags) < self.bags:
            return replace(play, bags=bags)
        is_out = all(each.place not in BASES for each in lying(bags))
        play = replace(play, bags=(), outs=play.outs + is_out)
        return self._half_over(play) if play.outs >= self.outs else play

    def _limit(self, play: BaseballPlay) -> int:
        """Return the runs that end this half inning."""
        side = self._batting(play)
        behind = play.score[1 - side] - play.score[side]
        if play.half // 2 + 1 < self.innings:
            return self.runs
        if side != play.visitors:
            return behind + 1
        return behind + self.visitors_ahead if behind + self.visitors_ahead > 0 else self.runs

    def _half_over(self, play: BaseballPlay) -> BaseballPlay:
        side = self._batting(play)
        net = tuple(play.runs if n == side else 0 for n in range(2))
        after = self.scored(play, net, net, 1 - side)
        after = replace(after, half=play.half + 1, outs=0, runs=0, bases=(), bags=())
        if after.half // 2 + (1 if side == play.visitors else 0) < self.innings:
            return after
        ahead = None if after.score[0] == after.score[1] else int(after.score[1] > after.score[0])
        home_leads = side == play.visitors and ahead == 1 - side
        inning_over = side != play.visitors and ahead is not None
        if home_leads or inning_over:
            return replace(after, winner=ahead, reason=EndReason.ROUNDS_PLAYED)
        return after


def _hit(play: BaseballPlay, bases: int) -> BaseballPlay:
    """Move the batter, and whoever stands in the way: a runner moves only when the one behind needs the base."""
    taken = [bases]
    for runner in play.bases:
        taken.append(max(runner, taken[-1] + 1))
    runs = sum(base >= HOME for base in taken)
    return replace(play, runs=play.runs + runs, bases=tuple(base for base in taken if base < HOME))


GAME = BeanbagBaseball

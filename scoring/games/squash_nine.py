"""Squash: hand-in, hand-out to nine; at eight-all the receiver may set ten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scoring.errors import CannotParse, IllegalEvent
from scoring.events import Called, Event, RallyWon, RoundStarted, ScoreSet
from scoring.notation import side_of
from scoring.rules import AtLeastOne, Rules
from scoring.state import EndReason, Play, Table


@dataclass(frozen=True, slots=True)
class SquashPlay(Play):
    """A game of squash: ``first`` serves, ``to`` is what it goes to, ``may_set`` when eight-all was just reached."""

    to: int = 9
    may_set: bool = False


@dataclass(frozen=True)
class Squash(Rules[SquashPlay]):
    """Singles. Only the server scores; a server who loses the rally loses the serve. Every rally is a round.

    ``target``, and the ``set_target`` that the receiver may call when both are one short of it.
    """

    target: AtLeastOne = 9
    set_target: AtLeastOne = 10

    game: ClassVar[str] = "squash-nine"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"friendly": {}}
    how_to: ClassVar[str] = "Write A or B for who won the rally; set for a receiver who sets ten; let for a let."

    def begin(self, sides: int) -> SquashPlay:
        """Return the game before the first serve, by side 0."""
        return SquashPlay(score=(0,) * sides, to=self.target)

    def step(self, play: SquashPlay, event: Event) -> SquashPlay:
        """Return the game after a rally or a call."""
        match event:
            case RallyWon(side):
                return self._won(play, side)
            case Called(side, "let"):
                self._check_side(play, side)
                return play
            case Called(side, "set"):
                self._check_turn(play, side, 1 - play.first)
                if not play.may_set:
                    raise IllegalEvent(f"{self.set_target} is set when {self.target - 1}-all has just been reached.")
                return replace(play, to=self.set_target, may_set=False)
            case RoundStarted(first):
                return self._opened(play, first, idle=play.closed is None)
            case ScoreSet(score):
                play = self._score_set(play, score, idle=True, below=self.target)
                return replace(play, to=self.target, may_set=self._is_level(score))
            case _:
                return Rules.step(self, play, event)

    def look(self, play: SquashPlay, names: tuple[str, ...]) -> Table:
        """Return who serves, from which side of the court, and what may be called."""
        court = "even" if sum(play.score) % 2 == 0 else "odd"
        words = f"{names[play.first]} serves from the {court} side"
        if play.may_set:
            words += f"; {names[1 - play.first]} may set {self.set_target}"
        return Table(provisional=play.score, to_throw=play.first, needs=words)

    def read(self, play: SquashPlay, text: str) -> Event:
        """Read who won a rally, or a call."""
        if text == "set":
            return Called(1 - play.first, "set")
        if text == "let":
            return Called(play.first, "let")
        if len(text) == 1:
            return RallyWon(side_of(text))
        raise CannotParse(f"{text!r} is no rally. {self.how_to}")

    def _won(self, play: SquashPlay, side: int) -> SquashPlay:
        self._check_side(play, side)
        scores = side == play.first
        net = (int(scores and side == 0), int(scores and side == 1))
        over = scores and play.score[side] + 1 >= play.to
        after = self.scored(play, net, net, side, EndReason.TARGET if over else None, side if over else None)
        return replace(after, may_set=scores and self._is_level(after.score))

    def _is_level(self, score: tuple[int, ...]) -> bool:
        """Say whether both sides are one short."""
        return score == (self.target - 1,) * 2


GAME = Squash

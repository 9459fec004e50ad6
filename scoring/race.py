"""Games in which two sides throw piece by piece, and the first to a number at the end of a round wins."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from scoring.board import OFF, Place
from scoring.errors import IllegalEvent, NoThrowsLeft, WrongTurn
from scoring.events import Event, Foul, RoundCounted, RoundStarted, ScoreSet, ThrowMade, TimeUp
from scoring.holes import Pair
from scoring.notation import Words
from scoring.rules import Rules
from scoring.state import EndReason, Play, Round, Table
from scoring.throws import Throws, check, counted, lying, next_piece

TIME_UP = "the time is up; whoever leads after this round wins"


@dataclass(frozen=True, slots=True)
class RacePlay(Play):
    """A match to a number: the throws of this round, and whether the time has run out."""

    throws: Throws = ()
    time_up: bool = False


@dataclass(frozen=True)
class Race(Rules[RacePlay]):
    """Two sides, a round of throws, a number to reach; what a round is worth is each game's own.

    ``target`` wins at the end of a round (0: none). ``time_ends`` the match after the round in progress or at once,
    dropping that round. ``tie``: level at the end, play one more round or call it a draw.
    """

    target: int = 21
    time_ends: Literal["after-round", "at-once"] = "after-round"
    tie: Literal["play-on", "draw"] = "play-on"

    words: ClassVar[Words]
    fouls: ClassVar[tuple[str, ...]] = ()

    def begin(self, sides: int) -> RacePlay:
        """Return the match before the first throw; side 0 begins."""
        return RacePlay(score=(0,) * sides)

    def pieces_each(self) -> int:
        """Return how many pieces each side throws in a round."""
        raise NotImplementedError

    def places(self) -> Collection[Place]:
        """Return every place a piece can lie in."""
        raise NotImplementedError

    def turn(self, play: RacePlay) -> int:
        """Return the side that throws next: they take turns, piece by piece."""
        return (play.first + len(play.throws)) % 2

    def next_first(self, play: RacePlay, net: Pair) -> int:  # noqa: ARG002
        """Return the side that begins the next round: they take turns."""
        return 1 - play.first

    def total(self, start: int, net: int) -> int:
        """Return the score that a round's points lead to."""
        return start + net

    def verdict(self, play: RacePlay, score: Pair) -> tuple[int | None, EndReason | None]:
        """Return the winner and the reason if a finished round ends the match."""
        if self.target and max(score) >= self.target:
            return self._leader(score, EndReason.TARGET)
        if play.time_up:
            return self._leader(score, EndReason.TIME)
        return None, None

    def step(self, play: RacePlay, event: Event) -> RacePlay:
        """Return the match after ``event``; the last throw, or a count of the board, ends the round."""
        match event:
            case ThrowMade():
                return self._thrown(play, event)
            case Foul():
                return self._fouled(play, event)
            case RoundCounted(pieces):
                return self._counted(play, pieces)
            case RoundStarted(first):
                return self._opened(play, first, idle=not play.throws)
            case ScoreSet(score):
                return self._score_set(play, score, idle=not play.throws, below=self.target)
            case TimeUp():
                return self._time_up(play)
            case _:
                return Rules.step(self, play, event)

    def look(self, play: RacePlay, names: tuple[str, ...]) -> Table:  # noqa: ARG002
        """Return the pieces and what they come to so far."""
        _, net = self.count(play.throws)
        score = self._totals(play, net)
        to_throw = self.turn(play)
        return Table(
            provisional=score,
            to_throw=to_throw,
            throws_left=self._left(play),
            needs=TIME_UP if play.time_up else self._needs(score[to_throw]),
            places=lying(play.throws),
        )

    def read(self, play: RacePlay, text: str) -> Event:
        """Read a throw such as ``3`` or ``off A1>3``, or a count of the board such as ``count A 20 15 / B 5``."""
        if text.startswith("count"):
            return RoundCounted(self.words.pieces(text.removeprefix("count")))
        return self.words.throw(text, self.turn(play), next_piece(play.throws), lying(play.throws))

    def _thrown(self, play: RacePlay, throw: ThrowMade) -> RacePlay:
        self._check_side(play, throw.side)
        if not self._left(play)[throw.side]:
            raise NoThrowsLeft(f"{{}} has thrown all {self.pieces_each()} this round.", throw.side)
        if throw.side != self.turn(play):
            raise WrongTurn("{} throws now, not {}.", self.turn(play), throw.side)
        check(play.throws, throw, self.places())
        return self._after(play, (*play.throws, throw))

    def _after(self, play: RacePlay, throws: Throws) -> RacePlay:
        play = replace(play, throws=throws)
        return play if any(self._left(play)) else self._close(play)

    def _fouled(self, play: RacePlay, foul: Foul) -> RacePlay:
        """Count a foul throw as thrown: its piece is off, and what it moved lies where it lay."""
        if foul.name not in self.fouls:
            raise IllegalEvent(f"{foul.name!r} is no foul here; there is {', '.join(self.fouls) or 'none'}.")
        return self._thrown(play, ThrowMade(foul.side, next_piece(play.throws), OFF, flags=(foul.name,)))

    def _counted(self, play: RacePlay, pieces: tuple[tuple[int, Place], ...]) -> RacePlay:
        """Count a round from the board as it lies, whatever throws of it were seen."""
        for side, _ in pieces:
            self._check_side(play, side)
        return self._close(replace(play, throws=counted(pieces, self.places(), self.pieces_each())))

    def _close(self, play: RacePlay) -> RacePlay:
        points, net = self.count(play.throws)
        score = self._totals(play, net)
        first = self.next_first(play, net)
        closed = Round(play.round, points, net, score)
        after = replace(play, score=score, first=first, closed=closed, throws=())
        winner, reason = self.verdict(after, score)
        return replace(after, winner=winner, reason=reason)

    def _time_up(self, play: RacePlay) -> RacePlay:
        if play.time_up:
            raise IllegalEvent("The time is up already.")
        play = replace(play, time_up=True)
        if play.throws and self.time_ends == "after-round":
            return self._after(play, play.throws)
        winner, reason = self._leader((play.score[0], play.score[1]), EndReason.TIME)
        return replace(play, winner=winner, reason=reason, throws=())

    def _leader(self, score: Pair, reason: EndReason) -> tuple[int | None, EndReason | None]:
        if score[0] == score[1]:
            return None, (reason if self.tie == "draw" else None)
        return (0 if score[0] > score[1] else 1), reason

    def _totals(self, play: RacePlay, net: Pair) -> Pair:
        return self.total(play.score[0], net[0]), self.total(play.score[1], net[1])

    def _left(self, play: RacePlay) -> Pair:
        each = self.pieces_each()
        thrown = sum(throw.side for throw in play.throws)
        return each - len(play.throws) + thrown, each - thrown

    def _needs(self, score: int) -> str:
        return f"{self.target - score} more" if 0 <= score < self.target else ""

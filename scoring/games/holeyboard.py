"""HoleyBoard: three washers a side, holes of 1, 3 and 5, and exactly 21 on your own third throw.

A round is worked out from its throws alone, so that a correction of any of them changes all that follows from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple

from scoring.board import BOARD, OFF, Circle, HoleBoard, Place
from scoring.errors import IllegalEvent, NoThrowsLeft, WrongTurn
from scoring.events import BOUNCED_OUT, Event, Foul, RoundCounted, RoundStarted, ScoreSet, ThrowMade
from scoring.holes import Cancelling, Over, Pair, gone_over, versus
from scoring.notation import Words
from scoring.rules import AtLeastOne, Rules
from scoring.state import Claim, EndReason, Play, Round, Table
from scoring.throws import Throws, check, counted, lying, next_piece

WASHERS = 3
POINTS: Mapping[Place, int] = MappingProxyType({Place("hole", name): int(name) for name in ("1", "3", "5")})
PLACES = frozenset((*POINTS, BOARD, OFF))
FOULS = ("floor", "overhand", "stepped_off", "several_at_once")

# The American Washers association's three-hole board (12 in × 4 ft, holes a foot apart); home-made ones differ.
THREE_HOLE = HoleBoard(
    name="holeyboard",
    width_mm=305.0,
    length_mm=1219.0,
    holes=tuple(Circle(place, 44.5, centre_mm=(0.0, y)) for place, y in zip(POINTS, (305.0, 0.0, -305.0), strict=True)),
    piece_radius_mm=32.0,
    piece_hole_radius_mm=12.5,
    piece_height_mm=3.0,
)

_VALUES = tuple(POINTS.values())
_INDEX = {place.name: index for index, place in enumerate(POINTS)}
_WORDS = Words(
    places={
        **{str(value): place for place, value in POINTS.items()},
        **{str(place): place for place in POINTS},
        "board": BOARD,
        "stick": BOARD,
        "off": OFF,
        "miss": OFF,
    },
    flags={"bounced": BOUNCED_OUT},
)


@dataclass(frozen=True, slots=True)
class HoleyBoardPlay(Play):
    """A HoleyBoard match: the throws of this round, and which side has ever scored (it cannot be skunked)."""

    throws: tuple[ThrowMade, ...] = ()
    has_scored: tuple[bool, bool] = (False, False)


class _Stake(NamedTuple):
    """A claim: whose, by what, and the washer that must stay stuck, if it is one by sticking."""

    side: int
    reason: EndReason
    stuck: int | None


class _Seen(NamedTuple):
    """A round as far as it has been thrown; ``last_in`` is the side whose throw last put something in a hole."""

    points: Pair
    net: Pair
    claim: _Stake | None
    last_in: int | None


@dataclass(frozen=True)
class HoleyBoard(Rules[HoleyBoardPlay]):
    """Two sides of three washers; one side throws all of its own, then the other. Exactly 21 wins, or 11 to nothing.

    ``target`` and ``skunk`` (0: none) are the scores that win. ``cancelling`` within one hole, of the round's points,
    or none; in one hole the ``cancel_order`` says which washers of a side cancel. ``over`` is what passing the target
    costs, and ``below_zero`` lets that lead below nothing. ``void_and_win``: one throw may void the other side's claim
    and make its own. ``without_score``: who throws first after a round in which nothing went in.
    ``bounce_out_sticks``: a third washer that bounced out of a hole onto the board is stuck.
    """

    target: AtLeastOne = 21
    skunk: int = 11
    cancelling: Cancelling = "hole"
    cancel_order: Literal["earliest", "latest"] = "earliest"
    over: Over = "minus-round"
    below_zero: bool = False
    void_and_win: bool = False
    without_score: Literal["stays", "swaps"] = "stays"
    bounce_out_sticks: bool = False

    game: ClassVar[str] = "holeyboard"
    played_on: ClassVar[HoleBoard] = THREE_HOLE
    piece_word: ClassVar[str] = "washer"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "columbus-2016": {},
        "columbus-1.5": {"bounce_out_sticks": True},
    }
    how_to: ClassVar[str] = (
        "Write where the washer went: 1, 3, 5, board or off; then what it knocked, such as off A1>3; "
        "foul A floor for a foul throw. Or count a whole round: count A 1 5 board / B 3."
    )

    def begin(self, sides: int) -> HoleyBoardPlay:
        """Return the match before the first throw; side 0 are the challengers."""
        return HoleyBoardPlay(score=(0,) * sides)

    def step(self, play: HoleyBoardPlay, event: Event) -> HoleyBoardPlay:
        """Return the match after ``event``; the sixth throw ends the round."""
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
                play = self._score_set(play, score, idle=not play.throws, below=self.target)
                return replace(play, has_scored=(score[0] > 0, score[1] > 0))
            case _:
                return Rules.step(self, play, event)

    def look(self, play: HoleyBoardPlay, names: tuple[str, ...]) -> Table:
        """Return the washers, the claims that stand, and what the thrower needs."""
        seen = self._seen(play, play.throws)
        if seen.claim and self._is_lost_skunk(seen.claim, self._have_scored(play, seen)):
            seen = seen._replace(claim=None)
        score = self._scores(play, seen)
        left = [WASHERS, WASHERS]
        for throw in play.throws:
            left[throw.side] -= 1
        to_throw = _turn(play)
        claims: tuple[Claim, ...] = ()
        if seen.claim:
            side, reason, stuck = seen.claim
            claims = (Claim(side, reason, self._void_by(names[1 - side], reason, stuck)),)
        return Table(
            provisional=score,
            to_throw=to_throw,
            throws_left=(left[0], left[1]),
            claims=claims,
            needs=self._needs(play, seen, to_throw, left[to_throw], names),
            places=lying(play.throws),
        )

    def count(self, throws: Throws) -> tuple[Pair, Pair]:
        """Count the washers in the holes, each for its owner whoever knocked it in, and what is left uncancelled."""
        seen = self._seen(self.begin(2), throws)
        return seen.points, seen.net

    def read(self, play: HoleyBoardPlay, text: str) -> Event:
        """Read a throw such as ``3`` or ``off A1>3``, or a count of the board such as ``count A 1 5 / B 3``."""
        if text.startswith("count"):
            return RoundCounted(_WORDS.pieces(text.removeprefix("count")))
        return _WORDS.throw(text, _turn(play), next_piece(play.throws), lying(play.throws))

    def _thrown(self, play: HoleyBoardPlay, throw: ThrowMade) -> HoleyBoardPlay:
        throws = play.throws
        if throw.side != _turn(play):
            self._refuse_turn(play, throw.side)
        check(throws, throw, PLACES)
        throws = (*throws, throw)
        if len(throws) < 2 * WASHERS:
            return HoleyBoardPlay(play.score, play.first, play.closed, None, None, throws, play.has_scored)
        return self._ended(play, throws)

    def _fouled(self, play: HoleyBoardPlay, foul: Foul) -> HoleyBoardPlay:
        if foul.name not in FOULS:
            raise IllegalEvent(f"{foul.name!r} is no foul here; there is {', '.join(FOULS)}.")
        if not 1 <= foul.count <= WASHERS:
            raise IllegalEvent(f"A foul costs one to {WASHERS} washers, not {foul.count}.")
        for _ in range(foul.count):
            piece = next_piece(play.throws)
            before, play = play, self._thrown(play, ThrowMade(foul.side, piece, OFF, flags=(foul.name,)))
            if play.closed is not before.closed:
                break
        return play

    def _counted(self, play: HoleyBoardPlay, pieces: tuple[tuple[int, Place], ...]) -> HoleyBoardPlay:
        """Count a round from the board as it lies, the washers in the order thrown; those missing are off."""
        for side, _ in pieces:
            self._check_side(play, side)
        counted(pieces, PLACES, WASHERS)
        order: list[tuple[int, Place]] = []
        for side in (play.first, 1 - play.first):
            own = [place for owner, place in pieces if owner == side]
            order += [(side, place) for place in (*own, *[OFF] * (WASHERS - len(own)))]
        return self._ended(play, counted(order, PLACES, WASHERS))

    def _refuse_turn(self, play: HoleyBoardPlay, side: int) -> None:
        self._check_side(play, side)
        if sum(throw.side == side for throw in play.throws) == WASHERS:
            raise NoThrowsLeft(f"{{}} has thrown all {WASHERS} washers; {{}} throws.", side, 1 - side)
        raise WrongTurn("{} throws now, not {}.", _turn(play), side)

    def _seen(self, play: HoleyBoardPlay, throws: tuple[ThrowMade, ...]) -> _Seen:
        """Follow a round throw by throw: what is in the holes, and what is claimed and voided."""
        inside = ([0, 0, 0], [0, 0, 0])
        where: dict[int, tuple[int, Place]] = {}
        thrown = [0, 0]
        totals: Pair = (0, 0)
        claim: _Stake | None = None
        last_in: int | None = None
        for throw in throws:
            side, before, claimed_before = throw.side, totals, claim
            goes_in = own_in = False
            for moved in throw.moved:
                owner = where[moved.piece][0]
                where[moved.piece] = (owner, moved.to)
                if (index := _INDEX.get(moved.from_.name)) is not None:
                    inside[owner][index] -= 1
                if (index := _INDEX.get(moved.to.name)) is not None:
                    inside[owner][index] += 1
                    goes_in = True
                    own_in = own_in or owner == side
            where[throw.piece] = (side, throw.place)
            thrown[side] += 1
            cancelled = False
            if (index := _INDEX.get(throw.place.name)) is not None:
                inside[side][index] += 1
                goes_in = own_in = True
                cancelled = self._is_cancelled(inside[side][index], inside[1 - side][index])
            if goes_in or throw.moved:
                totals = self._net(inside)
            if goes_in:
                last_in = side
            if claim and self._is_void(play, claim, totals, where):
                claim = None
            if thrown[side] == WASHERS and not cancelled and (claimed_before is None or self._may_win(claim)):
                claim = self._claim(play, throw, before, totals, own_in) or claim
        points = (_points(inside[0]), _points(inside[1]))
        return _Seen(points, totals, claim, last_in)

    def _may_win(self, claim: object) -> bool:
        return self.void_and_win and claim is None

    def _is_cancelled(self, own: int, other: int) -> bool:
        """Say whether the washer that went in last is one of those cancelled."""
        if self.cancelling != "hole":
            return False
        return own <= other if self.cancel_order == "earliest" else other > 0

    def _net(self, inside: tuple[list[int], list[int]]) -> Pair:
        a, b = inside
        if self.cancelling != "hole":
            return versus(_points(a), _points(b), self.cancelling)
        total_a = total_b = 0
        for value, own, other in zip(_VALUES, a, b, strict=True):
            if own > other:
                total_a += value * (own - other)
            else:
                total_b += value * (other - own)
        return total_a, total_b

    def _claim(self, play: HoleyBoardPlay, throw: ThrowMade, before: Pair, after: Pair, own_in: bool) -> _Stake | None:
        """Return the claim that a side's third throw makes, by reaching the number or by sticking on it."""
        side = throw.side
        for number in self._winning(play, side, after):
            if play.score[side] + after[side] != number:
                continue
            reason = EndReason.EXACTLY_21 if number == 21 else EndReason.TARGET
            stuck = None
            if play.score[side] + before[side] == number:
                bounced = BOUNCED_OUT in throw.flags and not self.bounce_out_sticks
                if throw.place != BOARD or bounced:
                    continue
                reason, stuck = EndReason.STUCK_THE_VIC, throw.piece
            elif not own_in:
                continue
            if number == self.skunk and number != self.target:
                first_round = play.round == 1 and play.score[side] == 0
                reason = EndReason.FIRST_ROUND_SKUNK if first_round else EndReason.SKUNK
            return _Stake(side, reason, stuck)
        return None

    def _winning(self, play: HoleyBoardPlay, side: int, net: Pair) -> tuple[int, ...]:
        """Return the scores that side can win with now: the target, and the skunk while the other has nothing."""
        other = 1 - side
        if play.score[side] < self.skunk and not play.has_scored[other] and net[other] == 0:
            return self.target, self.skunk
        return (self.target,)

    def _is_void(
        self,
        play: HoleyBoardPlay,
        claim: _Stake,
        totals: Pair,
        where: Mapping[int, tuple[int, Place]],
    ) -> bool:
        side, reason, stuck = claim
        if stuck is not None and where[stuck][1] != BOARD:
            return True
        is_skunk = reason in (EndReason.SKUNK, EndReason.FIRST_ROUND_SKUNK)
        number = self.skunk if is_skunk else self.target
        return play.score[side] + totals[side] != number

    def _scores(self, play: HoleyBoardPlay, seen: _Seen) -> Pair:
        return self._score(play, seen, 0), self._score(play, seen, 1)

    def _score(self, play: HoleyBoardPlay, seen: _Seen, side: int) -> int:
        start, points = play.score[side], seen.net[side]
        total = start + points
        if total < self.target:
            return total
        if total > self.target:
            return gone_over(start, points, self.over, self.below_zero)
        return total if seen.claim and seen.claim[0] == side else start

    def _ended(self, play: HoleyBoardPlay, throws: tuple[ThrowMade, ...]) -> HoleyBoardPlay:
        seen = self._seen(play, throws)
        score = self._scores(play, seen)
        has_scored = self._have_scored(play, seen)
        winner = reason = None
        if seen.claim and not self._is_lost_skunk(seen.claim, has_scored):
            winner, reason, _ = seen.claim
        first = seen.last_in
        if first is None:
            first = play.first if self.without_score == "stays" else 1 - play.first
        closed = Round(play.round, seen.points, seen.net, score)
        return HoleyBoardPlay(score, first, closed, winner, reason, (), has_scored)

    def _have_scored(self, play: HoleyBoardPlay, seen: _Seen) -> tuple[bool, bool]:
        return play.has_scored[0] or seen.net[0] > 0, play.has_scored[1] or seen.net[1] > 0

    def _is_lost_skunk(self, claim: _Stake, has_scored: tuple[bool, bool]) -> bool:
        side, reason, _ = claim
        return reason in (EndReason.SKUNK, EndReason.FIRST_ROUND_SKUNK) and has_scored[1 - side]

    def _void_by(self, other: str, reason: EndReason, stuck: int | None) -> str:
        ways = ["cancelling points", "knocking in another of its washers"]
        if stuck is not None:
            ways.append("knocking the stuck washer off the board or into a hole")
        if reason in (EndReason.SKUNK, EndReason.FIRST_ROUND_SKUNK):
            ways.append("scoring anything")
        return f"{other} voids it by {', '.join(ways[:-1])} or {ways[-1]}"

    def _needs(self, play: HoleyBoardPlay, seen: _Seen, side: int, left: int, names: tuple[str, ...]) -> str:
        """Say what wins from here, the fewest washers first."""
        if not left:
            return ""
        if seen.claim and seen.claim[0] != side:
            return f"void {names[1 - side]}'s claim first"
        total = play.score[side] + seen.net[side]
        if total > self.target:
            return "nothing more: it is over, and every point costs"
        ways = [
            way if number == self.target else f"{way} for the skunk"
            for number in self._winning(play, side, seen.net)
            if (way := _way(number - total, left))
        ]
        return "; ".join(ways)


def _turn(play: HoleyBoardPlay) -> int:
    return play.first if len(play.throws) < WASHERS else 1 - play.first


def _points(inside: list[int]) -> int:
    return sum(value * count for value, count in zip(_VALUES, inside, strict=True))


def _some(value: int, count: int) -> str:
    return f"a {value}" if count == 1 else f"{'two' if count == 2 else 'three'} {value}s"


def _way(missing: int, left: int) -> str:
    if missing == 0:
        return "to stick" if left == 1 else "to throw off, then stick"
    for washers in range(1, left + 1):
        for values in combinations_with_replacement(sorted(_VALUES, reverse=True), washers):
            if sum(values) == missing:
                words = " and ".join(_some(value, values.count(value)) for value in dict.fromkeys(values))
                if washers == left:
                    return words
                return f"{words}, then stick" if washers == left - 1 else f"{words}, throw off, then stick"
    return ""


GAME = HoleyBoard

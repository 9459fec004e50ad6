"""A match that is followed by what a camera sees. It holds no clock and no camera: sightings go in, one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from api.live.happenings import Happening, MatchOver, RoundOver, Thrown
from scoring.board import Place
from scoring.errors import IllegalEvent
from scoring.events import AS_LEFT, AS_SEEN, Correction, RoundCounted, RoundStarted, ThrowMade
from scoring.match import Match
from scoring.throws import Shot, Throws
from vision.sightings import BoardSeen, Health, Lies, Occluded, Sighting, TakeoutSeen, ThrowSeen


class LiveMatch:
    """Records what is seen in ``match``, and says what it means.

    A round is what is thrown between two clearings of the board. Its points are counted from what lies where at its
    end, however many throws it had; the log of the match follows the throws, and is put right by that count where the
    two differ: people may leave a piece that the rules take off, and a camera may miss a throw.
    """

    def __init__(self, match: Match) -> None:
        """Follow ``match``. Where nothing was played yet, side 0 is the side that is seen to throw first."""
        self.match = match
        self._number = 0
        self._is_over = False
        self._begin()

    def take(self, sighting: Sighting) -> list[Happening]:
        """Return what a sighting means; a cleared board ends the round."""
        match sighting:
            case ThrowSeen():
                return [self._thrown(sighting)]
            case TakeoutSeen(t_ns, phase):
                self._hand_came = True
                return [sighting, *(self.end(t_ns) if phase == "ended" else ())]
            case Occluded():
                self._hand_came = True
                return [sighting]
            case BoardSeen() | Health():
                return [sighting]
            case _:
                raise TypeError(f"{type(sighting).__name__} is no sighting that a match knows.")

    def end(self, t_ns: int) -> list[Happening]:
        """End the round in progress, if anything was thrown in it: the board is empty, or the footage is over."""
        if not self._seen:
            return []
        happenings: list[Happening] = [self._round_over(t_ns)]
        state = self.match.state
        if state.reason and not self._is_over:
            self._is_over = True
            happenings.append(MatchOver(t_ns, state.winner, state.reason, state.score))
        self._begin()
        return happenings

    def _begin(self) -> None:
        self._number += 1
        self._seen: list[ThrowSeen] = []
        self._rounds = len(self.match.state.rounds)
        self._newest: int | None = None
        self._invalid: ThrowMade | None = None
        self._ruled: dict[int, Place] = {}
        self._newly_ruled: dict[int, Place] = {}
        self._hand_came = False

    @property
    def _is_closed(self) -> bool:
        """Whether the rules have ended the round that still lies on the board."""
        return len(self.match.state.rounds) > self._rounds

    def _thrown(self, seen: ThrowSeen) -> Thrown:
        self._seen.append(seen)
        throw = ThrowMade(
            seen.side,
            seen.piece,
            seen.place,
            seen.moved,
            seen.touched,
            seen.confidence,
            tuple(other.place for other in seen.alternatives),
            flags=(*seen.flags, AS_SEEN),
        )
        before = _before(seen)
        self._follow(before)
        doubts = list(seen.doubts)
        shot: Shot | None = None
        try:
            shot = self.match.rules.judge(before, throw)
        except IllegalEvent as error:
            doubts.append(str(error))
        self._newly_ruled, self._hand_came = {}, False
        if shot is not None and not shot.valid:
            moved = {one.piece: one.to for one in shot.throw.moved}
            self._newly_ruled = moved | {throw.piece: shot.throw.place}
            self._ruled |= self._newly_ruled
        doubts += self._record(throw, shot)
        return Thrown(seen, len(self._seen), shot, tuple(doubts))

    def _record(self, throw: ThrowMade, shot: Shot | None) -> list[str]:
        """Record a throw, and return what is doubtful about it in this match."""
        state = self.match.state
        if state.reason:
            return ["The match was over before this."]
        if self._is_closed:
            return ["Everything had been thrown in this round."]
        if not state.places and state.to_throw not in (None, throw.side):
            self.match.record(RoundStarted(throw.side))
        self._newest = self.match.record(throw)
        self._invalid = throw if shot is not None and not shot.valid else None
        return [doubt.message for doubt in self.match.state.doubts if doubt.event == self._newest]

    def _follow(self, before: Throws) -> None:
        """Take note where people left a piece on the board that the rules take off."""
        if self._invalid is None or self._newest is None:
            return
        piece, place = self._invalid.piece, self._invalid.place
        lies = any(throw.piece == piece and throw.place == place for throw in before)
        recorded = any(known.piece == piece and known.place == place for known in self.match.state.places)
        if lies and not recorded:
            left = replace(self._invalid, flags=(*self._invalid.flags, AS_LEFT))
            self.match.record(Correction(self._newest, left))

    def _round_over(self, t_ns: int) -> RoundOver:
        lies = tuple(self._taken_off(piece) for piece in self._seen[-1].lies)
        throws = _as_throws(lies, {}, self._seen)
        points, net = self.match.rules.count(throws)
        doubts: list[str] = []
        counted = RoundCounted(tuple((throw.side, throw.place) for throw in throws))
        try:
            if not self._is_closed and not self.match.state.reason:
                self.match.record(counted)
            elif self._is_closed and self._newest is not None and self.match.state.rounds[-1].points != points:
                self.match.record(Correction(self._newest, counted))
        except IllegalEvent as error:
            doubts.append(str(error))
        return RoundOver(t_ns, self._number, points, net, self.match.state.score, lies, tuple(doubts))

    def _taken_off(self, lies: Lies) -> Lies:
        """Return where a piece counts at the end: where it lies, or where the rules put it if it was taken off.

        A hand that came over the board after the last throw is trusted to have done what the rules ask.
        """
        ruled = self._newly_ruled if lies.seen else self._ruled
        if lies.seen and not self._hand_came:
            return lies
        return replace(lies, place=ruled.get(lies.piece, lies.place))


def _before(seen: ThrowSeen) -> Throws:
    """Return what lay where before a throw, as throws of a round."""
    was = {moved.piece: moved.from_ for moved in seen.moved}
    return _as_throws([lies for lies in seen.lies if lies.piece != seen.piece], was, ())


def _as_throws(lies: Sequence[Lies], was: Mapping[int, Place], thrown: Sequence[ThrowSeen]) -> Throws:
    flags = {seen.piece: seen.flags for seen in thrown}
    return tuple(
        ThrowMade(piece.side, piece.piece, was.get(piece.piece, piece.place), flags=flags.get(piece.piece, ()))
        for piece in lies
    )

"""Scripted sightings: what a camera would say of a round that somebody has made up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from calibration.calibration import Calibration
from scoring.board import Place
from scoring.events import Moved
from vision.frames import Frame
from vision.sightings import Lies, Sighting, TakeoutSeen, ThrowSeen, Watcher

S = 1_000_000_000


class Script:
    """Makes up what is seen, throw by throw; keeps where everything lies."""

    def __init__(self) -> None:
        self.seen: list[Sighting] = []
        self._lies: dict[int, Lies] = {}
        self._sides: list[int] = []

    def throw(
        self,
        side: int,
        place: str,
        moved: Mapping[int, str] | None = None,
        touched: Sequence[int] = (),
        doubts: Sequence[str] = (),
        t_s: float | None = None,
        lies_otherwise: Mapping[int, str] | None = None,
        out_of_sight: Sequence[int] = (),
    ) -> ThrowSeen:
        """One throw; ``lies_otherwise``: what people have put elsewhere meanwhile; ``out_of_sight``: what they took."""
        for piece, where in (lies_otherwise or {}).items():
            self._put(piece, where)
        piece = len(self._lies)
        moves = tuple(
            Moved(other, self._lies[other].place, Place.parse(where)) for other, where in (moved or {}).items()
        )
        for move in moves:
            self._put(move.piece, str(move.to))
        self._lies[piece] = Lies(piece, side, Place.parse(place))
        for gone in out_of_sight:
            self._lies[gone] = replace(self._lies[gone], seen=False)
        t_ns = self._next_ns(t_s)
        lies = tuple(self._lies.values())
        seen = ThrowSeen(
            t_ns, t_ns - S, side, piece, Place.parse(place), moves, tuple(touched), lies=lies, doubts=tuple(doubts)
        )
        self.seen.append(seen)
        return seen

    def takeout(self) -> Sequence[TakeoutSeen]:
        """The board is cleared: whatever is thrown next is a round of its own."""
        t_ns = self._next_ns(None)
        both = TakeoutSeen(t_ns, "started"), TakeoutSeen(t_ns + S // 2, "ended")
        self.seen += both
        self._lies = {}
        return both

    def _put(self, piece: int, place: str) -> None:
        self._lies[piece] = replace(self._lies[piece], place=Place.parse(place))

    def _next_ns(self, t_s: float | None) -> int:
        if t_s is not None:
            return round(t_s * S)
        return (self.seen[-1].t_ns if self.seen else 0) + 2 * S


class ScriptedWatcher(Watcher):
    """Says what a script says, each thing with the first frame that is not before it, as a watcher would."""

    def __init__(self, seen: Sequence[Sighting], calibration: Calibration[Any] | None = None) -> None:
        self._left = list(seen)
        self._calibration = calibration

    @property
    def calibration(self) -> Calibration[Any] | None:
        return self._calibration

    def see(self, frame: Frame) -> Sequence[Sighting]:
        due = [sighting for sighting in self._left if sighting.t_ns <= frame.t_ns]
        self._left = self._left[len(due) :]
        return due

    def end(self) -> Sequence[Sighting]:
        return self._left

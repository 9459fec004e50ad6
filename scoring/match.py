"""A match: its log of events, and the state that the log folds into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.errors import BadOption, CannotParse, IllegalEvent, MatchOver, NothingToUndo, UnknownEvent
from scoring.events import (
    AS_SEEN,
    EDITS,
    Correction,
    Edit,
    Event,
    Insertion,
    Retraction,
    event_from_json,
    event_to_json,
)
from scoring.games import ruleset as find_ruleset
from scoring.notation import with_letters
from scoring.rules import Rules
from scoring.state import Doubt, MatchState, Play, Round


class Match:
    """One match, played by one ruleset: record what happens, read ``state``.

    The log only grows. Event number n is ``log[n - 1]``. A correction, an insertion or a retraction may name any
    earlier event, also one before the end of a round or of the match; later events that no longer fit then count
    nothing and stand as doubts until somebody settles them.
    """

    def __init__(self, rules: Rules[Any], ruleset: str, options: Mapping[str, Any], sides: Sequence[str]) -> None:
        """Begin a match by rules that are settled; ``Match.start`` finds them by name."""
        if len(sides) not in rules.sides:
            allowed = " to ".join(map(str, {rules.sides[0]: 0, rules.sides[-1]: 0}))
            raise BadOption(f"{rules.game} is played by {allowed} sides, not {len(sides)}.")
        self.rules = rules
        self.ruleset = ruleset
        self.options = dict(options)
        self.sides = tuple(sides)
        self._log: list[Event] = []
        self._fold = _Fold(rules, self.sides)

    @classmethod
    def start(
        cls,
        game: str,
        ruleset: str | None = None,
        options: Mapping[str, Any] | None = None,
        sides: Sequence[str] = ("A", "B"),
    ) -> Match:
        """Begin a match. Raises ``UnknownGame`` or ``BadOption``, whose messages name what there is."""
        name, rules = find_ruleset(game, ruleset, options)
        return cls(rules, name, options or {}, sides)

    @property
    def log(self) -> tuple[Event, ...]:
        """Everything that was recorded, oldest first."""
        return tuple(self._log)

    @property
    def state(self) -> MatchState:
        """The match at this moment."""
        play = self._fold.play
        table = self.rules.look(play, self.sides)
        return MatchState(
            game=self.rules.game,
            ruleset=self.ruleset,
            sides=self.sides,
            score=play.score,
            provisional=table.provisional,
            round=play.round,
            rounds=tuple(self._fold.rounds),
            to_throw=None if play.reason else table.to_throw,
            throws_left=table.throws_left,
            claims=table.claims,
            needs="" if play.reason else table.needs,
            places=table.places,
            doubts=tuple(Doubt(number, str(error)) for number, error in self._fold.refused.items()),
            winner=play.winner,
            reason=play.reason,
        )

    def record(self, event: Event) -> int:
        """Add an event to the log and return its number.

        Raises ``IllegalEvent`` where the rules do not allow it, and then nothing has changed. An event flagged
        ``as_seen`` is recorded all the same: it counts nothing and is a doubt.
        """
        number = len(self._log) + 1
        if isinstance(event, EDITS):
            self._check_edit(event)
            fold = self._folded([*self._log, event])
            if isinstance(event, Correction | Insertion):
                self._fits(event, number, fold)
            self._fold = fold
        else:
            self._fold.add(number, event)
        self._log.append(event)
        return number

    def undo(self) -> int:
        """Take the newest event that still stands back, by recording that; return the number of the retraction."""
        standing = _standing(self._log)
        newest = next((n for n in reversed(standing) if not isinstance(self._log[n - 1], Retraction)), None)
        if newest is None:
            raise NothingToUndo("There is nothing to take back.")
        return self.record(Retraction(newest))

    def read(self, text: str, instead_of: int | None = None) -> Event:
        """Read an event as a player writes it at this moment, or as it stood before event ``instead_of``.

        A side goes by its letter or by its name: ``forfeit B``, ``forfeit Bob``.

        Raises ``CannotParse`` or ``AmbiguousEvent``; ``UnknownEvent`` where there is nothing to stand in for.
        """
        play = self._fold.play if instead_of is None else self._before(instead_of)
        event: Event
        try:
            event = self.rules.parse(play, text)
        except CannotParse:
            lettered = with_letters(text, self.sides)
            if lettered == text.lower():
                raise
            event = self.rules.parse(play, lettered)
        return event

    def to_json(self) -> dict[str, Any]:
        """Return the match as JSON values: its rules, its sides and its log."""
        return {
            "game": self.rules.game,
            "ruleset": self.ruleset,
            "options": self.options,
            "sides": list(self.sides),
            "log": [event_to_json(event) for event in self._log],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Match:
        """Read a match back; the inverse of ``to_json``. Raises ``CannotParse`` or what ``start`` and ``record`` do."""
        try:
            match = cls.start(data["game"], data["ruleset"], data["options"], data["sides"])
            log = [event_from_json(event) for event in data["log"]]
        except (KeyError, TypeError) as error:
            raise CannotParse(f"This is no match: {error} is missing or of the wrong kind.") from error
        for event in log:
            match.record(event)
        return match

    def _before(self, number: int) -> Play:
        fold = _Fold(self.rules, self.sides)
        for happened, event in _happened(self._log):
            if happened == number:
                before: Play = fold.play
                return before
            fold.add(happened, event, keep_going=True)
        raise UnknownEvent(f"Event {number} does not stand in the log, so nothing can stand in for it.")

    def _check_edit(self, edit: Edit) -> None:
        named = edit.after if isinstance(edit, Insertion) else edit.of
        first = 0 if isinstance(edit, Insertion) else 1
        if not first <= named <= len(self._log):
            raise UnknownEvent(f"There is no event {named} in the log; it has {len(self._log)}.")
        if not isinstance(edit, Insertion) and named not in _standing(self._log):
            raise IllegalEvent(f"Event {named} has been taken back already.")
        carried = None if isinstance(edit, Retraction) else _carried(edit)
        if isinstance(carried, EDITS):
            raise IllegalEvent("A correction or insertion carries something that happened, not another correction.")
        if isinstance(edit, Correction) and isinstance(self._log[named - 1], Retraction):
            raise IllegalEvent(f"Event {named} takes another one back; take it back in turn to bring that one back.")

    def _fits(self, edit: Correction | Insertion, number: int, fold: _Fold) -> None:
        place = number if isinstance(edit, Insertion) else edit.of
        if place in fold.refused and AS_SEEN not in getattr(_carried(edit), "flags", ()):
            raise fold.refused[place]

    def _folded(self, log: Sequence[Event]) -> _Fold:
        fold = _Fold(self.rules, self.sides)
        for number, event in _happened(log):
            fold.add(number, event, keep_going=True)
        return fold


class _Fold:
    """Plays events through a game, and notes the rounds they finish and the events that do not fit."""

    __slots__ = ("names", "play", "refused", "rounds", "rules")

    def __init__(self, rules: Rules[Any], names: tuple[str, ...]) -> None:
        self.rules = rules
        self.names = names
        self.play: Any = rules.begin(len(names))
        self.rounds: list[Round] = []
        self.refused: dict[int, IllegalEvent] = {}

    def add(self, number: int, event: Event, keep_going: bool = False) -> None:
        try:
            if self.play.reason is not None:
                raise MatchOver("The match is over; undo what ended it to play on.")
            play = self.rules.step(self.play, event)
        except IllegalEvent as error:
            error.names = self.names
            if not keep_going and AS_SEEN not in getattr(event, "flags", ()):
                raise
            self.refused[number] = error.with_traceback(None)
            return
        if play.closed is not self.play.closed:
            self.rounds.append(play.closed)
        self.play = play


def _carried(edit: Correction | Insertion) -> Event:
    return edit.replaced_by if isinstance(edit, Correction) else edit.event


def _standing(log: Sequence[Event]) -> list[int]:
    """Return the numbers of the events not taken back. Only later events take back, so the newest is judged first."""
    taken_back: set[int] = set()
    for number in range(len(log), 0, -1):
        event = log[number - 1]
        if number not in taken_back and isinstance(event, Retraction):
            taken_back.add(event.of)
    return [number for number in range(1, len(log) + 1) if number not in taken_back]


def _happened(log: Sequence[Event]) -> Iterator[tuple[int, Event]]:
    """Yield what happened, in order, with the number each event is known by."""
    standing = set(_standing(log))
    order: list[int] = [0]
    events: dict[int, Event] = {}
    for number, event in enumerate(log, start=1):
        match event:
            case Retraction():
                continue
            case Correction(of, replaced_by):
                if number in standing:
                    events[_origin(log, of)] = replaced_by
            case Insertion(after, inserted):
                order.insert(order.index(_origin(log, after)) + 1, number)
                events[number] = inserted
            case _:
                order.append(number)
                events[number] = event
    for number in order[1:]:
        if number in standing:
            yield number, events[number]


def _origin(log: Sequence[Event], number: int) -> int:
    """Return the number of the event that a correction is about, through corrections of corrections."""
    while number and isinstance(named := log[number - 1], Correction | Retraction):
        number = named.of
    return number

"""What a game is: its options, how it begins, what an event does to it, and what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

from scoring.board import Board
from scoring.errors import BadOption, CannotParse, IllegalEvent, NotInThisGame, UnknownGame, WrongTurn
from scoring.events import Event, Forfeit, Takeout, ThrowMade, event_to_json
from scoring.holes import Pair
from scoring.notation import common
from scoring.state import EndReason, Play, Round, Table
from scoring.throws import Shot, Throws

P = TypeVar("P", bound=Play)
AtLeastOne = Annotated[int, 1]
"""An option that counts something no game can do without."""


@dataclass(frozen=True)
class Rules(Generic[P]):
    """A game with its options settled. The fields of a game's class are its options; their defaults, its main ruleset.

    A game keeps nothing: ``step`` takes what was and returns what is, so an event that is refused changes nothing.
    """

    game: ClassVar[str]
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]]
    sides: ClassVar[range] = range(2, 3)
    how_to: ClassVar[str]
    played_on: ClassVar[Board | None] = None
    throw_word: ClassVar[str] = "throw"
    piece_word: ClassVar[str] = "piece"

    def begin(self, sides: int) -> P:
        """Return the game before the first throw."""
        raise NotImplementedError

    def step(self, play: P, event: Event) -> P:
        """Return the game after ``event``. Raises ``IllegalEvent`` where the rules do not allow it."""
        match event:
            case Takeout():
                return play
            case Forfeit(side):
                return self._forfeited(play, side)
            case _:
                kind = event_to_json(event)["type"].replace("_", " ")
                raise NotInThisGame(f"There is no {kind} in {self.game}. {self.how_to}")

    def look(self, play: P, names: tuple[str, ...]) -> Table:
        """Return what is on the table; ``names`` are what the sides are called."""
        raise NotImplementedError

    def count(self, throws: Throws) -> tuple[Pair, Pair]:  # noqa: ARG002
        """Return what each side's pieces count after ``throws``, and what that comes to for each side.

        It is the same in every round, whatever the score. Raises ``NotInThisGame`` where no pieces are thrown.
        """
        raise NotInThisGame(f"{self.game} is not counted from what lies where. {self.how_to}")

    def judge(self, throws: Throws, throw: ThrowMade) -> Shot | None:  # noqa: ARG002
        """Judge a throw as it was seen, after the ``throws`` of its round; None where any throw is as good as another.

        Raises ``UnknownPiece`` where it cannot have happened.
        """
        return None

    def parse(self, play: P, text: str) -> Event:
        """Read an event as a player writes it. Raises ``CannotParse`` or ``AmbiguousEvent``."""
        text = text.lower()
        return common(text) or self.read(play, text)

    def scored(
        self,
        play: P,
        points: tuple[int, ...],
        net: tuple[int, ...],
        first: int,
        reason: EndReason | None = None,
        winner: int | None = None,
    ) -> P:
        """Return the game with its round closed: ``net`` is added to the score, and ``first`` begins the next round."""
        score = tuple(before + gain for before, gain in zip(play.score, net, strict=True))
        closed = Round(play.round, points, net, score)
        return replace(play, score=score, closed=closed, first=first, reason=reason, winner=winner)

    def read(self, play: P, text: str) -> Event:  # noqa: ARG002
        """Read an event that is this game's own."""
        raise CannotParse(f"{text!r} is nothing that happens in {self.game}. {self.how_to}")

    def _score_set(self, play: P, score: tuple[int, ...], idle: bool, below: int) -> P:
        if not idle:
            raise IllegalEvent("The score can be set between rounds; this one has begun.")
        if len(score) != len(play.score) or min(score) < 0:
            raise IllegalEvent(f"A score is {len(play.score)} whole numbers from 0, one for each side.")
        if below and max(score) >= below:
            raise IllegalEvent(f"A match to {below} is over at {max(score)}; set a lower score.")
        return replace(play, score=score)

    def _opened(self, play: P, first: int | None, idle: bool) -> P:
        if not idle:
            raise IllegalEvent("A round starts when the one before it is over; this one has begun.")
        if first is None:
            return play
        self._check_side(play, first)
        return replace(play, first=first)

    def _check_side(self, play: P, side: int) -> None:
        if not 0 <= side < len(play.score):
            sides = range(len(play.score))
            raise IllegalEvent(f"There is no such side; there is {', '.join('{}' for _ in sides)}.", *sides)

    def _check_turn(self, play: P, side: int, turn: int) -> None:
        self._check_side(play, side)
        if side != turn:
            raise WrongTurn("It is {}'s turn, not {}'s.", turn, side)

    def _forfeited(self, play: P, side: int) -> P:
        self._check_side(play, side)
        if len(play.score) != 2:
            raise IllegalEvent("Only a match of two sides ends when one of them gives it up.")
        return replace(play, winner=1 - side, reason=EndReason.FORFEIT)


def settle(kind: type[Rules[Any]], ruleset: str | None, options: Mapping[str, Any] | None) -> tuple[str, Rules[Any]]:
    """Return a ruleset's name and the game played by it with ``options`` changed.

    Raises ``UnknownGame`` for a ruleset the game does not have, ``BadOption`` for an option or a value it cannot take.
    """
    name = next(iter(kind.rulesets)) if ruleset is None else ruleset
    if name not in kind.rulesets:
        raise UnknownGame(f"{kind.game} has no ruleset {name!r}; it has {', '.join(kind.rulesets)}.")
    hints = get_type_hints(kind, include_extras=True)
    known = [field.name for field in fields(kind)]
    values: dict[str, Any] = {}
    for key, value in {**kind.rulesets[name], **(options or {})}.items():
        if key not in known:
            raise BadOption(f"{kind.game} has no option {key!r}; it has {', '.join(known) or 'none'}.")
        values[key] = _fit(key, value, hints[key])
    return name, kind(**values)


def _fit(key: str, value: Any, hint: Any) -> Any:
    if get_origin(hint) is Literal:
        choices = get_args(hint)
        choice = str(value) if type(value) is int else value
        if choice not in choices:
            raise BadOption(f"{key} is one of {', '.join(choices)}, not {value!r}.")
        return choice
    if hint is bool:
        if not isinstance(value, bool):
            raise BadOption(f"{key} is true or false, not {value!r}.")
        return value
    least = 1 if hint == AtLeastOne else 0
    if type(value) is not int or value < least:
        raise BadOption(f"{key} is a whole number from {least}, not {value!r}.")
    return value

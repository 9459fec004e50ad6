"""What can happen in a match: the only thing that is kept, and all that a score is made from.

An event says what was seen or called, not what it scored. ``Correction``, ``Insertion`` and ``Retraction`` change what
earlier events said without touching the log: numbers count from 1, in the order recorded.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from typing import TYPE_CHECKING, Any

from scoring.board import Place
from scoring.errors import CannotParse

if TYPE_CHECKING:
    from collections.abc import Callable

AS_SEEN = "as_seen"
"""Flag: recorded as the camera saw it, even where the rules do not allow it; then it counts nothing and is a doubt."""

AS_LEFT = "as_left"
"""Flag: everything lies as the throw says because people left it so, whatever the rules do with such a throw."""

BOUNCED_OUT = "bounced_out"
"""Flag: the washer dropped into a hole and bounced out again; ``place`` is where it came to lie."""

STAR = "star"
"""Flag: the washer was the star."""

STAR_CALLED = "star_called"
"""Flag: the washer was the star, and it was called before the throw."""

ON_LINE = "on_line"
"""Flag: the disc touches the line between its place and the next better one; its place is the lower one."""

TOUCHED_DITCH = "touched_ditch"
"""Flag: the disc left the board or touched something out of play, even if it came back."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a match."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A piece that a throw moved, from the place it lay in to the one it came to lie in."""

    piece: int
    from_: Place
    to: Place


@dataclass(frozen=True, slots=True)
class RoundStarted(Event):
    """A round begins; ``first`` is the side that throws first, where people say so rather than the rules."""

    first: int | None = None


@dataclass(frozen=True, slots=True)
class ThrowMade(Event):
    """A washer, disc, bag, shoe or ball was thrown and everything has settled.

    ``piece`` numbers the pieces of a round in the order thrown, from 0. ``place`` is where the thrown piece lies,
    ``moved`` what else changed its place, ``touched`` what it touched, directly or by a chain. ``confidence`` (0 to 1),
    ``alternatives`` and ``evidence`` (a clip's name) are the camera's.
    """

    side: int
    piece: int
    place: Place
    moved: tuple[Moved, ...] = ()
    touched: tuple[int, ...] = ()
    confidence: float = 1.0
    alternatives: tuple[Place, ...] = ()
    evidence: str | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Foul(Event):
    """A side broke a rule of play; ``name`` is the game's word for it, ``flags`` what was chosen about it."""

    side: int
    name: str
    count: int = 1
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Takeout(Event):
    """Somebody took the pieces off the board. It scores nothing and ends no turn."""


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    """The round is over, where it takes a person to say so."""


@dataclass(frozen=True, slots=True)
class RoundCounted(Event):
    """A whole round counted from what lies on the board: each piece's side and place, as a picture or a person says."""

    pieces: tuple[tuple[int, Place], ...]


@dataclass(frozen=True, slots=True)
class ScoreSet(Event):
    """People say what the score is, between rounds: a match begun elsewhere, a head start, or rounds nobody saw."""

    score: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Forfeit(Event):
    """A side gives the match up: it came too late, walked off, or was sent off."""

    side: int


@dataclass(frozen=True, slots=True)
class TimeUp(Event):
    """The time for the match has run out."""


@dataclass(frozen=True, slots=True)
class Called(Event):
    """A side says something the rules know: ``stop``, ``pass``, ``go``, ``knock``, ``bank``, ``ten``."""

    side: int
    word: str


@dataclass(frozen=True, slots=True)
class DiceRolled(Event):
    """A side rolls dice, and they show these pips: those in the cup alone, not those set aside."""

    side: int
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DiceKept(Event):
    """A side sets dice of its last roll aside."""

    side: int
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CardCut(Event):
    """The starter card is cut. Cards are written rank and suit, such as ``5H``, ``10S``, ``JD``."""

    card: str


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """A side lays a card."""

    side: int
    card: str


@dataclass(frozen=True, slots=True)
class HandsShown(Event):
    """Hands are laid open: whose, and the cards."""

    hands: tuple[tuple[int, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class ChipPlaced(Event):
    """A side puts a chip on the board, row and column from 0; a two-eyed jack ``replaces`` another's."""

    side: int
    row: int
    column: int
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class ChipTaken(Event):
    """A side takes another side's chip off the board with a one-eyed jack."""

    side: int
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class RoundScored(Event):
    """People say what a round came to for each side, in games where nothing of the round itself is followed."""

    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RallyWon(Event):
    """A side won the rally."""

    side: int


@dataclass(frozen=True, slots=True)
class Correction(Event):
    """Event number ``of`` was wrong; ``replaced_by`` is what happened instead."""

    of: int
    replaced_by: Event


@dataclass(frozen=True, slots=True)
class Insertion(Event):
    """An event nobody recorded, straight after event number ``after`` (0: before everything)."""

    after: int
    event: Event


@dataclass(frozen=True, slots=True)
class Retraction(Event):
    """Event number ``of`` is taken back; taking back a retraction brings its event back."""

    of: int


Edit = Correction | Insertion | Retraction
EDITS = (Correction, Insertion, Retraction)


def event_to_json(event: Event) -> dict[str, Any]:
    """Return an event as a JSON object: its type, and every field that differs from the usual."""
    out: dict[str, Any] = {"type": _type_name(type(event))}
    for field in fields(event):
        value = getattr(event, field.name)
        if field.default is MISSING or value != field.default:
            out[field.name] = _plain(value)
    return out


def event_from_json(data: Any) -> Event:
    """Read an event back; the inverse of ``event_to_json``. Raises ``CannotParse``."""
    name = data.get("type") if isinstance(data, dict) else None
    if not isinstance(name, str) or name not in _KINDS:
        raise CannotParse(f"An event needs a type, one of {', '.join(_KINDS)}; got {data!r}.")
    kind = _KINDS[name]
    known = {field.name: field for field in fields(kind)}
    values = {key: value for key, value in data.items() if key != "type"}
    if unknown := values.keys() - known.keys():
        raise CannotParse(f"{name} has no {', '.join(sorted(unknown))}; it has {', '.join(known) or 'no fields'}.")
    missing = [key for key, field in known.items() if field.default is MISSING and key not in values]
    if missing:
        raise CannotParse(f"{name} lacks {', '.join(missing)}.")
    try:
        return kind(**{key: _READERS[str(known[key].type)](value) for key, value in values.items()})
    except CannotParse:
        raise
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise CannotParse(f"{data!r} is no {name}: {error}.") from error


def _type_name(kind: type[Event]) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in kind.__name__).lstrip("_")


def _plain(value: Any) -> Any:
    if isinstance(value, Event):
        return event_to_json(value)
    if isinstance(value, Moved):
        return {"piece": value.piece, "from": str(value.from_), "to": str(value.to)}
    if isinstance(value, Place):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def _int(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is no whole number")
    return value


def _float(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _place(value: Any) -> Place:
    return Place.parse(_text(value))


def _moved(value: Any) -> Moved:
    return Moved(_int(value["piece"]), _place(value["from"]), _place(value["to"]))


def _piece(value: Any) -> tuple[int, Place]:
    side, place = value
    return _int(side), _place(place)


def _hand(value: Any) -> tuple[int, tuple[str, ...]]:
    side, cards = value
    return _int(side), tuple(_text(card) for card in cards)


def _bool(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is neither true nor false")
    return value


def _many(read: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    def read_all(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise TypeError(f"{value!r} is no list")
        return tuple(read(item) for item in value)

    return read_all


def _or_none(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


_READERS: dict[str, Callable[[Any], Any]] = {
    "int": _int,
    "bool": _bool,
    "int | None": _or_none(_int),
    "float": _float,
    "str": _text,
    "str | None": _or_none(_text),
    "Place": _place,
    "Event": event_from_json,
    "tuple[int, ...]": _many(_int),
    "tuple[str, ...]": _many(_text),
    "tuple[Place, ...]": _many(_place),
    "tuple[Moved, ...]": _many(_moved),
    "tuple[tuple[int, Place], ...]": _many(_piece),
    "tuple[tuple[int, tuple[str, ...]], ...]": _many(_hand),
}

_KINDS: dict[str, type[Event]] = {
    _type_name(kind): kind
    for kind in (
        RoundStarted, ThrowMade, Foul, Takeout, RoundEnded, RoundCounted, ScoreSet, Forfeit, TimeUp, Called,
        DiceRolled, DiceKept, CardCut, CardPlayed, HandsShown, ChipPlaced, ChipTaken, RoundScored, RallyWon,
        Correction, Insertion, Retraction,
    )
}  # fmt: skip

"""What happened in a match as people confirmed it: the rows that are kept, and the match they fold into."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from scoring.board import Place
from scoring.events import RoundCounted
from scoring.match import Match
from vision.still import SideLook

PLAIN_NAMES = ("A", "B")


@dataclass(frozen=True, slots=True)
class MatchBegun:
    """A new match, by the rules named; a side without a name goes by its colour."""

    game: str
    names: tuple[str | None, str | None] = (None, None)
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RoundTaken:
    """One round counted: whose piece lay where, and what each side looked like."""

    reading_id: str
    pieces: tuple[tuple[int, Place], ...]
    looks: tuple[SideLook, ...]


@dataclass(frozen=True, slots=True)
class RoundTakenBack:
    """The newest round is counted no more."""


Entry = MatchBegun | RoundTaken | RoundTakenBack


def fold(entries: Sequence[Entry]) -> Match:
    """Play a journal, which begins with its ``MatchBegun``, into the match as it stands."""
    begun = entries[0]
    assert isinstance(begun, MatchBegun)
    names = tuple(name or plain for name, plain in zip(begun.names, PLAIN_NAMES, strict=True))
    match = Match.start(begun.game, options=begun.options or None, sides=(names[0], names[1]))
    for entry in entries[1:]:
        if isinstance(entry, RoundTaken):
            match.record(RoundCounted(entry.pieces))
        elif isinstance(entry, RoundTakenBack):
            match.undo()
    return match


def standing_rounds(entries: Iterable[Entry]) -> list[RoundTaken]:
    """Return the rounds that count, oldest first: all but those taken back."""
    rounds: list[RoundTaken] = []
    for entry in entries:
        if isinstance(entry, RoundTaken):
            rounds.append(entry)
        elif isinstance(entry, RoundTakenBack):
            rounds.pop()
    return rounds


def to_json(entry: Entry) -> tuple[str, dict[str, Any]]:
    """Return an entry's kind and its fields, ready to be written."""
    if isinstance(entry, MatchBegun):
        return "match_begun", asdict(entry)
    if isinstance(entry, RoundTaken):
        pieces = [[side, str(place)] for side, place in entry.pieces]
        return "round_taken", {
            "reading_id": entry.reading_id,
            "pieces": pieces,
            "looks": [asdict(look) for look in entry.looks],
        }
    return "round_taken_back", {}


def from_json(kind: str, fields: dict[str, Any]) -> Entry:
    """Read an entry back; the inverse of ``to_json``."""
    if kind == "match_begun":
        first, second = fields["names"]
        return MatchBegun(fields["game"], (first, second), fields["options"])
    if kind == "round_taken":
        return RoundTaken(
            fields["reading_id"],
            tuple((side, Place.parse(place)) for side, place in fields["pieces"]),
            tuple(SideLook(look["side"], look["colour"], tuple(look["bgr"])) for look in fields["looks"]),
        )
    if kind == "round_taken_back":
        return RoundTakenBack()
    raise ValueError(f"a journal row of kind {kind!r}, which this version of Tallycam does not know")

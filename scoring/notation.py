"""How players write down what happened, one event a line, in capitals or not.

A throw is a place (``3``, ``off``, ``board``), then what it moved (``A1>5``: A's first piece went to the 5), what it
touched (``+B2``), and words such as ``star``. ``B: 3`` says whose throw it was.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.board import Place
from scoring.errors import AmbiguousEvent, CannotParse, UnknownPiece
from scoring.events import Event, Forfeit, Foul, Moved, RoundEnded, RoundStarted, ScoreSet, Takeout, ThrowMade, TimeUp
from scoring.state import Lying

LETTERS = "ABCDEFGHIJ"


@dataclass(frozen=True, slots=True)
class Words:
    """A game's words: what its places are called, and the flags a throw can carry."""

    places: Mapping[str, Place]
    flags: Mapping[str, str]

    def throw(self, text: str, side: int, piece: int, lying: tuple[Lying, ...]) -> ThrowMade:
        """Read a throw by ``side`` of its piece ``piece``, with the pieces of this round where they lie."""
        side, text = whose(text, side)
        place: Place | None = None
        moved: list[Moved] = []
        touched: list[int] = []
        flags: list[str] = []
        for word in text.lower().split():
            if ">" in word:
                name, _, to = word.partition(">")
                hit = _piece(name, lying)
                moved.append(Moved(hit.piece, hit.place, self.place(to)))
            elif word.startswith("+"):
                touched.append(_piece(word[1:], lying).piece)
            elif word in self.flags:
                flags.append(self.flags[word])
            elif place is None:
                place = self.place(word)
            else:
                raise CannotParse(f"A throw ends in one place, not in both {place} and {word}.")
        if place is None:
            raise CannotParse(f"{text!r} does not say where the throw ended: {self.choices}.")
        return ThrowMade(side, piece, place, tuple(moved), tuple(touched), flags=tuple(flags))

    def place(self, word: str) -> Place:
        """Read a place."""
        try:
            return self.places[word]
        except KeyError:
            raise CannotParse(f"{word!r} is no place here; a piece can be in {self.choices}.") from None

    def pieces(self, text: str) -> tuple[tuple[int, Place], ...]:
        """Read what lies on the board side by side: ``A 20 15 15 / B 5``."""
        return tuple((side, self.place(word.lower())) for side, words in by_side(text) for word in words)

    @property
    def choices(self) -> str:
        """The words for places, one for each."""
        words = {place: word for word, place in reversed(list(self.places.items()))}
        return ", ".join(word for word, place in self.places.items() if words[place] == word)


def side_of(word: str) -> int:
    """Read a side's letter."""
    if len(word) == 1 and word.upper() in LETTERS:
        return LETTERS.index(word.upper())
    raise CannotParse(f"{word!r} is no side; sides are written A, B and so on.")


def by_side(text: str) -> list[tuple[int, list[str]]]:
    """Split ``A 20 15 / B 5`` into each side and its words."""
    parts = [part.split() for part in text.split("/")]
    if not all(parts):
        raise CannotParse("Write each side's letter and what it has, such as A 20 15 / B 5.")
    return [(side_of(name), words) for name, *words in parts]


def whose(text: str, side: int) -> tuple[int, str]:
    """Split ``B: 3`` into the side and the rest; without a letter it is ``side``'s."""
    name, colon, rest = text.partition(":")
    if colon and (rest.startswith(" ") or len(name) == 1):
        return side_of(name.strip()), rest.strip()
    return side, text


def with_letters(text: str, names: Sequence[str]) -> str:
    """Return ``text`` in small letters, and with a side's letter for its name where a line may say whose it is."""
    text = text.lower()
    letters = {name.lower(): LETTERS[side] for side, name in enumerate(names) if len(name) > 1}
    if not letters:
        return text
    any_name = "|".join(re.escape(name) for name in sorted(letters, key=len, reverse=True))
    return re.sub(
        rf"(^(?:(?:count|show|knock|first|forfeit|foul)\s+)?|/\s*)({any_name})(?=\s*:|\s|$)",
        lambda found: found[1] + letters[found[2]],
        text,
    )


def numbers(words: list[str]) -> tuple[int, ...]:
    """Read whole numbers, apart or joined by dashes, colons or commas."""
    try:
        return tuple(int(number) for word in words for number in re.split("[-:,]", word) if number)
    except ValueError:
        raise CannotParse(f"{' '.join(words)!r} is not written in whole numbers.") from None


def common(text: str) -> Event | None:
    """Read what is written the same in every game; None where ``text`` is nothing of that."""
    match text.split():
        case ["forfeit", side]:
            return Forfeit(side_of(side))
        case ["foul", side, name, *flags] if all(flag.isalnum() for flag in flags):
            count = next((int(flag) for flag in flags if flag.isdecimal()), 1)
            return Foul(side_of(side), name, count, tuple(flag for flag in flags if not flag.isdecimal()))
        case ["first", side]:
            return RoundStarted(side_of(side))
        case ["score", *score]:
            return ScoreSet(numbers(score))
        case ["time"]:
            return TimeUp()
        case ["takeout"]:
            return Takeout()
        case ["end"]:
            return RoundEnded()
        case ["forfeit" | "first" as word, *_]:
            raise CannotParse(f"Say which side, and no more: {word} A.")
        case ["foul", *_]:
            raise CannotParse("Say whose foul, and which: foul A floor.")
    return None


def _piece(name: str, lying: tuple[Lying, ...]) -> Lying:
    side = side_of(name[:1])
    own = [piece for piece in lying if piece.side == side]
    if name[1:].isdecimal():
        if not 1 <= int(name[1:]) <= len(own):
            raise UnknownPiece(f"{LETTERS[side]} has thrown {len(own)} this round; there is no {name.upper()}.")
        return own[int(name[1:]) - 1]
    if len(own) > 1:
        names = ", ".join(f"{LETTERS[side]}{i} ({piece.place})" for i, piece in enumerate(own, start=1))
        raise AmbiguousEvent(f"Which of {LETTERS[side]}'s: {names}?")
    if not own:
        raise UnknownPiece(f"{LETTERS[side]} has thrown nothing this round.")
    return own[0]

"""What is wrong with how one throw was told, in the game's words."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from api.live.words import lying, named
from api.measure.tolerances import LIES_MM
from api.measure.truth import TrueThrow
from scoring.notation import LETTERS

Line = Mapping[str, Any]
NONE = -1
"""The number of a piece that was told and is none."""
_SUNK = ("20", "ditch", "off")


@dataclass(frozen=True, slots=True)
class Told:
    """A throw as it was told, with the true number of every piece, ``NONE`` for one that is none."""

    line: Line
    numbers: Mapping[int, int]
    piece_word: str

    def number(self, piece: int) -> int:
        """Return the true number of a piece that was told."""
        return self.numbers.get(piece, NONE)

    def name(self, piece: int) -> str:
        """Return what a piece is called in a difference."""
        return f"{self.piece_word} {piece}" if piece != NONE else f"a {self.piece_word} that is none"

    def lies(self) -> dict[int, Line]:
        """Return where every piece was told to lie, by its true number."""
        return {self.number(piece["piece"]): piece for piece in self.line["places"]}


def faults(throw: TrueThrow, told: Told, known: Collection[int]) -> list[str]:
    """Return what was told otherwise than it was; ``known`` are the pieces told so far in this round."""
    line = told.line
    found = []
    if line["side"] != throw.side:
        found.append(f"said it was {LETTERS[line['side']]}'s, was {LETTERS[throw.side]}'s")
    if not same_place(line["place"], throw.place):
        found.append(f"said {lying(line['place'])}, was {lying(throw.place)}")
    if throw.moved is not None:
        found += _moved(throw.moved, told)
    if throw.touched is not None:
        touched = {told.number(piece) for piece in line["touched"]}
        if touched != throw.touched:
            found.append(f"said it touched {_all(touched, told)}, it touched {_all(throw.touched, told)}")
    found += _lying(throw, told, known)
    if throw.valid is not None and line.get("valid") is not None and line["valid"] != throw.valid:
        good = {True: "valid", False: "not valid"}
        found.append(f"said {good[line['valid']]}, was {good[throw.valid]}")
    return found


def misplaced(throw: TrueThrow, told: Told) -> list[str]:
    """Return which of the pieces that moved lie elsewhere, by more than is allowed.

    How a round board is turned in the picture is nobody's business: the distance from its middle is compared. Nor is
    where exactly a piece lies that is in a hole, in the ditch or off.
    """
    lies, found = told.lies(), []
    for piece in sorted({throw.piece, *(throw.touched or ())}):
        said, was_mm = lies.get(piece), (throw.lies_mm or {}).get(piece)
        if said is None or said["centre_mm"] is None or was_mm is None or (throw.places or {}).get(piece) in _SUNK:
            continue
        off_mm = abs(math.hypot(*said["centre_mm"]) - math.hypot(*was_mm))
        if off_mm > LIES_MM:
            found.append(f"said {told.name(piece)} lies {off_mm:.1f} mm from where it does")
    return found


def same_place(said: str, was: str) -> bool:
    """Whether a place is the right one; what lies on the start line belongs in the ditch, so both are right."""
    return said == was or (was == "line" and said == "ditch")


def _moved(moved: frozenset[tuple[int, str, str]], told: Told) -> list[str]:
    said = {(told.number(m["piece"]), m["from"], m["to"]) for m in told.line["moved"] if m["from"] != m["to"]}
    found = [f"said {_move(*move, told)}, which it did not" for move in sorted(said - moved)]
    return found + [f"did not say that {_move(*move, told)}" for move in sorted(moved - said)]


def _lying(throw: TrueThrow, told: Told, known: Collection[int]) -> list[str]:
    """Compare where all the other pieces lie."""
    lies, found = told.lies(), []
    for piece, place in (throw.places or {}).items():
        said = lies.get(piece)
        if piece == throw.piece or piece not in known:
            continue
        if said is None:
            found.append(f"did not say that {told.name(piece)} is {lying(place)}")
        elif not same_place(said["place"], place):
            found.append(f"said that {told.name(piece)} is {lying(said['place'])}, was {lying(place)}")
    return found


def _move(piece: int, from_: str, to: str, told: Told) -> str:
    return f"{told.name(piece)} went from {named(from_)} to {named(to)}"


def _all(pieces: Collection[int], told: Told) -> str:
    return " and ".join(told.name(piece) for piece in sorted(pieces)) or "nothing"

"""Sequence: chips on a board of ten by ten, five in a row, and jacks that are wild."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scoring.board import Place
from scoring.errors import CannotParse, IllegalEvent, UnknownPlace
from scoring.events import ChipPlaced, ChipTaken, Event, RoundEnded, RoundStarted
from scoring.notation import numbers, whose
from scoring.rules import AtLeastOne, Rules
from scoring.state import EndReason, Lying, Play, Table

SIZE = 10
IN_A_ROW = 5
CORNERS = frozenset((row, column) for row in (0, SIZE - 1) for column in (0, SIZE - 1))
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SequencePlay(Play):
    """A match of sequence: whose turn, whose chip lies on each cell, and the sequences declared in this round."""

    turn: int = 0
    chips: tuple[tuple[Cell, int], ...] = ()
    sequences: tuple[tuple[int, frozenset[Cell]], ...] = ()


@dataclass(frozen=True)
class Sequence(Rules[SequencePlay]):
    """Two or three sides. ``rounds`` are won by five in a row: one sequence the first, then ``later_sequences``.

    A second sequence may share one chip with the first. A declared sequence is never broken. The board is followed,
    not the hands: which card allowed a chip is the players' affair. A round that ends with no card left is nobody's.
    """

    rounds: AtLeastOne = 3
    first_sequences: AtLeastOne = 1
    later_sequences: AtLeastOne = 2

    game: ClassVar[str] = "good-sam-sequence"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"good-sam": {}}
    sides: ClassVar[range] = range(2, 4)
    how_to: ClassVar[str] = (
        "Write 3 7 for a chip in row 3, column 7; jack 3 7 to replace a chip; take 3 7 to remove one; "
        "end when no card is left."
    )

    def begin(self, sides: int) -> SequencePlay:
        """Return the match before the first chip, by side 0."""
        return SequencePlay(score=(0,) * sides)

    def step(self, play: SequencePlay, event: Event) -> SequencePlay:
        """Return the match after a chip was placed or taken."""
        match event:
            case ChipPlaced(side, row, column, replaces):
                return self._placed(play, side, (row, column), replaces)
            case ChipTaken(side, row, column):
                return self._taken(play, side, (row, column))
            case RoundEnded():
                return self._finished(play, None)
            case RoundStarted(first):
                after = self._opened(play, first, idle=not play.chips and play.turn == play.first)
                return replace(after, turn=after.first)
            case _:
                return Rules.step(self, play, event)

    def look(self, play: SequencePlay, names: tuple[str, ...]) -> Table:
        """Return the chips, whose turn it is, and how many sequences win this round."""
        sequences = self._needed(play)
        words = f"{names[play.turn]} plays; {'one sequence wins' if sequences == 1 else f'{sequences} sequences win'}"
        places = tuple(Lying(side, n, _place(cell)) for n, (cell, side) in enumerate(play.chips))
        return Table(play.score, play.turn, needs=words, places=places)

    def read(self, play: SequencePlay, text: str) -> Event:
        """Read a chip placed or taken; rows and columns count from 1."""
        side, text = whose(text, play.turn)
        words = text.split()
        word = words.pop(0) if words and words[0] in ("jack", "take") else ""
        cell = numbers(words)
        if len(cell) != 2:
            raise CannotParse(f"{text!r} is no cell of the board. {self.how_to}")
        row, column = cell[0] - 1, cell[1] - 1
        return ChipTaken(side, row, column) if word == "take" else ChipPlaced(side, row, column, word == "jack")

    def _placed(self, play: SequencePlay, side: int, cell: Cell, replaces: bool) -> SequencePlay:
        self._check_turn(play, side, play.turn)
        owner = self._owner(play, cell)
        if replaces:
            self._check_loose(play, side, cell, owner)
        elif owner is not None:
            raise IllegalEvent(f"A chip lies on {_in_words(cell)} already.")
        chips = (*((other, whose) for other, whose in play.chips if other != cell), (cell, side))
        declared = play.sequences
        while (new := _sequence(cell, side, dict(chips), declared)) is not None:
            declared = (*declared, (side, new))
        if sum(owner == side for owner, _ in declared) >= self._needed(play):
            return self._finished(play, side)
        return replace(play, chips=chips, sequences=declared, turn=self._after(play, side))

    def _taken(self, play: SequencePlay, side: int, cell: Cell) -> SequencePlay:
        self._check_turn(play, side, play.turn)
        self._check_loose(play, side, cell, self._owner(play, cell))
        chips = tuple((other, whose) for other, whose in play.chips if other != cell)
        return replace(play, chips=chips, turn=self._after(play, side))

    def _owner(self, play: SequencePlay, cell: Cell) -> int | None:
        if not (0 <= cell[0] < SIZE and 0 <= cell[1] < SIZE) or cell in CORNERS:
            raise UnknownPlace(f"No chip goes on {_in_words(cell)}: the board is {SIZE} by {SIZE}, its corners wild.")
        return next((side for other, side in play.chips if other == cell), None)

    def _check_loose(self, play: SequencePlay, side: int, cell: Cell, owner: int | None) -> None:
        if owner is None or owner == side:
            raise IllegalEvent(f"No other side's chip lies on {_in_words(cell)}.")
        if any(cell in cells for _, cells in play.sequences):
            raise IllegalEvent("A chip of a declared sequence stays.")

    def _needed(self, play: SequencePlay) -> int:
        return self.first_sequences if play.round == 1 else self.later_sequences

    def _after(self, play: SequencePlay, side: int) -> int:
        return (side + 1) % len(play.score)

    def _finished(self, play: SequencePlay, side: int | None) -> SequencePlay:
        net = tuple(int(n == side) for n in range(len(play.score)))
        first = self._after(play, play.first)
        over = play.round >= self.rounds
        totals = [before + gain for before, gain in zip(play.score, net, strict=True)]
        leader = totals.index(max(totals)) if over and totals.count(max(totals)) == 1 else None
        after = self.scored(play, net, net, first, EndReason.ROUNDS_PLAYED if over else None, leader)
        return replace(after, turn=first, chips=(), sequences=())


def _place(cell: Cell) -> Place:
    return Place("cell", f"{cell[0] + 1}-{cell[1] + 1}")


def _in_words(cell: Cell) -> str:
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def _sequence(
    cell: Cell, side: int, chips: Mapping[Cell, int], declared: tuple[tuple[int, frozenset[Cell]], ...]
) -> frozenset[Cell] | None:
    """Return five in a row through ``cell`` that share at most one chip with each sequence declared."""
    for down, across in _DIRECTIONS:
        for back in range(IN_A_ROW):
            cells = frozenset((cell[0] + (n - back) * down, cell[1] + (n - back) * across) for n in range(IN_A_ROW))
            if all(each in CORNERS or chips.get(each) == side for each in cells) and all(
                len((cells & other) - CORNERS) <= 1 for _, other in declared
            ):
                return cells
    return None


GAME = Sequence

"""Ppolf: coins flicked from tile to tile, eighteen holes, fewest flicks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scoring.board import OFF, Place
from scoring.errors import CannotParse, UnknownPiece, UnknownPlace, WrongTurn
from scoring.events import Event, Moved, RoundStarted, ThrowMade
from scoring.notation import LETTERS, side_of, whose
from scoring.rules import AtLeastOne, Rules
from scoring.state import EndReason, Lying, Play, Table

HOLES = tuple(f"{suit} {rank}" for suit in ("red", "blue", "green") for rank in ("blank", "ace", "2", "3", "4", "5"))
HOLED = Place("hole", "current")
MM = "mm"
"""Kind of a measured place: how far a coin lies from the hole, such as ``mm:340``."""

OFF_TABLE = "off_table"
"""Flag: the coin left the table and was put back where ``place`` says, for a penalty flick."""

TILE_OFF = "tile_off"
"""Flag: a tile was knocked off the table and put back, for a penalty flick."""


@dataclass(frozen=True, slots=True)
class PpolfPlay(Play):
    """A game of ppolf: each player's flicks on this hole, how far its coin lies, and who flicks in this turn of all.

    A distance is None before the tee-off, and -1 when the coin is holed. ``order`` holds those still to flick.
    """

    flicks: tuple[int, ...] = ()
    distances_mm: tuple[int | None, ...] = ()
    order: tuple[int, ...] = ()


@dataclass(frozen=True)
class Ppolf(Rules[PpolfPlay]):
    """One to ten players; holes are rounds, and the lowest total wins. Alone, the player wins by beating ``par``.

    The tee-off order rotates by one at every hole; after it the nearest flicks first. Within ``putt_mm`` of the hole,
    two tile widths, a player flicks on until the coin is in.
    """

    holes: AtLeastOne = 18
    putt_mm: int = 102
    par: int = 36

    game: ClassVar[str] = "ppolf"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"piecepack": {}}
    sides: ClassVar[range] = range(1, 11)
    how_to: ClassVar[str] = (
        "Write how far the coin lies from the hole in mm, or in; out if it left the table and was put back there, tile "
        "if a tile did; B>in, B>off or B>120 for a coin it moved."
    )

    def begin(self, sides: int) -> PpolfPlay:
        """Return the game on the first tee, side 0 first."""
        return self._tee(PpolfPlay(score=(0,) * sides))

    def step(self, play: PpolfPlay, event: Event) -> PpolfPlay:
        """Return the game after a flick."""
        match event:
            case ThrowMade():
                return self._flicked(play, event)
            case RoundStarted(first):
                return self._tee(self._opened(play, first, idle=not any(play.flicks)))
            case _:
                return Rules.step(self, play, event)

    def look(self, play: PpolfPlay, names: tuple[str, ...]) -> Table:  # noqa: ARG002
        """Return the flicks so far, whose turn it is, and where the coins lie."""
        score = tuple(total + flicks for total, flicks in zip(play.score, play.flicks, strict=True))
        places = tuple(
            Lying(side, side, HOLED if far < 0 else Place(MM, str(far)))
            for side, far in enumerate(play.distances_mm)
            if far is not None
        )
        return Table(score, play.order[0], needs=f"to the {HOLES[(play.round - 1) % len(HOLES)]}", places=places)

    def read(self, play: PpolfPlay, text: str) -> Event:
        """Read a flick."""
        side, text = whose(text, play.order[0])
        place: Place | None = None
        flags: list[str] = []
        moved: list[Moved] = []
        for word in text.split():
            if ">" in word:
                name, _, to = word.partition(">")
                moved.append(self._read_moved(play, side_of(name), to))
            elif word in ("out", "tile"):
                flags.append(OFF_TABLE if word == "out" else TILE_OFF)
            else:
                place = _read_place(word)
        if place is None:
            raise CannotParse(f"{text!r} does not say where the coin lies. {self.how_to}")
        return ThrowMade(side, side, place, tuple(moved), flags=tuple(flags))

    def _read_moved(self, play: PpolfPlay, coin: int, to: str) -> Moved:
        if coin >= len(play.score):
            raise UnknownPiece(f"Nobody plays {LETTERS[coin]}.")
        return Moved(coin, Place(MM, str(play.distances_mm[coin])), OFF if to == "off" else _read_place(to))

    def _flicked(self, play: PpolfPlay, flick: ThrowMade) -> PpolfPlay:
        side = flick.side
        self._check_side(play, side)
        if side != play.order[0]:
            raise WrongTurn("{} flicks now, not {}.", play.order[0], side)
        if flick.piece != side:
            raise UnknownPiece(f"{{}} flicks its own coin, {side}, not {flick.piece}.", side)
        distances = list(play.distances_mm)
        distances[side] = _distance_mm(flick.place)
        penalties = (OFF_TABLE in flick.flags) + flick.flags.count(TILE_OFF)
        for moved in flick.moved:
            coin = moved.piece
            if coin == side or not 0 <= coin < len(distances) or not _on_table(play, coin):
                name = LETTERS[coin] if 0 <= coin < len(distances) else coin
                raise UnknownPiece(f"Coin {name} is not on the table, or flicked itself; it cannot be moved.")
            if moved.to == OFF:
                penalties += 1
            else:
                distances[coin] = _distance_mm(moved.to)
        flicks = tuple(n + (1 + penalties if who == side else 0) for who, n in enumerate(play.flicks))
        return self._moves_on(replace(play, flicks=flicks, distances_mm=tuple(distances)))

    def _moves_on(self, play: PpolfPlay) -> PpolfPlay:
        """Say who flicks next; a hole that everybody has finished is a round."""
        if 0 <= _far(play, play.order[0]) <= self.putt_mm:
            return play
        order = tuple(who for who in play.order[1:] if play.distances_mm[who] != -1)
        if not order:
            players = len(play.score)
            tee = [(play.first + n) % players for n in range(players)]
            order = tuple(sorted((who for who in tee if _on_table(play, who)), key=lambda who: _far(play, who)))
        if not order:
            return self._holed(play)
        return replace(play, order=order)

    def _holed(self, play: PpolfPlay) -> PpolfPlay:
        first = (play.first + 1) % len(play.score)
        over = play.round >= self.holes
        totals = [total + flicks for total, flicks in zip(play.score, play.flicks, strict=True)]
        winner = totals.index(min(totals)) if over and totals.count(min(totals)) == 1 else None
        if len(totals) == 1 and totals[0] >= self.par:
            winner = None
        reason = EndReason.ROUNDS_PLAYED if over else None
        return self._tee(self.scored(play, play.flicks, play.flicks, first, reason, winner))

    def _tee(self, play: PpolfPlay) -> PpolfPlay:
        players = len(play.score)
        order = tuple((play.first + n) % players for n in range(players))
        return replace(play, flicks=(0,) * players, distances_mm=(None,) * players, order=order)


def _far(play: PpolfPlay, side: int) -> int:
    """Return how far a coin that has been teed off lies, in mm, or -1 in the hole."""
    far = play.distances_mm[side]
    assert far is not None
    return far


def _on_table(play: PpolfPlay, side: int) -> bool:
    return play.distances_mm[side] not in (None, -1)


def _read_place(word: str) -> Place:
    if word == "in":
        return HOLED
    if word.isdecimal():
        return Place(MM, word)
    raise CannotParse(f"{word!r} is no distance; write whole millimetres, or in.")


def _distance_mm(place: Place) -> int:
    if place == HOLED:
        return -1
    if place.kind == MM and place.name.isdecimal():
        return int(place.name)
    raise UnknownPlace(f"A coin lies some millimetres from the hole, such as mm:340, or is {HOLED}; not {place}.")


GAME = Ppolf

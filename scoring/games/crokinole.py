"""Crokinole: discs flicked at a hole in the middle of a ringed board.

The board's figures are those of tournament boards; real boards differ, and calibration measures them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from scoring.board import DITCH, Circle, Place, RingBoard
from scoring.errors import UnknownPiece, UnknownPlace
from scoring.events import AS_LEFT, ON_LINE, TOUCHED_DITCH, Moved, ThrowMade
from scoring.holes import Pair
from scoring.notation import Words
from scoring.race import Race, RacePlay
from scoring.rules import AtLeastOne
from scoring.state import EndReason
from scoring.throws import Shot, Throws, called, lying

TWENTY = Place("zone", "20")
FIFTEEN = Place("zone", "15")
TEN = Place("zone", "10")
FIVE = Place("zone", "5")

BOARD = RingBoard(
    name="crokinole",
    hole=Circle(TWENTY, radius_mm=17.5),
    zones=(
        Circle(FIFTEEN, radius_mm=101.6, width_mm=1.6),
        Circle(TEN, radius_mm=203.2, width_mm=1.6),
        Circle(FIVE, radius_mm=304.8, width_mm=1.6),
    ),
    edge_mm=330.0,
    piece_radius_mm=16.0,
    piece_height_mm=9.0,
)

_CENTRE = (TWENTY, FIFTEEN)
_ON_BOARD = (FIFTEEN, TEN, FIVE)
_TOURNAMENT: Mapping[str, Any] = {
    "scoring": "two-point",
    "target": 0,
    "rounds": 4,
    "tie": "draw",
    "centre_by_any_disc": True,
}

POINTS: Mapping[str, int] = MappingProxyType({"20": 20, "15": 15, "10": 10, "5": 5, "ditch": 0, "off": 0})


def points(place: Place) -> int:
    """Return what a disc counts in ``place``. Raises ``UnknownPlace`` for one that no crokinole board has."""
    try:
        return POINTS[str(place)]
    except KeyError:
        raise UnknownPlace(f"A crokinole board has no {place}; it has {', '.join(POINTS)}.") from None


@dataclass(frozen=True)
class Crokinole(Race):
    """Two players or two partnerships; the side whose discs count more takes the difference, to 100.

    ``scoring``: a round's difference, each side's own count, or two points for a round and one each for a tie.
    ``target`` ends the match (0: none), ``rounds`` ends it after so many (0: no limit). ``discs`` a side has.
    ``centre_rule``: with no opposing disc on the board, a shot must reach the 15 line.
    ``centre_by_any_disc``: any own disc of that shot may reach it, as tournaments play it.
    """

    target: int = 100
    scoring: Literal["difference", "cumulative", "two-point"] = "difference"
    rounds: int = 0
    discs: AtLeastOne = 12
    centre_rule: bool = True
    centre_by_any_disc: bool = False

    game: ClassVar[str] = "crokinole"
    played_on: ClassVar[RingBoard] = BOARD
    throw_word: ClassVar[str] = "shot"
    piece_word: ClassVar[str] = "disc"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "standard": {},
        "nca-singles": {**_TOURNAMENT, "discs": 8},
        "nca-doubles": {**_TOURNAMENT, "discs": 12},
    }
    words: ClassVar[Words] = Words(
        places={name: Place.parse(name) for name in POINTS},
        flags={"line": ON_LINE, "ditched": TOUCHED_DITCH},
    )
    how_to: ClassVar[str] = (
        "Write where the shot ended: 20, 15, 10, 5, ditch; line if it touches the better zone's line; +A1 for a disc "
        "it touched, A1>ditch for one it moved. Or count a whole round: count A 20 15 / B 10 5."
    )

    def pieces_each(self) -> int:
        """Return the discs a side."""
        return self.discs

    def places(self) -> Collection[Place]:
        """Return the zones, the ditch and off the table."""
        return tuple(self.words.places.values())

    def count(self, throws: Throws) -> tuple[Pair, Pair]:
        """Count the discs in the zones and the 20s, and what the round then gives each side."""
        counts = [0, 0]
        for disc in lying(throws):
            counts[disc.side] += points(disc.place)
        count = (counts[0], counts[1])
        return count, self._net(count)

    def verdict(self, play: RacePlay, score: Pair) -> tuple[int | None, EndReason | None]:
        """Return the winner and the reason if a finished round ends the match; a tournament game may be drawn."""
        if self.rounds and play.closed and play.closed.number >= self.rounds:
            return self._leader(score, EndReason.ROUNDS_PLAYED)
        return super().verdict(play, score)

    def judge(self, throws: Throws, throw: ThrowMade) -> Shot:
        """Apply the shot rules to a shot as it was seen, after the ``throws`` of the round before it.

        A shot that had to touch an opposing disc and did not goes to the ditch, with every own disc it touched.
        """
        on_board = {disc.piece: disc.side for disc in lying(throws) if disc.place in _ON_BOARD}
        hit = {*throw.touched, *(moved.piece for moved in throw.moved)}
        if strangers := hit - on_board.keys():
            raise UnknownPiece(f"{called(throws, min(strangers))} is not on the board; a shot cannot touch it.")
        place = DITCH if TOUCHED_DITCH in throw.flags else throw.place
        throw = replace(throw, place=place)
        if any(side != throw.side for side in on_board.values()):
            if any(on_board[piece] != throw.side for piece in hit):
                return Shot(True, "", throw)
            return Shot(False, "touched no opposing disc", self._ditched(throws, throw, hit))
        if self.centre_rule and not self._reaches_centre(throw):
            return Shot(False, "did not reach the 15 line", replace(throw, place=DITCH))
        return Shot(True, "", throw)

    def _thrown(self, play: RacePlay, throw: ThrowMade) -> RacePlay:
        after = super()._thrown(play, throw)
        if AS_LEFT in throw.flags:
            return after
        judged = self.judge(play.throws, throw)
        return after if judged.throw is throw else self._after(play, (*play.throws, judged.throw))

    def _ditched(self, throws: Throws, throw: ThrowMade, hit: set[int]) -> ThrowMade:
        moved = tuple(Moved(disc.piece, disc.place, DITCH) for disc in lying(throws) if disc.piece in hit)
        return replace(throw, place=DITCH, moved=moved)

    def _reaches_centre(self, throw: ThrowMade) -> bool:
        if throw.place in _CENTRE or (throw.place == TEN and ON_LINE in throw.flags):
            return True
        return self.centre_by_any_disc and any(moved.to in _CENTRE for moved in throw.moved)

    def _left(self, play: RacePlay) -> Pair:
        """Return the shots each side has left; when the time is up, the side with fewer takes one more."""
        left = super()._left(play)
        return (left[0] - min(left), left[1] - min(left)) if play.time_up else left

    def _net(self, count: Pair) -> Pair:
        if self.scoring == "cumulative":
            return count
        ahead = count[0] - count[1]
        if self.scoring == "difference":
            return max(ahead, 0), max(-ahead, 0)
        return (1, 1) if ahead == 0 else (2, 0) if ahead > 0 else (0, 2)


GAME = Crokinole

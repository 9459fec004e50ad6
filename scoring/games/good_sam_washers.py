"""Washers: a board of holes, a star washer worth more in the centre, and house rules for other boards."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from scoring.board import BOARD, OFF, Circle, HoleBoard, Place
from scoring.errors import IllegalEvent
from scoring.events import STAR, STAR_CALLED, ThrowMade
from scoring.holes import Cancelling, Over, Pair, gone_over, net
from scoring.notation import Words
from scoring.race import Race, RacePlay
from scoring.rules import AtLeastOne
from scoring.throws import Throws, lying

CENTRE = Place("hole", "centre")
STAR_POINTS = 5
HOLES: Mapping[str, Mapping[Place, int]] = {
    "five-hole": {
        Place("hole", "lower-left"): 1,
        Place("hole", "lower-right"): 1,
        Place("hole", "upper-left"): 2,
        Place("hole", "upper-right"): 2,
        CENTRE: 3,
    },
    "three-hole": {Place("hole", "1"): 1, Place("hole", "3"): 3, Place("hole", "5"): 5},
}


# Nobody publishes this board's measures. Ours is 2 × 3 ft with 4 in holes, and is measured anew in every picture.
FIVE_HOLE = HoleBoard(
    name="good-sam-washers",
    width_mm=610.0,
    length_mm=914.0,
    holes=tuple(
        Circle(place, 51.0, centre_mm=centre_mm)
        for place, centre_mm in zip(
            HOLES["five-hole"],
            ((-170.0, 230.0), (170.0, 230.0), (-170.0, -230.0), (170.0, -230.0), (0.0, 0.0)),
            strict=True,
        )
    ),
    piece_radius_mm=32.0,
    piece_hole_radius_mm=12.5,
    piece_height_mm=3.0,
)


@dataclass(frozen=True)
class Washers(Race):
    """Two sides throw washers in turn; opposing washers in one hole cancel; 21 or more at the end of a round wins.

    ``board`` and ``washers`` a side. ``throws``: washer by washer, or one side all of its own first. ``exact``: only
    the exact target wins, and ``over`` is what passing it costs. ``cancelling`` hole for hole, by the round's points,
    or none. ``uncalled_star``: a star nobody called counts as a plain washer or nothing. ``next_round`` begins with the
    other side, or with the one that scored.
    """

    board: Literal["five-hole", "three-hole"] = "five-hole"
    washers: AtLeastOne = 5
    throws: Literal["in-turn", "side-by-side"] = "in-turn"
    cancelling: Cancelling = "hole"
    exact: bool = False
    over: Over = "minus-round"
    uncalled_star: Literal["plain", "nothing"] = "plain"
    next_round: Literal["other-side", "scorer"] = "other-side"

    game: ClassVar[str] = "good-sam-washers"
    played_on: ClassVar[HoleBoard] = FIVE_HOLE
    piece_word: ClassVar[str] = "washer"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "good-sam": {},
        "three-hole": {"board": "three-hole", "washers": 4},
    }
    fouls: ClassVar[tuple[str, ...]] = ("ground", "foot")
    words: ClassVar[Words] = Words(
        places={
            "ll": Place("hole", "lower-left"),
            "lr": Place("hole", "lower-right"),
            "ul": Place("hole", "upper-left"),
            "ur": Place("hole", "upper-right"),
            "centre": CENTRE,
            "center": CENTRE,
            **{place.name: place for holes in HOLES.values() for place in holes},
            "board": BOARD,
            "off": OFF,
            "miss": OFF,
        },
        flags={"star": STAR, "called": STAR_CALLED},
    )
    how_to: ClassVar[str] = (
        "Write where the washer went: ll, lr, ul, ur, centre, board or off (three-hole boards: 1, 3, 5); "
        "centre called for a star that was called; off A1>centre for a knock; foul A ground. "
        "Or count a whole round, without stars: count A ll centre / B ur."
    )

    def pieces_each(self) -> int:
        """Return the washers a side."""
        return self.washers

    def places(self) -> Collection[Place]:
        """Return the holes of this board, the board and off it."""
        return (*HOLES[self.board], BOARD, OFF)

    def count(self, throws: Throws) -> tuple[Pair, Pair]:
        """Count the washers in the holes, each for its owner whoever knocked it in."""
        thrown = {throw.piece: throw for throw in throws}
        holes: dict[Place, tuple[list[int], list[int]]] = {hole: ([], []) for hole in HOLES[self.board]}
        for washer in lying(throws):
            if washer.place in holes:
                holes[washer.place][washer.side].append(self._worth(thrown[washer.piece], washer.place))
        inside = list(holes.values())
        return net(inside, "none"), net(inside, self.cancelling)

    def turn(self, play: RacePlay) -> int:
        """Return the side that throws next."""
        if self.throws == "in-turn":
            return super().turn(play)
        return play.first if len(play.throws) < self.washers else 1 - play.first

    def next_first(self, play: RacePlay, net: Pair) -> int:
        """Return the side that begins the next round."""
        if self.next_round == "scorer":
            return play.first if net[0] == net[1] else 0 if net[0] > net[1] else 1
        return 1 - play.first

    def total(self, start: int, net: int) -> int:
        """Return the score after a round, where going over the target may cost something."""
        if self.exact and start + net > self.target:
            return gone_over(start, net, self.over)
        return start + net

    def _worth(self, throw: ThrowMade, hole: Place) -> int:
        if STAR_CALLED in throw.flags:
            return STAR_POINTS if hole == CENTRE else HOLES[self.board][hole]
        if STAR in throw.flags and self.uncalled_star == "nothing":
            return 0
        return HOLES[self.board][hole]

    def _thrown(self, play: RacePlay, throw: ThrowMade) -> RacePlay:
        stars = [t for t in (*play.throws, throw) if t.side == throw.side and {STAR, STAR_CALLED} & set(t.flags)]
        if len(stars) > 1:
            raise IllegalEvent("{} has one star, and it has been thrown.", throw.side)
        return super()._thrown(play, throw)


GAME = Washers

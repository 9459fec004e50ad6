"""What a board is: its shapes in millimetres, and which place on it a piece lies in.

The board frame has its origin at the middle of the board, x to the right and y towards the viewer's feet, as in
a picture; on a washer board the thrower's feet. A board is data; the rules that a piece touching a line counts the
lower value, and that a washer is in the hole its middle has gone into, live here, once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

PointMm = tuple[float, float]


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a piece lies, in the words of the game: a hole, a zone, the board, the ditch, or off."""

    kind: str
    name: str = ""

    def __str__(self) -> str:
        """Return the place as files and screens write it: ``15``, ``hole:1``, ``board``, ``ditch``, ``off``."""
        if self.kind == "zone":
            return self.name
        return f"{self.kind}:{self.name}" if self.name else self.kind

    @classmethod
    def parse(cls, text: str) -> Place:
        """Read a place back from its text; the inverse of ``str``."""
        if text in ("board", "ditch", "off", "ground"):
            return cls(text)
        kind, colon, name = text.partition(":")
        return cls(kind, name) if colon else cls("zone", text)


BOARD = Place("board")
DITCH = Place("ditch")
OFF = Place("off")


@dataclass(frozen=True, slots=True)
class Circle:
    """A round shape on the board: a painted line (its middle and its width) or the rim of a hole (width 0)."""

    place: Place
    radius_mm: float
    width_mm: float = 0.0
    centre_mm: PointMm = (0.0, 0.0)

    @property
    def inner_edge_mm(self) -> float:
        """Radius of the edge that a piece lying inside meets first."""
        return self.radius_mm - self.width_mm / 2

    def distance_mm(self, point_mm: PointMm) -> float:
        """Return how far ``point_mm`` is from this circle's centre."""
        return math.dist(point_mm, self.centre_mm)


@dataclass(frozen=True, slots=True)
class Call:
    """The place a piece is called in, and how near that call was.

    ``margin_mm`` is the distance from the piece's rim to the line that would change the call (never negative), and
    ``otherwise`` the place it would then be in.
    """

    place: Place
    margin_mm: float
    otherwise: Place


@dataclass(frozen=True, slots=True)
class RingBoard:
    """A board of concentric scoring lines round a hole, such as crokinole's.

    ``zones`` are the areas inside each line, innermost first; a piece belongs to the first whose line it clears.
    A piece that clears none is in the ditch: crokinole takes a disc that touches the outermost line off the board.
    """

    name: str
    hole: Circle
    zones: tuple[Circle, ...]
    edge_mm: float
    piece_radius_mm: float
    piece_height_mm: float

    def call(self, centre_mm: PointMm, radius_mm: float | None = None) -> Call:
        """Say which place a disc lying at ``centre_mm`` is in, by its rim at board level.

        A disc is in the hole when its centre is as near to the hole's as the play of a disc lying flat in it allows,
        and one millimetre for the measurement; a disc that leans or straddles counts the zone around.
        """
        radius_mm = self.piece_radius_mm if radius_mm is None else radius_mm
        play_mm = max(self.hole.radius_mm - radius_mm, 0.0) + 1.0
        off_hole_mm = self.hole.distance_mm(centre_mm)
        bounds = [(self.hole.place, play_mm - off_hole_mm)]
        bounds += [(z.place, z.inner_edge_mm - (z.distance_mm(centre_mm) + radius_mm)) for z in self.zones]
        places = [place for place, _ in bounds] + [DITCH]
        index = next((i for i, (_, clear_mm) in enumerate(bounds) if clear_mm > 0), len(bounds))
        neighbours = [
            (abs(clear_mm), places[i + 1] if i == index else places[i])
            for i, (_, clear_mm) in enumerate(bounds)
            if i in (index, index - 1)
        ]
        margin_mm, otherwise = min(neighbours)
        return Call(places[index], margin_mm, otherwise)


@dataclass(frozen=True, slots=True)
class HoleBoard:
    """A plank with holes that washers are thrown at, such as HoleyBoard's three in a line.

    ``width_mm`` lies along x and ``length_mm`` along y; the end nearest the thrower is at ``y = +length_mm / 2``.
    ``holes`` are their rims, those nearest the thrower first. A piece is a ring of ``piece_radius_mm`` outside and
    ``piece_hole_radius_mm`` inside, ``piece_height_mm`` thick.
    """

    name: str
    width_mm: float
    length_mm: float
    holes: tuple[Circle, ...]
    piece_radius_mm: float
    piece_hole_radius_mm: float
    piece_height_mm: float

    @property
    def corners_mm(self) -> tuple[PointMm, PointMm, PointMm, PointMm]:
        """The plank's corners: near-left, near-right, far-right, far-left, as the thrower sees them."""
        x, y = self.width_mm / 2, self.length_mm / 2
        return (-x, y), (x, y), (x, -y), (-x, -y)

    def beside_mm(self, point_mm: PointMm) -> float:
        """Return how far ``point_mm`` is outside the plank's outline; negative over the plank."""
        x, y = abs(point_mm[0]) - self.width_mm / 2, abs(point_mm[1]) - self.length_mm / 2
        return math.hypot(max(x, 0.0), max(y, 0.0)) + min(max(x, y), 0.0)

    def call(self, centre_mm: PointMm, radius_mm: float | None = None) -> Call:  # noqa: ARG002 any washer tips alike
        """Say which place a washer with its middle at ``centre_mm`` is in.

        A washer whose middle is inside a hole's rim has nothing under its centre of mass: it drops. One that only lies
        over the rim is on the board. ``margin_mm`` is how far its middle is from the rim or the plank's edge that
        decides; the size of the washer changes nothing.
        """
        outside_mm, hole = min(
            ((hole.distance_mm(centre_mm) - hole.radius_mm, hole) for hole in self.holes), key=lambda pair: pair[0]
        )
        if outside_mm < 0:
            return Call(hole.place, -outside_mm, BOARD)
        beside_mm = self.beside_mm(centre_mm)
        if beside_mm > 0:
            return Call(OFF, beside_mm, BOARD)
        margin_mm, otherwise = min((outside_mm, hole.place), (-beside_mm, OFF))
        return Call(BOARD, margin_mm, otherwise)


Board: TypeAlias = RingBoard | HoleBoard
"""Any board a camera can find."""

"""Follow the discs of one shot through the frames, from where they lay to where they stop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration.calibration import Floats
from vision.shots.assign import assign
from vision.sides import LIGHTNESS

# A flick hardly sends a disc faster (mm a second).
FASTEST = 3500.0
USUAL_NS = 33_000_000
FASTER = 1.2
# So many frames it takes to tell how fast a disc is.
YOUNG = 4
SLACK_MM = 22.0
# A disc not seen for so long is not looked for any more.
LOST_NS = 600_000_000
# A colour this far off (L*a*b*) costs as much as a place this far off (mm).
COLOUR_UNIT = 12.0
COLOUR_MM = 12.0
UNMATCHED = 160.0**2
OTHER_COLOUR = 42.0


@dataclass(frozen=True, slots=True)
class Spot:
    """A disc as one frame shows it: where it would lie (mm), and its colour (L*a*b*, L halved)."""

    at_mm: Floats
    lab: Floats


@dataclass(frozen=True, slots=True)
class Glimpse:
    """One frame of a shot: the discs that are not where they lay, and the pieces that still lie there.

    ``hand_mm2`` is how much of the board something else hides.
    """

    t_ns: int
    spots: tuple[Spot, ...]
    still: frozenset[int]
    hand_mm2: float = 0.0


@dataclass(slots=True)
class Track:
    """The way of one disc; ``piece`` is its number, or None for one that came from outside."""

    piece: int | None
    lab: Floats
    t_ns: list[int] = field(default_factory=list)
    at_mm: list[Floats] = field(default_factory=list)

    @property
    def velocity(self) -> Floats:
        """Millimetres a second, over the last frames."""
        if len(self.t_ns) < 2:
            return np.zeros(2)
        back = min(2, len(self.t_ns) - 1)
        if back == 2 and self.t_ns[-1] - self.t_ns[-2] < 0.6 * (self.t_ns[-2] - self.t_ns[-3]):
            back = 1
        step: Floats = (self.at_mm[-1] - self.at_mm[-1 - back]) / ((self.t_ns[-1] - self.t_ns[-1 - back]) / 1e9)
        return step

    @property
    def travel_mm(self) -> float:
        """How far it has come, as the crow flies at most."""
        way = np.array(self.at_mm)
        return float(np.hypot(*(way - way[0]).T).max())

    def passes_mm(self, point_mm: Floats) -> float:
        """Return how near it came to a point, between the frames too."""
        way = np.array(self.at_mm)
        starts, steps = way[:-1], np.diff(way, axis=0)
        if not len(steps):
            return float(np.hypot(*(way[0] - point_mm)))
        along = ((point_mm - starts) * steps).sum(1) / np.maximum((steps * steps).sum(1), 1e-9)
        nearest = starts + np.clip(along, 0, 1)[:, None] * steps
        return float(np.hypot(*(nearest - point_mm).T).min())

    def add(self, t_ns: int, spot: Spot) -> None:
        """Take in where the disc is now."""
        self.t_ns.append(t_ns)
        self.at_mm.append(spot.at_mm)
        self.lab = 0.8 * self.lab + 0.2 * spot.lab


def follow(glimpses: Sequence[Glimpse], lying: Mapping[int, Spot], radius_mm: float) -> list[Track]:
    """Return the ways of all discs that moved; ``lying`` are those that lay on the board before, by number."""
    moving: list[Track] = []
    resting = dict(lying)
    times = np.array([glimpse.t_ns for glimpse in glimpses])
    before_ns = int(times[0] - (np.median(np.diff(times)) if len(times) > 1 else USUAL_NS)) if glimpses else 0
    for glimpse in glimpses:
        alive = [t for t in moving if glimpse.t_ns - t.t_ns[-1] < LOST_NS or glimpse.hand_mm2 > 0]
        stirred = [piece for piece in resting if piece not in glimpse.still]
        _link(glimpse, before_ns, alive, stirred, resting, moving, radius_mm)
        before_ns = glimpse.t_ns
    return moving


def _link(
    glimpse: Glimpse,
    before_ns: int,
    alive: list[Track],
    stirred: list[int],
    resting: dict[int, Spot],
    moving: list[Track],
    radius_mm: float,
) -> None:
    if not glimpse.spots:
        return
    spots = glimpse.spots
    rows: list[list[float]] = []
    fastest = max([_speed(track) for track in alive], default=FASTEST)
    obstacles = [resting[piece].at_mm for piece in resting]
    for track in alive:
        gap_s = (glimpse.t_ns - track.t_ns[-1]) / 1e9
        velocity = track.velocity
        reach = SLACK_MM + min(FASTER * fastest, FASTEST) * min(gap_s, 0.3)
        others = obstacles + [t.at_mm[-1] for t in alive if t is not track]
        expected = _until_contact(track.at_mm[-1], velocity * min(gap_s, 0.3), others, 2 * radius_mm)
        rows.append([_cost(track.at_mm[-1], expected, track.lab, spot, reach) for spot in spots])
    step_s = max((glimpse.t_ns - before_ns) / 1e9, 1e-3)
    for piece in stirred:
        at = resting[piece].at_mm
        rows.append([_cost(at, at, resting[piece].lab, spot, SLACK_MM + FASTEST * step_s * 0.7) for spot in spots])
    taken: set[int] = set()
    if rows:
        costs = np.array(rows)
        chosen = assign(np.hstack([costs, np.full((len(rows), len(rows)), UNMATCHED)]))
        for row, column in enumerate(chosen):
            if column >= len(spots) or costs[row, column] >= UNMATCHED:
                continue
            taken.add(column)
            if row < len(alive):
                alive[row].add(glimpse.t_ns, spots[column])
            else:
                piece = stirred[row - len(alive)]
                lay = resting.pop(piece)
                track = Track(piece, lay.lab, [before_ns], [lay.at_mm])
                track.add(glimpse.t_ns, spots[column])
                moving.append(track)
    for column, spot in enumerate(spots):
        if column not in taken:
            moving.append(Track(None, spot.lab, [glimpse.t_ns], [spot.at_mm]))


def _speed(track: Track) -> float:
    """Return how fast a disc was over its last frames (mm a second): nothing it strikes can be faster."""
    if len(track.t_ns) < YOUNG:
        return FASTEST
    way, times = np.array(track.at_mm[-5:]), np.array(track.t_ns[-5:])
    return float((np.hypot(*np.diff(way, axis=0).T) / (np.diff(times) / 1e9)).max())


def _cost(last: Floats, expected: Floats, lab: Floats, spot: Spot, reach_mm: float) -> float:
    if float(np.hypot(*(spot.at_mm - last))) > reach_mm:
        return UNMATCHED
    off_colour = float(np.linalg.norm((spot.lab - lab) * LIGHTNESS))
    if off_colour > OTHER_COLOUR:
        return UNMATCHED
    away = spot.at_mm - expected
    return float(away @ away) + (COLOUR_MM * off_colour / COLOUR_UNIT) ** 2


def _until_contact(at: Floats, step: Floats, others: Sequence[Floats], contact_mm: float) -> Floats:
    """Return where a disc is after ``step``, or where it first meets another: discs do not pass through each other."""
    length = float(np.hypot(*step))
    if length < 1e-6:
        return at
    way = step / length
    shortest = length
    for other in others:
        ahead = float((other - at) @ way)
        aside = float(abs((other - at) @ np.array([-way[1], way[0]])))
        if ahead > 0 and aside < contact_mm:
            shortest = min(shortest, max(ahead - float(np.sqrt(contact_mm**2 - aside**2)), 0.0))
    return at + way * shortest

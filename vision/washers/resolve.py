"""What happened between two quiet moments: which washer came to lie where, as explains most of what was seen.

Every washer must be somewhere. Those thrown and those displaced are given the rings, holes and spots on the ground that
are new, in the combination that costs least; a cost is how unlikely that is, as a negative logarithm. How much less
likely the next best combination is tells how sure the answer is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibration.calibration import Floats
from scoring.board import OFF, Circle, HoleBoard, Place
from vision.washers.flights import Path
from vision.washers.pieces import ALIKE, DIFFERENT, Colour, Piece, apart
from vision.washers.rings import Ring

MOST_COMBINATIONS = 20_000
HIGHEST = 8.0
# A path may lose sight of its washer, which then lies where nobody saw it go.
LOST_SIGHT = 4.5
# A path that ended while another went on is less likely the washer's.
EARLIER = 0.8
# A washer so near to where another lay is likelier that other one, nudged.
NUDGED_MM = 24.0
NUDGED = 1.8


@dataclass(frozen=True, slots=True)
class Spot:
    """Something new beside the board: where (mm, on the plane of the board), its colour, and if it was seen to come."""

    mm: Floats
    colour: Colour
    arrived: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """What is new since the last quiet moment.

    ``rings`` are washers on the board that lie where none lay before, ``spots`` what is new beside it, ``in_holes`` how
    much each hole looks changed (0 to 1), ``vacated_mm`` where washers lay that do not lie there any more.
    """

    board: HoleBoard
    rings: Sequence[Ring]
    spots: Sequence[Spot]
    in_holes: Sequence[float]
    vacated_mm: Sequence[Floats] = ()


@dataclass(frozen=True, slots=True)
class Thrown:
    """A washer that came flying, and what washers look like, where known: those of the side due, and the other's.

    ``paths`` is everything that moved from then on without setting out from a washer: a path may break where the
    washer hardly shows, and its shadow has one of its own.
    """

    paths: tuple[Path, ...]
    look: Colour | None
    other_look: Colour | None

    @property
    def path(self) -> Path:
        """The path that was seen moving last: its end tells where the washer went."""
        return max(self.paths, key=lambda path: path.moved_until_ns)


@dataclass(frozen=True, slots=True)
class Displaced:
    """A washer that no longer lies where it lay, and the path that began there, if one was seen."""

    piece: Piece
    path: Path | None


Subject = Thrown | Displaced


@dataclass(frozen=True, slots=True)
class Goal:
    """Where a washer may have ended: a ring or a spot by its number, a hole by its number, or out of sight."""

    kind: Literal["ring", "spot", "hole", "gone", "nothing"]
    index: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """One combination: where each subject ended, how likely it is among all combinations, and what it costs."""

    goals: tuple[Goal, ...]
    likelihood: float
    cost: float


def resolve(scene: Scene, subjects: Sequence[Subject]) -> list[Answer]:
    """Return the likeliest combinations, best first. ``goals`` are in the order of ``subjects``."""
    options = [sorted(_options(scene, subject), key=lambda option: option[1])[:8] for subject in subjects]
    found = list(_combinations(scene, options))
    if not found:
        return []
    costs = np.array([cost for _, cost in found])
    weights = np.exp(-(costs - costs.min()))
    weights /= weights.sum()
    order = np.argsort(-weights)
    return [Answer(found[i][0], float(weights[i]), float(costs[i])) for i in order[:12]]


def place_of(scene: Scene, goal: Goal) -> Place:
    """Return the place that a goal means."""
    if goal.kind == "ring":
        return scene.board.call(scene.rings[goal.index].centre_mm).place
    if goal.kind == "hole":
        return scene.board.holes[goal.index].place
    return OFF


def _combinations(scene: Scene, options: list[list[tuple[Goal, float]]]) -> Iterator[tuple[tuple[Goal, ...], float]]:
    """Yield every combination in which no ring and no spot is two washers, with its cost."""
    partial: list[tuple[tuple[Goal, ...], float]] = [((), 0.0)]
    for choices in options:
        grown = [
            ((*goals, goal), cost + extra)
            for goals, cost in partial
            for goal, extra in choices
            if goal.kind not in ("ring", "spot") or goal not in goals
        ]
        partial = sorted(grown, key=lambda one: one[1])[:MOST_COMBINATIONS]
    for goals, cost in partial:
        rings = len(scene.rings) - sum(goal.kind == "ring" for goal in goals)
        taken = {goal.index for goal in goals if goal.kind == "spot"}
        spots = sum(2.5 if spot.arrived else 0.4 for i, spot in enumerate(scene.spots) if i not in taken)
        used = {goal.index for goal in goals if goal.kind == "hole"}
        idle = sum(min(2.0, 4 * q) for h, q in enumerate(scene.in_holes) if h not in used and q > 0.2)
        yield goals, cost + 5.0 * rings + spots + idle


def _options(scene: Scene, subject: Subject) -> Iterator[tuple[Goal, float]]:
    path = subject.path
    for i, ring in enumerate(scene.rings):
        close = isinstance(subject, Thrown) and any(np.hypot(*(mm - ring.mm)) < NUDGED_MM for mm in scene.vacated_mm)
        yield Goal("ring", i), _to_lying(subject, ring.mm, ring.colour) + (NUDGED if close else 0.0)
    for i, spot in enumerate(scene.spots):
        yield Goal("spot", i), 0.3 + _to_lying(subject, spot.mm, spot.colour)
    for i, hole in enumerate(scene.board.holes):
        yield Goal("hole", i), _to_hole(subject, hole, scene.in_holes[i])
    yield Goal("gone"), _to_gone(scene.board, subject)
    if isinstance(subject, Thrown) and path is not None:
        yield Goal("nothing"), 5.0 if path.moved_points < 5 else 9.0


def _to_lying(subject: Subject, mm: Floats, colour: Colour) -> float:
    """Return what it costs that the subject now lies at ``mm``."""
    if isinstance(subject, Thrown):
        return _looks_wrong(subject, colour) + min(_from_path(path, mm) for path in subject.paths)
    looks = 0.0 if subject.piece.colour is None else min(0.5 * (apart(subject.piece.colour, colour) / 13) ** 2, HIGHEST)
    away = 0.0 if subject.piece.mm is None else float(np.hypot(*(np.array(subject.piece.mm) - mm)))
    unseen = 0.3 + min(away / 300, 0.8)
    if subject.path is not None:
        return looks + min(_from_path(subject.path, mm), 0.7 + unseen)
    return looks + unseen


def _looks_wrong(subject: Thrown, colour: Colour) -> float:
    """Return what it costs that the washer thrown has this look, where the looks of the sides are known."""
    own = None if subject.look is None else apart(subject.look, colour)
    other = None if subject.other_look is None else apart(subject.other_look, colour)
    if own is None:
        return 2.0 if other is not None and other < ALIKE else 0.0
    if other is not None and other < own - ALIKE:
        return 3.0
    return 0.0 if own < DIFFERENT else 1.0


def _from_path(path: Path, mm: Floats) -> float:
    """Return what it costs that something whose path was seen came to lie at ``mm``."""
    away = float(np.hypot(*(path.mm[-1] - mm)))
    spread = 18.0 if path.resting else 60.0 + 0.06 * path.speed_mm_s(first=False)
    return min(0.5 * (away / spread) ** 2, LOST_SIGHT)


def _to_hole(subject: Subject, hole: Circle, changed: float) -> float:
    """Return what it costs that the subject is in a hole that looks ``changed``."""
    unchanged = 1.4 * (1 - min(changed / 0.25, 1.0))
    middle = np.array(hole.centre_mm)
    if isinstance(subject, Thrown):
        last = subject.path
        return unchanged + min(_into(path, hole) + (0.0 if path is last else EARLIER) for path in subject.paths)
    if subject.path is not None:
        return unchanged + _into(subject.path, hole)
    mm = subject.piece.mm
    away = 100.0 if mm is None else max(float(np.hypot(*(np.array(mm) - middle))) - hole.radius_mm, 0.0)
    return unchanged + 0.8 + min(away / 120, 5.0)


def _into(path: Path, hole: Circle) -> float:
    """Return what it costs that something whose path was seen to end fell into a hole there, or a frame later."""
    middle = np.array(hole.centre_mm)
    ends = [path.mm[-1]]
    if not path.resting and len(path.mm) > 1:
        ends.append(path.mm[-1] + 0.5 * (path.mm[-1] - path.mm[-2]))
    nearest = min(float(np.hypot(*(mm - middle))) + 25.0 * k for k, mm in enumerate(ends))
    outside = max(nearest - hole.radius_mm + 8, 0.0)
    return float(min(0.5 * (outside / 22) ** 2, HIGHEST))


def _to_gone(board: HoleBoard, subject: Subject) -> float:
    """Return what it costs that the subject left the board and the picture, or lies hidden beside the board."""
    if subject.path is not None:
        path = subject.path
        if path.at_border and not path.resting:
            return 0.3
        beside = board.beside_mm((float(path.mm[-1][0]), float(path.mm[-1][1])))
        if beside > 0:
            return 0.6
        return 1.2 + min(-beside / 15, 6.0)
    assert isinstance(subject, Displaced)
    beside = 0.0 if subject.piece.mm is None else board.beside_mm(subject.piece.mm)
    return 1.8 + min(max(-beside, 0.0) / 120, 3.0)

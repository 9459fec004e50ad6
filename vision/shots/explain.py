"""What happened between two settled views: which discs stayed, which moved where, and which one was shot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.calibration import Floats
from scoring.board import RingBoard
from vision.shots.assign import assign
from vision.shots.pieces import Piece
from vision.shots.tracks import Track
from vision.sides import LIGHTNESS

SAME_MM = 4.0
OTHER_SIDE = 22.0
# Costs, in squared standard deviations.
END_SIGMA_MM = 18.0
NOT_FOLLOWED = 6.0
MISLED = 3.0
FROM_NOWHERE = 9.0
FAR_MM = 150.0
STRANGER = 40.0
HOLE_REACH_MM = 12.0
HOLE_SIGMA_MM = 14.0
HIDDEN_IN_DITCH = 3.0
DITCH_SIGMA_MM = 30.0
VANISHED = 14.0
TAKEN_BY_HAND = 2.0
OVERLOOKED = 5.0
UNEXPLAINED = 10.0
NEVER = 30.0
SPURIOUS = 8.0
SPURIOUS_BY_HAND = 3.0
# A shot comes from the start line; what moves less than this has not been shot.
LEAST_TRAVEL_MM = 45.0
LEAST_STEP_MM = 4.0
# What moves only this far before it strikes may still be a shot.
LEAST_STIR_MM = 10.0
SHORT = 4.0
STRAIGHT = 0.7
ANOTHER_SHOT = 6.0
FEWEST_POINTS = 3
# A shot that goes out of sight was seen in so many frames inside the start line.
SEEN_INSIDE = 4


@dataclass(frozen=True, slots=True)
class Found:
    """A disc in the settled view: where it lies (mm) and its colour."""

    lies_mm: Floats
    lab: Floats


@dataclass(frozen=True, slots=True)
class Went:
    """Where a disc went: a disc ``found`` in the settled view (its index), or out of sight into ``gone``."""

    track: Track | None
    found: int | None
    gone: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The likeliest story: where each known piece went, and each new disc. ``cost`` is in squared sigmas.

    ``second`` is the cost of the likeliest other story, for how sure this one is.
    """

    pieces: dict[int, Went]
    new: tuple[Went, ...]
    cost: float
    second: float = np.inf

    @property
    def sure(self) -> float:
        """How likely (0 to 1) this story is, against the next one."""
        return float(1 / (1 + np.exp(-(self.second - self.cost) / 2)))

    def tracks(self) -> list[Track]:
        """Return the ways that this story believes in."""
        return [went.track for went in (*self.pieces.values(), *self.new) if went.track is not None]


def explain(
    board: RingBoard, missing: Sequence[Piece], found: Sequence[Found], tracks: Sequence[Track], unwatched: bool
) -> Explanation:
    """Find the likeliest story that leads from the pieces not seen where they lay to the discs newly ``found``.

    Where nothing went ``unwatched``, a disc that no frame shows moving has not moved: it was overlooked, or is none.
    """
    by_piece = {track.piece: track for track in tracks if track.piece is not None}
    shots = [track for track in tracks if track.piece is None and _came(track)]
    shots = sorted(sorted(shots, key=lambda t: -t.travel_mm)[:6], key=lambda t: t.t_ns[0])
    nowhere = max(len(found) - len(missing), 0) + (0 if shots else 1)
    rows: list[tuple[Piece | None, Track | None]] = [(p, by_piece.get(p.number)) for p in missing]
    rows += [(None, track) for track in shots] + [(None, None)] * nowhere
    if not rows:
        return Explanation({}, (), 0.0)
    outs = ("hole", "ditch", "off", "stays", "")
    costs = np.full((len(rows), len(found) + len(outs) * len(rows)), 1e6)
    likeliest = max(range(len(missing), len(rows)), key=lambda r: _travel_mm(rows[r][1]), default=-1)
    for r, (piece, track) in enumerate(rows):
        again = ANOTHER_SHOT if piece is None and r != likeliest else 0.0
        short = piece is None and track is not None and not is_shot(track, board.edge_mm)
        for c, disc in enumerate(found):
            costs[r, c] = _reaches(piece, track, disc, unwatched) + again + (SHORT if short else 0.0)
        for k, out in enumerate(outs):
            costs[r, len(found) + len(outs) * r + k] = _vanishes(board, piece, track, out, unwatched) + (
                again if out else 0
            )
    price = 1e3 if unwatched else UNEXPLAINED
    best, chosen = _solve(costs, len(found), price)
    pieces: dict[int, Went] = {}
    new: list[Went] = []
    for (piece, track), column in zip(rows, chosen, strict=True):
        gone = "" if column < len(found) else outs[(column - len(found)) % len(outs)]
        went = Went(track, column if column < len(found) else None, gone)
        if piece is not None:
            pieces[piece.number] = went
        elif went.found is not None or gone:
            new.append(went)
    second = _second(costs, chosen, len(found), price)
    return Explanation(pieces, tuple(new), best, second)


def _came(track: Track) -> bool:
    """Whether something moved that may have been a disc, be it shortly."""
    return len(track.t_ns) >= FEWEST_POINTS and track.travel_mm > LEAST_STIR_MM


def is_shot(track: Track, edge_mm: float) -> bool:
    """Whether a track is a disc's way over the board: far enough, and for some frames straight on."""
    way, times = np.array(track.at_mm), np.array(track.t_ns)
    if len(way) < FEWEST_POINTS or track.travel_mm < LEAST_TRAVEL_MM:
        return False
    steps = np.diff(way, axis=0)
    length = np.hypot(*steps.T)
    frame_ns = np.median(np.diff(times))
    together = np.diff(times) < 2.6 * frame_ns
    onward = (steps[1:] * steps[:-1]).sum(1) > STRAIGHT * length[1:] * length[:-1]
    inside = np.hypot(*way[:-2].T) < edge_mm + 20
    moving = (length > LEAST_STEP_MM) & together
    return bool((onward & moving[1:] & moving[:-1] & inside).any())


def _travel_mm(track: Track | None) -> float:
    return 0.0 if track is None else track.travel_mm


def _solve(costs: Floats, found: int, price: float) -> tuple[float, list[int]]:
    """Assign with a ``price`` for every disc found that nothing explains."""
    priced = costs.copy()
    priced[:, :found] -= price
    chosen = assign(priced)
    left = found - sum(column < found for column in chosen)
    return float(sum(costs[row, column] for row, column in enumerate(chosen)) + left * min(price, UNEXPLAINED)), chosen


def _second(costs: Floats, chosen: list[int], found: int, price: float) -> float:
    """Return what the likeliest other story costs: each choice of the best one forbidden in turn."""
    others = [np.inf]
    for row, column in enumerate(chosen):
        if costs.shape[0] < 2 and found <= 1 and column < found:
            continue
        forbidden = costs.copy()
        forbidden[row, column] = 1e6
        others.append(_solve(forbidden, found, price)[0])
    return float(min(others))


def _reaches(piece: Piece | None, track: Track | None, disc: Found, unwatched: bool) -> float:
    cost = 0.0
    lab = piece.lab if piece is not None else track.lab if track is not None else None
    if lab is not None:
        off = float(np.linalg.norm((lab - disc.lab) * LIGHTNESS))
        cost += min((off / OTHER_SIDE) ** 2 * 4.0, 12.0) + (STRANGER if off > 1.6 * OTHER_SIDE else 0.0)
    followed = lost = np.inf
    if track is not None:
        followed = min((float(np.hypot(*(track.at_mm[-1] - disc.lies_mm))) / END_SIGMA_MM) ** 2, 60.0)
    if piece is not None and piece.lies_mm is not None:
        away = float(np.hypot(*(piece.lies_mm - disc.lies_mm)))
        lost = NOT_FOLLOWED + min((away / FAR_MM) ** 2, 8.0) + (MISLED if track is not None else 0.0)
    return cost + min(followed, lost, np.inf if piece or track else FROM_NOWHERE + (0.0 if unwatched else NEVER))


def _vanishes(board: RingBoard, piece: Piece | None, track: Track | None, out: str, unwatched: bool) -> float:
    if out == "stays":
        return OVERLOOKED if piece is not None and track is None else 1e5
    if out == "":
        if piece is not None:
            return 1e5
        if track is None:
            return 0.0
        return SPURIOUS_BY_HAND if unwatched else SPURIOUS + min(len(track.t_ns), 20) / 2
    if out == "off":
        if piece is None:
            return 1e5
        return TAKEN_BY_HAND if unwatched else NEVER
    if track is None:
        return VANISHED
    end = track.at_mm[-1]
    inside = int((np.hypot(*np.array(track.at_mm).T) < board.zones[-1].radius_mm).sum())
    if piece is None and inside < SEEN_INSIDE:
        return NEVER
    if out == "hole":
        step = track.velocity / 30.0
        reach = min(float(np.hypot(*end)), float(np.hypot(*(end + step))))
        return 1.0 + (max(reach - HOLE_REACH_MM, 0.0) / HOLE_SIGMA_MM) ** 2
    end = end + track.velocity * 0.1
    short_mm = max(board.edge_mm - float(np.hypot(*end)), 0.0)
    return HIDDEN_IN_DITCH + (short_mm / DITCH_SIGMA_MM) ** 2

"""Put what a shot did into words and figures: its place, how sure that is, and what else it could be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.calibration import Floats
from scoring.board import DITCH, RingBoard
from scoring.events import ON_LINE, TOUCHED_DITCH, Moved
from vision.shots.explain import Went
from vision.shots.pieces import Piece
from vision.shots.scene import Rest
from vision.sightings import Alternative, Evidence, ThrowSeen

UNSURE = 0.9
NOT_FOLLOWED = 0.8
# A disc whose middle was so far beyond the surface had left it.
BEYOND_MM = 3.0


@dataclass(frozen=True, slots=True)
class Story:
    """A shot: the disc shot, where it went, all discs as they lie after it, and which it touched and moved.

    ``sure`` is how likely (0 to 1) this is how it was, lines aside; ``grazed`` are discs that it may just have touched.
    """

    piece: Piece
    went: Went
    known: tuple[Piece, ...]
    touched: tuple[int, ...]
    moved: tuple[Moved, ...]
    sure: float
    grazed: tuple[int, ...] = ()


def tell(story: Story, rest: Rest, board: RingBoard) -> ThrowSeen:
    """Return the shot as others are told of it."""
    piece, track = story.piece, story.went.track
    concerned = [p for p in story.known if p.number == piece.number or p.number in story.touched]
    followed = 1.0 if track is not None else NOT_FOLLOWED
    confidence = story.sure * followed * float(np.prod([1 - p.wrong for p in concerned]))
    began_ns = track.t_ns[0] if track is not None else rest.glimpses[0].t_ns if rest.glimpses else rest.t_ns
    return ThrowSeen(
        rest.t_ns,
        began_ns,
        piece.side,
        piece.number,
        piece.place,
        story.moved,
        story.touched,
        confidence,
        _alternatives(story, concerned),
        tuple(p.lies() for p in story.known),
        _flags(story, board),
        _reason(piece),
        tuple(_doubts(story)),
        Evidence(rest.before, rest.reading.view, rest.clip),
    )


def _alternatives(story: Story, concerned: list[Piece]) -> tuple[Alternative, ...]:
    others: list[Alternative] = []
    for piece in concerned:
        if not piece.is_near_line or piece.otherwise is None:
            continue
        if piece.number == story.piece.number:
            others.append(Alternative(piece.side, piece.otherwise, story.moved, piece.wrong))
            continue
        came_from = {m.piece: m.from_ for m in story.moved}.get(piece.number, piece.place)
        kept = [moved for moved in story.moved if moved.piece != piece.number]
        if came_from != piece.otherwise:
            kept.append(Moved(piece.number, came_from, piece.otherwise))
        others.append(Alternative(story.piece.side, story.piece.place, tuple(kept), piece.wrong))
    return tuple(sorted(others, key=lambda other: -other.likelihood))


def _flags(story: Story, board: RingBoard) -> tuple[str, ...]:
    flags: list[str] = []
    if _touches_better_line(story.piece, board):
        flags.append(ON_LINE)
    if story.piece.place != DITCH and _came_back(story.went, board):
        flags.append(TOUCHED_DITCH)
    return tuple(flags)


def _touches_better_line(piece: Piece, board: RingBoard) -> bool:
    """Whether a disc lies on the line between its zone and the next better one."""
    places = [zone.place for zone in board.zones]
    if piece.lies_mm is None or piece.place not in places[1:]:
        return False
    line = board.zones[places.index(piece.place) - 1]
    off_mm = float(np.hypot(*piece.lies_mm))
    return off_mm - board.piece_radius_mm < line.radius_mm + line.width_mm / 2


def _came_back(went: Went, board: RingBoard) -> bool:
    """Whether a disc was seen on the surface, then beyond it, and then on it again."""
    if went.track is None:
        return False
    off_mm = np.hypot(*np.array(went.track.at_mm).T)
    inside = np.flatnonzero(off_mm < board.edge_mm - 2 * board.piece_radius_mm)
    if not len(inside):
        return False
    return _farthest_mm(off_mm[inside[0] : inside[-1] + 1]) > board.edge_mm + BEYOND_MM


def _farthest_mm(off_mm: Floats) -> float:
    """Return how far out a disc came, that may have turned between two frames: as fast in and out as beside them."""
    step = np.diff(off_mm)
    out, back = np.maximum(step[:-2], 0), np.maximum(-step[2:], 0)
    share = np.clip((step[1:-1] + back) / np.maximum(out + back, 1e-6), 0, 1)
    turned = np.where((out > 0) & (back > 0), off_mm[1:-2] + out * share, 0.0)
    return float(max(off_mm.max(), turned.max(initial=0.0)))


def _reason(piece: Piece) -> str:
    if piece.margin_mm is not None:
        return f"It came to rest, {piece.margin_mm:.1f} mm from counting {piece.otherwise}."
    if piece.place == DITCH:
        return "It went over the edge."
    return "It dropped into the hole."


def _doubts(story: Story) -> list[str]:
    doubts = [_near_line(piece) for piece in story.known if piece.is_near_line]
    if story.went.track is None:
        doubts.append("The shot itself was not seen; what is said follows from how the discs lay before and after it.")
    doubts += [f"It is not certain whether disc {number + 1} was touched." for number in story.grazed]
    if story.sure < UNSURE:
        doubts.append("It is not clear which disc came to lie where.")
    return doubts


def _near_line(piece: Piece) -> str:
    return (
        f"Disc {piece.number + 1} is {piece.margin_mm:.1f} mm from counting {piece.otherwise} instead of {piece.place}."
    )

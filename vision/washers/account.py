"""The account of a round: every washer thrown so far, and what each quiet moment adds to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from cv2.typing import MatLike

from calibration.calibration import Floats
from scoring.board import BOARD, OFF, HoleBoard, Place
from scoring.events import Moved
from vision.sightings import Alternative, Evidence, Lies, ThrowSeen
from vision.small import Yuv
from vision.washers.boards import thrown_at
from vision.washers.flights import Path
from vision.washers.looks import Looks
from vision.washers.pieces import Colour, Piece
from vision.washers.resolve import Answer, Displaced, Goal, Scene, Spot, Subject, Thrown, place_of, resolve
from vision.washers.rings import Ring
from vision.washers.settled import Reading

CERTAIN = 0.8
STRANGE = 2.2
# A washer that nobody saw come must stand out so many times more than noise.
PLAIN = 6.0
# The share of a hole that looks changed when a washer in it can be seen.
SEEN_CHANGED = 0.15
SURE_OWNER = 0.75
# A washer whose middle is nearer to a rim or an edge than this may yet be called the other way (mm).
SIGMA_MM = 2.5


@dataclass(frozen=True, slots=True)
class Moment:
    """A quiet moment and what led to it: the reading of the board, what lies new beside it, and the throws in between.

    ``hidden`` says whether something hid the board meanwhile, ``hidden_px`` (a map of the small picture) what still is.
    """

    t_ns: int
    reading: Reading
    spots: Sequence[Spot]
    arrivals: Sequence[Path]
    paths: Sequence[Path]
    hidden: bool
    before: Yuv
    hidden_px: MatLike


class Account:
    """Keeps the washers of the round, whose they are and where they lie."""

    def __init__(self, game: str, board: HoleBoard) -> None:
        """Begin an empty round on ``board``."""
        self._at = thrown_at(game)
        self.board = board
        self.looks = Looks()
        self.pieces: list[Piece] = []

    @property
    def on_board(self) -> list[Piece]:
        """The washers that lie on the board, in the order thrown."""
        lying = (piece for piece in self.pieces if piece.place == BOARD and piece.mm is not None)
        return [piece for piece in lying if not piece.taken]

    @property
    def complete(self) -> bool:
        """Whether both sides have thrown all their washers."""
        return len(self.pieces) >= 2 * self._at.washers

    def near(self, mm: Floats, within_mm: float) -> int | None:
        """Return the number of a washer that lies within ``within_mm`` of a point, or None."""
        for piece in self.pieces:
            if piece.mm is not None and float(np.hypot(*(np.array(piece.mm) - mm))) < within_mm:
                return piece.number
        return None

    def due(self) -> int:
        """Return the side that throws next, by the order of throws alone."""
        if not self.pieces:
            return 0
        last = self.pieces[-1].side
        run = 0
        for piece in reversed(self.pieces):
            if piece.side != last:
                break
            run += 1
        return last if run % self._at.in_turn else 1 - last

    def take(self, moment: Moment) -> bool:
        """Whether hands took washers off the board at this moment; they are taken note of, and no throw is told.

        Hands were over the board, nothing came flying, and washers are gone that lie nowhere else.
        """
        if moment.arrivals or not moment.hidden:
            return False
        scene, subjects, answers = self._explain(moment)
        if not answers or len(scene.rings) > len(subjects):
            return False
        gone = [
            subject.piece.number
            for subject, goal in zip(subjects, answers[0].goals, strict=True)
            if isinstance(subject, Displaced) and goal.kind != "ring"
        ]
        self.pieces = [replace(p, mm=None, taken=True) if p.number in gone else p for p in self.pieces]
        return bool(gone)

    def strange(self, moment: Moment) -> bool:
        """Whether no good explanation of a moment is in sight: something may still be on its way."""
        _, _, answers = self._explain(moment)
        if not answers:
            return False
        vanished = any(g.kind == "hole" and moment.reading.in_holes[g.index] < SEEN_CHANGED for g in answers[0].goals)
        return vanished or answers[0].cost > STRANGE or answers[0].likelihood < CERTAIN

    def add(self, moment: Moment) -> list[ThrowSeen]:
        """Explain a quiet moment, change the account, and return the throws that it tells of."""
        scene, subjects, answers = self._explain(moment)
        self._refresh(dict(zip((piece.number for piece in self.on_board), moment.reading.kept, strict=True)))
        return self._tell(moment, scene, subjects, answers) if answers else []

    def _explain(self, moment: Moment) -> tuple[Scene, list[Subject], list[Answer]]:
        pairs = list(zip(self.on_board, moment.reading.kept, strict=True))
        vacated = [np.array(piece.mm) for piece, ring in pairs if ring is None]
        scene = Scene(self.board, moment.reading.fresh, moment.spots, moment.reading.in_holes, vacated)
        due = self.due()
        looks = (self.looks.of(due), self.looks.of(1 - due))
        subjects: list[Subject] = [Thrown(paths, *looks) for paths in _grouped(moment)]
        subjects += [Displaced(piece, _path_of(piece, moment.paths)) for piece, ring in pairs if ring is None]
        return scene, subjects, resolve(scene, subjects) if subjects or scene.rings else []

    def clear(self) -> None:
        """Begin a new round: the board has been cleared."""
        self.pieces = []

    def _refresh(self, kept: dict[int, Ring | None]) -> None:
        for i, piece in enumerate(self.pieces):
            ring = kept.get(piece.number)
            if ring is not None:
                colour = ring.colour if ring.shown > 0.6 else piece.colour
                self.pieces[i] = replace(piece, mm=ring.centre_mm, colour=colour)

    def _tell(self, moment: Moment, scene: Scene, subjects: list[Subject], answers: list[Answer]) -> list[ThrowSeen]:
        best = answers[0]
        thrown: list[tuple[Path | None, Goal]] = []
        moved: list[Moved] = []
        for subject, goal in zip(subjects, best.goals, strict=True):
            if isinstance(subject, Thrown):
                if goal.kind != "nothing":
                    thrown.append((subject.path, goal))
            else:
                place = place_of(scene, goal)
                if place != subject.piece.place:
                    moved.append(Moved(subject.piece.number, subject.piece.place, place))
                self._put(subject.piece.number, scene, goal)
        claimed = {goal.index for goal in best.goals if goal.kind == "ring"}
        for i, ring in enumerate(scene.rings):
            if i not in claimed and (ring.strength > PLAIN or moment.hidden):
                thrown.append((None, Goal("ring", i)))
        told = []
        for k, (path, goal) in enumerate(thrown):
            last = k == len(thrown) - 1
            told.append(self._throw(moment, scene, path, goal, tuple(moved) if last else (), answers, subjects))
        return told

    def _throw(
        self,
        moment: Moment,
        scene: Scene,
        path: Path | None,
        goal: Goal,
        moved: tuple[Moved, ...],
        answers: list[Answer],
        subjects: list[Subject],
    ) -> ThrowSeen:
        number = len(self.pieces)
        colour = _colour(scene, goal)
        owner = self.looks.owner(colour, self.due())
        place = place_of(scene, goal)
        mm = _mm(scene, goal)
        piece = Piece(number, owner.side, place, mm, colour, seen=goal.kind in ("ring", "spot"))
        self.pieces.append(piece)
        if owner.sure > SURE_OWNER and goal.kind == "ring":
            self.looks.learn(piece)
        likelihood = sum(
            answer.likelihood
            for answer in answers
            if _outcome(scene, answer, subjects) == _outcome(scene, answers[0], subjects)
        )
        doubts = []
        if likelihood < CERTAIN:
            doubts.append("It is not clear where every washer went.")
        if owner.sure < SURE_OWNER:
            doubts.append("Its look speaks for the side whose turn it was not.")
        if path is None:
            doubts.append("Nobody saw it fly: it lies where none lay before.")
        elif moment.hidden:
            doubts.append("Something hid the board meanwhile.")
        call = self.board.call(mm) if goal.kind == "ring" and mm is not None else None
        if call is not None and call.margin_mm < 2 * SIGMA_MM:
            doubts.append(f"It lies {call.margin_mm:.0f} mm from where it would be {call.otherwise}.")
        began_ns = path.t_ns[0] if path else moment.t_ns
        rested_ns = min(path.moved_until_ns, moment.t_ns) if path else moment.t_ns
        return ThrowSeen(
            rested_ns,
            began_ns,
            owner.side,
            number,
            place,
            moved,
            confidence=round(likelihood * owner.sure, 3),
            alternatives=self._others(scene, answers, subjects, owner.side),
            lies=tuple(self._lies()),
            reason=_reason(scene, goal, path),
            doubts=tuple(doubts),
            evidence=Evidence(_bgr(moment.before), _bgr(moment.reading.view)),
        )

    def _put(self, number: int, scene: Scene, goal: Goal) -> None:
        index = next(i for i, piece in enumerate(self.pieces) if piece.number == number)
        piece = self.pieces[index]
        self.pieces[index] = replace(
            piece, place=place_of(scene, goal), mm=_mm(scene, goal), seen=goal.kind in ("ring", "spot")
        )

    def _others(
        self, scene: Scene, answers: list[Answer], subjects: list[Subject], side: int
    ) -> tuple[Alternative, ...]:
        others: dict[tuple[tuple[int, Place], ...], float] = {}
        best = _outcome(scene, answers[0], subjects)
        for answer in answers[1:]:
            outcome = _outcome(scene, answer, subjects)
            if outcome != best:
                others[outcome] = others.get(outcome, 0.0) + answer.likelihood
        out = []
        for outcome, likelihood in sorted(others.items(), key=lambda item: -item[1])[:3]:
            if likelihood < 0.01:
                continue
            thrown = [place for subject, place in outcome if subject < 0]
            was = {s.piece.number: s.piece.place for s in subjects if isinstance(s, Displaced)}
            moved = tuple(Moved(n, was[n], place) for n, place in outcome if n >= 0 and was[n] != place)
            out.append(Alternative(side, thrown[-1] if thrown else OFF, moved, round(likelihood, 3)))
        return tuple(out)

    def _lies(self) -> list[Lies]:
        lies = []
        for piece in self.pieces:
            on_board = piece.place == BOARD and piece.mm is not None
            call = self.board.call(piece.mm) if on_board and piece.mm is not None else None
            lies.append(
                Lies(
                    piece.number,
                    piece.side,
                    piece.place,
                    piece.mm if on_board else None,
                    call.margin_mm if call else None,
                    SIGMA_MM if on_board else None,
                    piece.seen,
                )
            )
        return lies


def _grouped(moment: Moment) -> list[tuple[Path, ...]]:
    """Return for each throw everything that moved from its arrival on, up to the next, and was no washer before."""
    began = [arrival.t_ns[0] for arrival in moment.arrivals]
    groups = []
    for k, arrival in enumerate(moment.arrivals):
        until = began[k + 1] if k + 1 < len(began) else moment.t_ns + 1
        others = (
            path
            for path in moment.paths
            if path is not arrival
            and path.from_piece is None
            and began[k] <= path.t_ns[0] < until
            and path.moved_points > 2
            and path.reach_mm > 60
        )
        groups.append((arrival, *others))
    return groups


def _path_of(piece: Piece, paths: Sequence[Path]) -> Path | None:
    own = [path for path in paths if path.from_piece == piece.number and len(path.px) > 1]
    return max(own, key=lambda path: len(path.px), default=None)


def _outcome(scene: Scene, answer: Answer, subjects: list[Subject]) -> tuple[tuple[int, Place], ...]:
    """Return what an answer says in the game's words: the place of each thrown (−1) and displaced washer."""
    return tuple(
        (subject.piece.number if isinstance(subject, Displaced) else -1, place_of(scene, goal))
        for subject, goal in zip(subjects, answer.goals, strict=True)
    )


def _mm(scene: Scene, goal: Goal) -> tuple[float, float] | None:
    if goal.kind == "ring":
        return scene.rings[goal.index].centre_mm
    if goal.kind == "spot":
        x, y = scene.spots[goal.index].mm
        return float(x), float(y)
    return None


def _colour(scene: Scene, goal: Goal) -> Colour | None:
    if goal.kind == "ring" and scene.rings[goal.index].shown > 0.5:
        return scene.rings[goal.index].colour
    return None


def _reason(scene: Scene, goal: Goal, path: Path | None) -> str:
    if goal.kind == "ring":
        return "It lies on the board."
    if goal.kind == "spot":
        return "It lies beside the board."
    if goal.kind == "hole":
        name = scene.board.holes[goal.index].place.name
        changed = "looks changed" if scene.in_holes[goal.index] > 0.15 else "looks as before"
        return f"It vanished over hole {name}; hole {name} {changed}."
    return "It left the board and the picture." if path is None or path.at_border else "It was lost beside the board."


def _bgr(yuv: Yuv) -> Yuv:
    return cv2.cvtColor(yuv, cv2.COLOR_YUV2BGR)

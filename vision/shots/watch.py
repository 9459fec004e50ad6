"""Watch a crokinole board through a fixed camera, and say what every shot did."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration import ring_board
from calibration.calibration import Bgr, Calibration, Floats, apply, box_px
from calibration.errors import BoardNotFound
from scoring.board import DITCH, OFF, Place
from scoring.events import TOUCHED_DITCH, Moved
from scoring.games.crokinole import BOARD
from vision.frames import Frame
from vision.motion import Box, Motion
from vision.rectify import PX_PER_MM
from vision.settling import Settling
from vision.shots.empty import FRESHNESS, EmptyBoard
from vision.shots.drift import FixedPoints
from vision.shots.explain import Explanation, Found, Went, explain
from vision.shots.faces import Face
from vision.shots.glimpses import Glimpser, lying
from vision.shots.nudge import nudge_mm
from vision.shots.pieces import Colours, Piece
from vision.shots.reading import Reader, Reading
from vision.shots.topview import TopView
from vision.shots.tracks import Glimpse, Track, follow
from vision.sightings import Alternative, BoardSeen, Evidence, Health, Lies, Occluded, Sighting, TakeoutSeen, ThrowSeen
from vision.still import read_still

AVERAGED = 4
HAND_MM2 = 2500.0
SEARCH_EVERY_NS = 500_000_000
SAME_MM = 4.0
TOUCHED_MM = 0.28
REACH_MM = 8.0
LONG_NS = 4_000_000_000
# So much of the picture moves when the camera does, or a hand.
SHAKEN = 0.06
CLIP_FRAMES = 90
SMALL_DISC_PX = 4.0
# The number of a disc laid on the start line but not shot yet, and how near the line it lies.
READY = -1
READY_MM = 28.0


class ShotWatcher:
    """Watches one crokinole board. Frames in, sightings out; all time is in the frames."""

    def __init__(self, calibration: Calibration | None = None) -> None:
        """Begin to watch; ``calibration`` where the board is known already."""
        self._given = calibration
        self._board: _Board | None = None
        self._tried_ns: int | None = None

    @property
    def calibration(self) -> Calibration | None:
        """Where the board is, once it has been found."""
        return self._board.calibration if self._board else None

    def see(self, frame: Frame) -> Sequence[Sighting]:
        """Return what became certain with this frame."""
        if self._board is None:
            return self._find(frame)
        return self._board.see(frame)

    def end(self) -> Sequence[Sighting]:
        """Return what can still be said when there are no more frames."""
        return self._board.end() if self._board else ()

    def _find(self, frame: Frame) -> Sequence[Sighting]:
        if self._tried_ns is not None and frame.t_ns - self._tried_ns < SEARCH_EVERY_NS:
            return ()
        self._tried_ns = frame.t_ns
        width, height = frame.size_px
        try:
            found = self._given.at_size(width, height) if self._given else ring_board.find(frame.bgr, BOARD)
        except BoardNotFound:
            return ()
        self._board = _Board(found, frame)
        return [BoardSeen(frame.t_ns, found)]


class _Board:
    """The board once it has been found."""

    def __init__(self, calibration: Calibration, frame: Frame) -> None:
        self.calibration = calibration
        self._colours = Colours()
        self._pieces: dict[int, Piece] = {}
        self._thrown = 0
        self._last_side: int | None = None
        self._settling = Settling()
        self._quiet: deque[Frame] = deque(maxlen=AVERAGED)
        self._glimpses: list[Glimpse] = []
        self._clip: list[Frame] = []
        self._glimpser: Glimpser | None = None
        self._hidden = False
        self._shaken = False
        self._look_at(calibration, frame.bgr)
        still = read_still(frame.bgr, calibration)
        view = self._top.of(frame.bgr)
        faces = [self._top.from_mm(calibration.to_mm(np.array([piece.centre_px]))) for piece in still.pieces]
        seen = np.vstack(faces) if faces else np.zeros((0, 2))
        self._empty = EmptyBoard(self._top, view, seen)
        self._reader = Reader(self._top, self._empty)
        self._before = self._reader.read(view)
        for piece in still.pieces:
            pass
        self._before_bgr = frame.bgr
        self._fixed = FixedPoints(frame.bgr)

    def _look_at(self, calibration: Calibration, bgr: Bgr) -> None:
        self.calibration = calibration
        self._top = TopView(calibration)
        reach = self._top.reach_mm
        disc_px = calibration.px_per_mm() * calibration.board.piece_radius_mm
        box = box_px(calibration.homography, reach, bgr.shape)
        self._box = Box(*box, max(1, round(disc_px / SMALL_DISC_PX)))
        self._motion = Motion()

    def see(self, frame: Frame) -> list[Sighting]:
        small = self._box.small(frame.luma)
        moving_px = self._motion.moving_px(small, frame.t_ns)
        moving = moving_px > 0
        was_settled = self._settling.settled
        just_settled = self._settling.see(moving, frame.t_ns)
        if moving and was_settled:
            self._onset()
        if moving:
            self._glimpse(frame, moving_px / small.size)
            self._quiet.clear()
            return []
        self._quiet.append(frame)
        return self._settled(frame) if just_settled else []

    def end(self) -> list[Sighting]:
        if self._settling.settled or not self._quiet:
            return []
        return self._settled(self._quiet[-1])

    def _onset(self) -> None:
        """Something begins to move: take a last look at how it all lay."""
        frames = list(self._quiet)[:-1] or list(self._quiet)
        if not self._glimpses and frames:
            self._before_bgr = _mean(frames)
            self._before = replace(self._before, view=self._top.of(self._before_bgr))

    def _glimpse(self, frame: Frame, moving_share: float) -> None:
        if self._glimpser is None:
            self._glimpser = Glimpser(
                self._top, self._empty, self._reader.radius_px, self._before.view, list(self._pieces.values())
            )
        bgr = frame.bgr
        self._shaken = self._shaken or moving_share > SHAKEN
        if self._shaken:
            shift = self._fixed.shift(bgr)
            if shift is not None:
                bgr = cv2.warpAffine(bgr, shift[:2], bgr.shape[1::-1], flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        self._glimpses.append(self._glimpser.look(bgr, frame.t_ns))
        self._clip.append(frame)

    def _settled(self, frame: Frame) -> list[Sighting]:
        bgr = _mean(self._quiet)
        said: list[Sighting] = []
        shift = self._fixed.shift(bgr)
        if shift is not None:
            said += self._moved(shift, bgr, frame.t_ns)
        reading = self._reader.read(self._top.of(bgr))
        if reading.hand_mm2 > HAND_MM2:
            if not self._hidden:
                self._hidden = True
                said.append(Occluded(frame.t_ns, "started"))
            return said
        if self._hidden:
            self._hidden = False
            said.append(Occluded(frame.t_ns, "ended"))
        said += self._understand(reading, frame.t_ns)
        self._before, self._before_bgr = reading, bgr
        self._fixed = FixedPoints(bgr)
        discs_px = [face.centre_px for face in reading.faces]
        self._empty.refresh(reading.view, self._empty.hidden_by(discs_px), FRESHNESS if shift is None else 1.0)
        self._glimpses, self._clip, self._glimpser, self._shaken = [], [], None, False
        return said

    def _moved(self, shift: Floats, bgr: Bgr, t_ns: int) -> list[Sighting]:
        """The camera was knocked: carry everything over to where the board is now."""
        moved = replace(self.calibration, homography=shift @ self.calibration.homography)
        at = self.calibration.to_px(np.array([[0.0, 0.0], [300, 0], [0, 300]]))
        drift_mm = float(np.linalg.norm(self.calibration.to_mm(apply(shift, at)) - self.calibration.to_mm(at), axis=1).max())
        self._look_at(moved, bgr)
        self._before_bgr = cv2.warpAffine(
            self._before_bgr, shift[:2], (bgr.shape[1], bgr.shape[0]), borderMode=cv2.BORDER_REPLICATE
        )
        self._empty.look_through(self._top)
        self._reader = Reader(self._top, self._empty)
        self._before = replace(self._before, view=self._top.of(self._before_bgr))
        self._fixed = FixedPoints(bgr)
        return [BoardSeen(t_ns, moved, drift_mm)]

    # What happened

    def _understand(self, reading: Reading, t_ns: int) -> list[Sighting]:
        faces = list(reading.faces)
        self._centred: dict[int, Floats] = {}
        stays = self._stay(reading, faces)
        free = set(range(len(faces))) - set(stays.values())
        known = {number: piece for number, piece in self._pieces.items() if piece.in_sight}
        for number in [n for n, piece in known.items() if n not in stays and piece.place == self._top.board.hole.place]:
            self._pieces[number] = _out_of_sight(known.pop(number))
        missing = [piece for number, piece in known.items() if number not in stays and number != READY]
        waits = self._pieces.pop(READY, None)
        new = sorted(free)
        found = [Found(self._top.lies_at(self._exact(reading, i)[None])[0], faces[i].lab) for i in new]
        tracks = follow(self._glimpses, lying(list(self._pieces.values())), self._top.board.piece_radius_mm)
        tracks = [replace(track, piece=None) if track.piece == READY else track for track in tracks]
        hand = any(glimpse.hand_mm2 > HAND_MM2 for glimpse in self._glimpses)
        story = explain(self._top.board, missing, found, tracks, hand)
        self.story = (missing, found, tracks, story)
        if waits is not None and READY in stays:
            self._pieces[READY] = waits
        elif len(story.new) == 1 and not story.pieces and self._is_ready(story.new[0], found):
            blank = Piece(READY, 0, OFF, found[0].lab)
            self._pieces[READY] = self._after(blank, story.new[0], reading, new)
            return []
        return self._tell(reading, story, new, stays, tracks, t_ns)

    def _is_ready(self, went: Went, found: Sequence[Found]) -> bool:
        """Whether a disc that nobody saw coming lies on the start line: laid there to be shot."""
        if went.track is not None or went.found is None:
            return False
        off_line_mm = float(np.hypot(*found[went.found].lies_mm)) - self._top.board.zones[-1].radius_mm
        return abs(off_line_mm) < READY_MM

    def _stay(self, reading: Reading, faces: Sequence[Face]) -> dict[int, int]:
        """Return which face each disc shows that lies where it lay, or hardly elsewhere."""
        stays: dict[int, int] = {}
        glances = {i: face.centre_px for i, face in enumerate(faces)}
        self._pair(stays, {n: p.face_px for n, p in self._pieces.items() if p.face_px is not None}, glances, faces)
        left = {i: self._exact(reading, i) for i in glances if i not in stays.values()}
        self._pair(stays, {n: p.seen_px for n, p in self._pieces.items() if p.seen_px is not None}, left, faces)
        return stays

    def _pair(
        self, stays: dict[int, int], lay: Mapping[int, Floats], now: Mapping[int, Floats], faces: Sequence[Face]
    ) -> None:
        pairs = [(float(np.hypot(*(at - was))), number, i) for number, was in lay.items() for i, at in now.items()]
        for away_px, number, i in sorted(pairs):
            if away_px > SAME_MM * PX_PER_MM or number in stays or i in stays.values():
                continue
            if self._same_side(faces[i].lab, self._pieces[number].lab):
                stays[number] = i

    def _exact(self, reading: Reading, index: int) -> Floats:
        """Return where a face found in the settled view really is (px)."""
        if index not in self._centred:
            self._centred[index] = self._reader.centre(reading, reading.faces[index].centre_px).centre_px
        return self._centred[index]

    def _same_side(self, one: Floats, other: Floats) -> bool:
        return self._colours.side(one)[0] == self._colours.side(other)[0]

    def _tell(
        self, reading: Reading, story: Explanation, new: list[int], stays: dict[int, int], tracks: list[Track], t_ns: int
    ) -> list[Sighting]:
        changed = [reading.faces[i].centre_px for i in new]
        changed += [p.seen_px for p in self._pieces.values() if p.number in story.pieces and p.seen_px is not None]
        nudged = self._nudged(reading, stays, changed, story.tracks()) if story.new else {}
        before = dict(self._pieces)
        for number, went in story.pieces.items():
            self._pieces[number] = self._after(before[number], went, reading, new)
        for number, shift_px in nudged.items():
            piece = before[number]
            assert piece.seen_px is not None
            self._pieces[number] = self._placed(piece, piece.seen_px + shift_px, piece.lab, piece.face_px + shift_px)
        touched = {n for n in story.pieces if before[n].place not in (DITCH, OFF)} | set(nudged)
        sightings: list[Sighting] = []
        for went in sorted(story.new, key=lambda w: w.track.t_ns[0] if w.track else t_ns):
            sightings.append(self._shot(went, reading, new, before, touched, story, t_ns))
            touched = set()
            before = dict(self._pieces)
        return sightings

    def _shot(
        self,
        went: Went,
        reading: Reading,
        new: list[int],
        before: dict[int, Piece],
        touched: set[int],
        story: Explanation,
        t_ns: int,
    ) -> ThrowSeen:
        number, self._thrown = self._thrown, self._thrown + 1
        lab = reading.faces[new[went.found]].lab if went.found is not None else went.track.lab if went.track else None
        side = self._side(lab)
        blank = Piece(number, side, OFF, lab if lab is not None else np.zeros(3))
        piece = self._after(blank, went, reading, new)
        self._pieces[number] = piece
        if went.found is not None and lab is not None:
            self._colours.learn(side, lab)
        self._last_side = side
        moved = tuple(
            Moved(n, before[n].place, self._pieces[n].place)
            for n in sorted(touched)
            if before[n].place != self._pieces[n].place
        )
        doubts = [_doubt(p) for p in self._known() if p.margin_mm is not None and p.sigma_mm is not None and p.margin_mm < 2 * p.sigma_mm]
        began = went.track.t_ns[0] if went.track else self._glimpses[0].t_ns if self._glimpses else t_ns
        return ThrowSeen(
            t_ns,
            began,
            side,
            number,
            piece.place,
            moved,
            tuple(sorted(touched)),
            lies=tuple(_lies(p) for p in self._known()),
            doubts=tuple(doubts),
            evidence=Evidence(self._before.view, reading.view, tuple(self._clip[-CLIP_FRAMES:])),
        )

    def _known(self) -> list[Piece]:
        return [piece for number, piece in sorted(self._pieces.items()) if number != READY]

    def _side(self, lab: Floats | None) -> int:
        if lab is None:
            return 0 if self._last_side is None else 1 - self._last_side
        return self._colours.side(lab)[0]

    def _after(self, piece: Piece, went: Went, reading: Reading, new: list[int]) -> Piece:
        if went.found is not None:
            face = reading.faces[new[went.found]]
            return self._placed(piece, self._exact(reading, new[went.found]), face.lab, face.centre_px)
        place = {"hole": self._top.board.hole.place, "ditch": DITCH, "off": OFF}[went.gone]
        return replace(_out_of_sight(piece), place=place)

    def _placed(self, piece: Piece, seen_px: Floats, lab: Floats, face_px: Floats) -> Piece:
        lies_mm, call = self._reader.call(seen_px)
        return replace(
            piece,
            place=call.place,
            lab=lab,
            lies_mm=lies_mm,
            seen_px=seen_px,
            face_px=face_px,
            margin_mm=call.margin_mm,
            otherwise=call.otherwise,
            sigma_mm=self._reader.sigma_mm(seen_px),
        )

    def _nudged(
        self, reading: Reading, stays: dict[int, int], changed: list[Floats], tracks: list[Track]
    ) -> dict[int, Floats]:
        """Return the discs that stayed nearly where they lay, but moved: by how much (px)."""
        moved: dict[int, Floats] = {}
        contact_mm = 2 * self._top.board.piece_radius_mm + REACH_MM
        self.nudges = {}
        for number in stays.keys() - {READY}:
            piece = self._pieces[number]
            if piece.seen_px is None or piece.lies_mm is None or piece.place == self._top.board.hole.place:
                continue
            gap = min((track.passes_mm(piece.lies_mm) for track in tracks if track.piece != number), default=np.inf)
            if gap > contact_mm:
                continue
            shift_mm, sigma = nudge_mm(self._before.view, reading.view, piece.seen_px, self._reader.radius_px, changed)
            size = float(np.hypot(*shift_mm))
            self.nudges[number] = (round(size, 2), round(sigma, 3), round(gap, 1))
            if size > TOUCHED_MM and size > 3 * sigma:
                moved[number] = shift_mm * PX_PER_MM
        return moved


def _out_of_sight(piece: Piece) -> Piece:
    return replace(piece, lies_mm=None, seen_px=None, face_px=None, margin_mm=None, otherwise=None, sigma_mm=None)


def _lies(piece: Piece) -> Lies:
    centre = None if piece.lies_mm is None else (float(piece.lies_mm[0]), float(piece.lies_mm[1]))
    return Lies(piece.number, piece.side, piece.place, centre, piece.margin_mm, piece.sigma_mm, piece.in_sight)


def _doubt(piece: Piece) -> str:
    return f"Disc {piece.number + 1} is {piece.margin_mm:.1f} mm from counting {piece.otherwise} instead of {piece.place}."


def _mean(frames: Iterable[Frame]) -> Bgr:
    total = [frame.bgr for frame in frames]
    if len(total) == 1:
        return total[0]
    return np.mean(total, axis=0).round().astype(np.uint8)

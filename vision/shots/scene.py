"""What the camera sees of one board: when something moves, when all is at rest again, and how it then lies."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.calibration import Bgr, Calibration, Floats, apply, box_px
from vision.frames import Frame
from vision.motion import Box, Motion
from vision.settling import Settling
from vision.shots.drift import FixedPoints, Lost
from vision.shots.empty import FRESHNESS, EmptyBoard
from vision.shots.glimpses import Glimpser
from vision.shots.pieces import Piece
from vision.shots.reading import Reader, Reading
from vision.shots.topview import TopView
from vision.shots.tracks import Glimpse

AVERAGED = 4
HAND_MM2 = 2500.0
# A hand is told of when so many frames show it.
HAND_FRAMES = 4
# What lies still for so long belongs to the scene, whatever it is.
SCENERY_NS = 4_000_000_000
CLIP_FRAMES = 90
SMALL_DISC_PX = 4.0
# So much of the picture moves when the camera does, or a hand.
SHAKEN = 0.06


@dataclass(frozen=True, slots=True)
class Rest:
    """Everything at rest again: the view ``before`` anything moved, the ``reading`` after, and the frames between.

    ``drift_mm`` is how far the board has moved in the picture, None where it has not. ``hand`` says whether something
    hid part of the board meanwhile.
    """

    t_ns: int
    before: Bgr
    reading: Reading
    glimpses: tuple[Glimpse, ...] = ()
    clip: tuple[Frame, ...] = ()
    drift_mm: float | None = None

    @property
    def hand(self) -> bool:
        """Whether something hid part of the board meanwhile."""
        return any(glimpse.hand_mm2 > HAND_MM2 for glimpse in self.glimpses)


class Scene:
    """Follows the frames of one board. ``hidden`` says whether something is over it now."""

    def __init__(self, calibration: Calibration, bgr: Bgr, discs_px: Floats) -> None:
        """Begin with a picture of the board at rest, and where discs show in it (N×2, px of the picture)."""
        self._look_through(calibration, bgr, discs_px)
        view = self.top.of(bgr)
        seen = self.top.from_mm(calibration.to_mm(discs_px)) if len(discs_px) else np.zeros((0, 2))
        self._empty = EmptyBoard(self.top, view, seen)
        self.reader = Reader(self.top, self._empty)
        self._settling = Settling()
        self._quiet: deque[Frame] = deque(maxlen=AVERAGED)
        self._before_bgr, self._before = bgr, view
        self._waiting_ns: int | None = None
        self.hidden = False
        self._forget()

    def _look_through(self, calibration: Calibration, bgr: Bgr, discs_px: Floats) -> None:
        self.top = TopView(calibration)
        disc_px = calibration.px_per_mm() * calibration.board.piece_radius_mm
        box = box_px(calibration.homography, self.top.reach_mm, bgr.shape)
        self._box = Box(*box, max(1, round(disc_px / SMALL_DISC_PX)))
        self._motion = Motion()
        self._fixed = FixedPoints(bgr, discs_px, disc_px)

    def _forget(self) -> None:
        self._glimpses: list[Glimpse] = []
        self._clip: deque[Frame] = deque(maxlen=CLIP_FRAMES)
        self._glimpser: Glimpser | None = None
        self._shaken = False

    @property
    def calibration(self) -> Calibration:
        """Where the board is."""
        return self.top.calibration

    def first(self, t_ns: int) -> Rest:
        """Return how the board lay when it was found."""
        return Rest(t_ns, self._before, self.reader.read(self._before))

    def see(self, frame: Frame, pieces: Iterable[Piece]) -> Rest | None:
        """Take in a frame; return how all lies where it has just come to rest.

        ``pieces`` are the discs in sight as they last lay. Raises ``Lost`` where the board is not where it was.
        """
        small = self._box.small(frame.luma)
        moving_px = self._motion.moving_px(small, frame.t_ns)
        was_settled = self._settling.settled
        just_settled = self._settling.see(moving_px > 0, frame.t_ns)
        if moving_px:
            if was_settled:
                self._onset()
            self._glimpse(frame, pieces, moving_px / small.size)
            self._quiet.clear()
            return None
        self._quiet.append(frame)
        waited = self._waiting_ns is not None and frame.t_ns - self._waiting_ns > SCENERY_NS
        return self._at_rest(frame.t_ns, pieces, waited) if just_settled or waited else None

    def end(self, t_ns: int, pieces: Iterable[Piece]) -> Rest | None:
        """Return how all lies now that no more frames come, where that has not been said."""
        return self._at_rest(t_ns, pieces) if self._quiet and not self._settling.settled else None

    def _onset(self) -> None:
        """Take a last look at how all lay before it moved."""
        frames = list(self._quiet)[:-1]
        if frames and not self._glimpses:
            self._before_bgr = _mean(frames)
            self._before = self.top.of(self._before_bgr)

    def _glimpse(self, frame: Frame, pieces: Iterable[Piece], moving_share: float) -> None:
        if self._glimpser is None:
            self._glimpser = Glimpser(self.top, self._empty, self.reader.radius_px, self._before, list(pieces))
        bgr = frame.bgr
        self._shaken = self._shaken or moving_share > SHAKEN
        if self._shaken:
            bgr = self._steadied(bgr)
        self._glimpses.append(self._glimpser.look(bgr, frame.t_ns))
        self._clip.append(frame)
        lately = [glimpse.hand_mm2 > HAND_MM2 for glimpse in self._glimpses[-HAND_FRAMES:]]
        if len(lately) == HAND_FRAMES and (all(lately) or not any(lately)):
            self.hidden = lately[0]

    def _steadied(self, bgr: Bgr) -> Bgr:
        try:
            shift = self._fixed.shift(bgr)
        except Lost:
            return bgr
        if shift is None:
            return bgr
        back = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return cv2.warpAffine(bgr, shift[:2], (bgr.shape[1], bgr.shape[0]), flags=back)

    def _at_rest(self, t_ns: int, pieces: Iterable[Piece], waited: bool = False) -> Rest | None:
        bgr = _mean(self._quiet)
        shift = self._fixed.shift(bgr)
        drift_mm = None if shift is None else self._moved(shift, bgr, pieces)
        reading = self.reader.read(self.top.of(bgr))
        self.hidden = reading.hand_mm2 > HAND_MM2
        if self.hidden and waited:
            self._empty.refresh(reading.view, 1 - reading.hand, 1.0)
            reading = self.reader.read(reading.view)
        elif self.hidden:
            self._waiting_ns = t_ns
            return None
        self.hidden, self._waiting_ns = False, None
        rest = Rest(t_ns, self._before, reading, tuple(self._glimpses), tuple(self._clip), drift_mm)
        covered = self._empty.hidden_by([face.centre_px for face in reading.faces])
        self._empty.refresh(reading.view, covered, FRESHNESS if shift is None else 1.0)
        self._before_bgr, self._before = bgr, reading.view
        self._forget()
        return rest

    def _moved(self, shift: Floats, bgr: Bgr, pieces: Iterable[Piece]) -> float:
        """The camera was knocked: carry everything over to where the board is now; return how far it moved (mm)."""
        old = self.calibration
        at_mm = old.board.edge_mm * np.array([[0.0, 0.0], [1, 0], [0, 1]])
        drift_mm = np.linalg.norm(old.to_mm(apply(shift, old.to_px(at_mm))) - at_mm, axis=1).max()
        moved = replace(old, homography=shift @ old.homography)
        seen = [piece.seen_px for piece in pieces if piece.seen_px is not None]
        discs_px = moved.to_px(self.top.to_mm(np.array(seen))) if seen else np.zeros((0, 2))
        self._look_through(moved, bgr, discs_px)
        self._empty.look_through(self.top)
        self.reader = self.reader.over(self.top)
        size = (bgr.shape[1], bgr.shape[0])
        self._before_bgr = cv2.warpAffine(self._before_bgr, shift[:2], size, borderMode=cv2.BORDER_REPLICATE)
        self._before = self.top.of(self._before_bgr)
        return float(drift_mm)


def _mean(frames: Sequence[Frame] | deque[Frame]) -> Bgr:
    if len(frames) == 1:
        return frames[0].bgr
    total = np.zeros(frames[0].bgr.shape, np.float32)
    for frame in frames:
        cv2.accumulate(frame.bgr, total)
    return cv2.convertScaleAbs(total, alpha=1 / len(frames))

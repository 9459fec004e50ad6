"""What the camera sees of one board: when something moves, when all is at rest again, and how it then lies."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from calibration.calibration import Bgr, Calibration, Floats, box_px
from calibration.drift import Drift, Reference
from calibration.exposure import exposed
from scoring.board import RingBoard
from vision.frames import Frame
from vision.motion import Box, Motion
from vision.settling import Settling
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
# Where so much of the board is hidden, it is another picture.
MOST_HIDDEN = 0.6
# What lies still for so long belongs to the scene, whatever it is.
SCENERY_NS = 4_000_000_000
CLIP_FRAMES = 90
# A disc may be shot and come to rest while no frame comes for so long.
GAP_NS = 300_000_000
# A drift as small as this is believed when it is seen so often, and alike.
SMALL_DRIFT_MM = 3.0
ALIKE_MM = 0.6
AGREEING = 3
SMALL_DISC_PX = 4.0
# So much of the picture moves when the camera does, or a hand.
SHAKEN = 0.06
SHAKEN_EVERY = 3


class Lost(Exception):
    """The board is not where it was, and cannot be followed."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Everything at rest again: the view ``before`` anything moved, the ``reading`` after, and the frames between.

    ``drift_mm`` is how far the board has moved in the picture, None where it has not. ``gap_ns`` is the longest time
    for which no frame came.
    """

    t_ns: int
    before: Bgr
    reading: Reading
    glimpses: tuple[Glimpse, ...] = ()
    clip: tuple[Frame, ...] = ()
    drift_mm: float | None = None
    gap_ns: int = 0

    @property
    def hand(self) -> bool:
        """Whether something hid part of the board meanwhile."""
        return any(glimpse.hand_mm2 > HAND_MM2 for glimpse in self.glimpses)

    @property
    def unwatched(self) -> bool:
        """Whether discs may have come, moved or gone unseen: under a hand, or while no frames came."""
        times = [glimpse.t_ns for glimpse in self.glimpses]
        gaps = [later - earlier for earlier, later in pairwise(times)]
        return self.hand or max(gaps, default=0) > GAP_NS or self.gap_ns > GAP_NS


class Scene:
    """Follows the frames of one board. ``hidden`` says whether something is over it now."""

    def __init__(self, calibration: Calibration[RingBoard], bgr: Bgr, discs_px: Floats) -> None:
        """Begin with a picture of the board at rest, and where discs show in it (N×2, px of the picture)."""
        self._gain = float(exposed(bgr).mean()) / max(float(bgr.mean()), 1.0)
        self._look_through(calibration, bgr)
        view = self.top.of(bgr)
        seen = self.top.from_mm(calibration.to_mm(discs_px)) if len(discs_px) else np.zeros((0, 2))
        self._empty = EmptyBoard(self.top, view, seen)
        self.reader = Reader(self.top, self._empty)
        self._settling = Settling()
        self._quiet: deque[Frame] = deque(maxlen=AVERAGED)
        self._before_bgr, self._before = bgr, view
        self._waiting_ns: int | None = None
        self._last_ns: int | None = None
        self._drifts_mm: list[float] = []
        self.hidden = False
        self._forget()

    def _look_through(self, calibration: Calibration[RingBoard], bgr: Bgr) -> None:
        self.top = TopView(calibration, self._gain)
        disc_px = calibration.px_per_mm() * calibration.board.piece_radius_mm
        box = box_px(calibration.homography, self.top.reach_mm, bgr.shape)
        self._box = Box(*box, max(1, round(disc_px / SMALL_DISC_PX)))
        self._motion = Motion()
        self._reference = Reference.of(calibration, bgr)

    def _forget(self) -> None:
        self._glimpses: list[Glimpse] = []
        self._clip: deque[Frame] = deque(maxlen=CLIP_FRAMES)
        self._glimpser: Glimpser | None = None
        self._shaken = False
        self._gap_ns = 0

    @property
    def calibration(self) -> Calibration[RingBoard]:
        """Where the board is."""
        return self.top.calibration

    def first(self, t_ns: int) -> Rest:
        """Return how the board lay when it was found."""
        return Rest(t_ns, self._before, self.reader.read(self._before))

    def see(self, frame: Frame, pieces: Iterable[Piece]) -> Rest | None:
        """Take in a frame; return how all lies where it has just come to rest.

        ``pieces`` are the discs in sight as they last lay. Raises ``Lost`` where the board is not where it was.
        """
        self._gap_ns = max(self._gap_ns, frame.t_ns - (frame.t_ns if self._last_ns is None else self._last_ns))
        self._last_ns = frame.t_ns
        small = cv2.convertScaleAbs(self._box.small(frame.luma), alpha=self._gain)
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
        return self._at_rest(frame.t_ns, waited) if just_settled or waited else None

    def end(self, t_ns: int) -> Rest | None:
        """Return how all lies now that no more frames come, where that has not been said."""
        return self._at_rest(t_ns) if self._quiet and not self._settling.settled else None

    def _onset(self) -> None:
        """Take a last look at how all lay before it moved."""
        frames = list(self._quiet)[:-1]
        if frames and not self._glimpses:
            self._before_bgr = mean(frames)
            self._before = self.top.of(self._before_bgr)

    def _glimpse(self, frame: Frame, pieces: Iterable[Piece], moving_share: float) -> None:
        if self._glimpser is None:
            self._glimpser = Glimpser(self.top, self._empty, self.reader.radius_px, self._before, list(pieces))
        bgr = frame.bgr
        if self._shaken or (moving_share > SHAKEN and len(self._glimpses) % SHAKEN_EVERY == 0):
            bgr = self._steadied(bgr)
        self._glimpses.append(self._glimpser.look(bgr, frame.t_ns))
        self._clip.append(frame)
        lately = [glimpse.hand_mm2 > HAND_MM2 for glimpse in self._glimpses[-HAND_FRAMES:]]
        if len(lately) == HAND_FRAMES and (all(lately) or not any(lately)):
            self.hidden = lately[0]

    def _steadied(self, bgr: Bgr) -> Bgr:
        """Return a picture taken while the camera shook, as the camera saw before."""
        drift = self._reference.drift(bgr)
        self._shaken = drift.verdict == "followed"
        if not self._shaken:
            return bgr
        to_picture = drift.calibration.homography @ np.linalg.inv(self.calibration.homography)
        back = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return cv2.warpPerspective(bgr, to_picture, (bgr.shape[1], bgr.shape[0]), flags=back)

    def _at_rest(self, t_ns: int, waited: bool = False) -> Rest | None:
        bgr = mean(self._quiet)
        drift = self._reference.drift(bgr)
        followed = drift.verdict == "followed"
        self._drifts_mm = [*self._drifts_mm[1 - AGREEING :], drift.shift_mm] if followed else []
        alike = len(self._drifts_mm) == AGREEING and float(np.ptp(self._drifts_mm)) < ALIKE_MM
        moved = followed and (drift.shift_mm > SMALL_DRIFT_MM or alike)
        if moved:
            self._move(drift, bgr)
        reading = self.reader.read(self.top.of(bgr))
        self.hidden = reading.hand_mm2 > HAND_MM2
        most_hidden = reading.hand_mm2 > MOST_HIDDEN * np.pi * self.top.board.edge_mm**2
        if drift.verdict in ("lost", "gone") and (most_hidden or waited or not self.hidden):
            raise Lost
        if self.hidden and waited:
            self._empty.refresh(reading.view, 1 - reading.hand, 1.0)
            reading = self.reader.read(reading.view)
        elif self.hidden:
            self._waiting_ns = t_ns
            return None
        self.hidden, self._waiting_ns = False, None
        drift_mm = drift.shift_mm if moved else None
        rest = Rest(t_ns, self._before, reading, tuple(self._glimpses), tuple(self._clip), drift_mm, self._gap_ns)
        covered = self._empty.hidden_by([face.centre_px for face in reading.faces])
        self._empty.refresh(reading.view, covered, FRESHNESS if drift_mm is None else 1.0)
        self._before_bgr, self._before = bgr, reading.view
        self._forget()
        return rest

    def _move(self, drift: Drift[RingBoard], bgr: Bgr) -> None:
        """The camera was knocked: carry everything over to where the board is now."""
        to_before = self.calibration.homography @ np.linalg.inv(drift.calibration.homography)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        size = (bgr.shape[1], bgr.shape[0])
        self._before_bgr = cv2.warpPerspective(
            self._before_bgr, to_before, size, flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
        self._drifts_mm = []
        self._look_through(drift.calibration, bgr)
        self._empty.look_through(self.top)
        self.reader = self.reader.over(self.top)
        self._before = self.top.of(self._before_bgr)


def mean(frames: Sequence[Frame] | deque[Frame]) -> Bgr:
    """Return the mean of a few frames' pictures: of a still scene it has less noise."""
    if len(frames) == 1:
        return frames[0].bgr
    total = np.zeros(frames[0].bgr.shape, np.float32)
    for frame in frames:
        cv2.accumulate(frame.bgr, total)
    return cv2.convertScaleAbs(total, alpha=1 / len(frames))

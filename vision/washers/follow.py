"""Follows what happens on a board of holes whose place in the picture is known."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from cv2.typing import MatLike

from calibration.calibration import Calibration, Floats, turned
from scoring.board import HoleBoard
from vision.frames import Frame
from vision.motion import Box, Motion
from vision.sightings import BoardSeen, Sighting, TakeoutSeen
from vision.small import Yuv, small
from vision.steady import Shift, Steady, unshift
from vision.washers.account import Account, Moment
from vision.washers.arrivals import Arrivals
from vision.washers.blobs import Blob, blobs
from vision.washers.change import Reference, change
from vision.washers.cover import Cover
from vision.washers.flights import Flights, Path
from vision.washers.resolve import Spot
from vision.washers.rings import RingReader
from vision.washers.settled import Settled
from vision.washers.view import View

SETTLE_NS = 350_000_000
MOMENT_NS = 90_000_000
KEPT_NS = 1_200_000_000
# A quiet picture is looked at in full so often, to learn how it flickers.
RELEARN_NS = 130_000_000
# What cannot be explained well may still be rolling slowly: look again after a while, but not for ever.
PATIENCE_NS = 1_300_000_000
AGAIN_NS = 120_000_000
# A shift of the picture that stays is a camera that was knocked; one that changes fast is one being knocked.
SHIFTED_PX = 0.7
SHAKING_PX = 1.2
STEADY_PX = 0.08
# A picture not recognised for so long, or something large lying still for so long, may be a board moved.
STRANGE_NS = 1_500_000_000
LARGE_STILL_NS = 3_000_000_000
# A blob that lies still is where it was to within this.
SAME_PX = 6.0
# Blobs, in areas of a washer's disc: less is noise, more is a hand, a foot or a dog.
LEAST_AREA = 0.16
LARGE_AREA = 9.0
MOTION_WIDTH_PX = 320
# Movement shows in the tiny picture a little late: so many frames before it are looked at as well.
LOOK_BACK = 2
# A washer that lands in view beside the board, and is seen to do no more than skid to rest, has come so far at least.
SKIDDED_MM = 35.0


class Seen(NamedTuple):
    """One picture, steadied, and what stood out in it."""

    t_ns: int
    picture: Yuv
    found: list[Blob]


class Following:
    """Follows one board, frame by frame, and keeps the account of its washers."""

    def __init__(
        self, calibration: Calibration[HoleBoard], pictures: list[Yuv], account: Account, end_known: bool
    ) -> None:
        """Learn the board from quiet ``pictures``; unless ``end_known``, the first throw tells which end is near."""
        self.shape = pictures[0].shape
        self.calibration = calibration
        self.account = account
        self.lost = False
        self._end_known = end_known
        self._pictures = pictures
        self._factor = round(calibration.width_px / self.shape[1])
        self._motion = Motion()
        self._cover = Cover()
        self._recent: deque[Seen] = deque()
        self._skipped: deque[Frame] = deque(maxlen=LOOK_BACK)
        self._busy = False
        self._taking = False
        self._calm_ns: int | None = None
        self._strange_since_ns: int | None = None
        self._learned_ns = self._look_ns = 0
        self._shift = Shift(0, 0)
        self._said_shift_px = (0.0, 0.0)
        self._place()

    def _place(self) -> None:
        """Set up what depends on where the board is and which end is near."""
        board = self.account.board = self.calibration.board
        self._reference = Reference(self._pictures)
        self._steady = Steady(self._reference.picture[..., 0])
        self._view = View.of(self.calibration, self._factor)
        self._settled = Settled(self._view, RingReader(self._view), self._pictures)
        px_per_mm = self.calibration.px_per_mm() / self._factor
        self._disc_px = float(np.pi * (board.piece_radius_mm * px_per_mm) ** 2)
        self._flights = Flights(px_per_mm)
        self._arrivals = Arrivals(self._view, self.shape[1], self.shape[0])
        self._hands: list[Blob] = []

    def see(self, frame: Frame) -> list[Sighting]:
        """Return what became certain with this frame."""
        if not self._stirs(frame) and not self._busy and frame.t_ns - self._learned_ns < RELEARN_NS:
            self._skipped.append(frame)
            return []
        said: list[Sighting] = []
        while self._skipped:
            said += self._look(self._skipped.popleft())
        return said + self._look(frame)

    def _look(self, frame: Frame) -> list[Sighting]:
        """Look at a frame in full."""
        t_ns = frame.t_ns
        picture = self._steadied(small(frame))
        if picture is None:
            return self._shaken(t_ns)
        self._strange_since_ns = None
        found = self._stands_out(t_ns, picture)
        self._follow(t_ns, found)
        said: list[Sighting] = [*self._cover.see(t_ns, self._hides(found)), *self._orient(t_ns)]
        self._judge_calm(t_ns, found)
        newcomer = self._arrivals.see(self._flights.paths)
        if newcomer is not None:
            said += self._close_before(newcomer)
            self._arrivals.paths.append(newcomer)
        moment = self._come_to_rest(t_ns, picture, found)
        if moment is not None:
            said += self._close(moment, picture)
            self._flights.clear()
            self._busy = False
            said += self._where_now(t_ns)
        if not self._busy and not found:
            self._learned_ns = t_ns
            self._reference.learn(picture)
        self._remember(Seen(t_ns, picture, found))
        return said

    def bear_with(self, t_ns: int) -> None:
        """Take something large that lies on the board, which is where it was, as part of the scene."""
        self.lost = False
        if self._recent:
            self._reference.set(self._recent[-1].picture)
        self._strange_since_ns = t_ns

    def end(self) -> list[Sighting]:
        """Return what the last frames tell, though not everything may have come to rest."""
        if not (self._busy and self._recent):
            return []
        t_ns, picture, found = self._recent[-1]
        return self._close(self._moment(t_ns, picture, found, self._flights.paths), picture)

    def _stirs(self, frame: Frame) -> bool:
        """Whether anything moves at all, judged on a tiny grey picture."""
        width, height = frame.size_px
        factor = max(1, round(width / MOTION_WIDTH_PX))
        return self._motion.moving_px(Box(0, 0, width, height, factor).small(frame.luma), frame.t_ns) > 0

    def _steadied(self, picture: Yuv) -> Yuv | None:
        """Return a picture with the camera's shaking taken off; None while it shakes or shows something else."""
        before, self._shift = self._shift, self._steady.shift(picture[..., 0])
        shaken_px = float(np.hypot(self._shift.x_px - before.x_px, self._shift.y_px - before.y_px))
        if shaken_px > SHAKING_PX or not self._shift.trusted:
            return None
        return unshift(picture, self._shift) if self._shift.size_px > STEADY_PX else picture

    def _shaken(self, t_ns: int) -> list[Sighting]:
        """Wait while the camera shakes; a picture that stays strange is a board or a camera that was moved."""
        self._busy, self._calm_ns = True, None
        if self._shift.trusted:
            return []
        if self._strange_since_ns is None:
            self._strange_since_ns = t_ns
        self.lost = t_ns - self._strange_since_ns > STRANGE_NS
        return []

    def _stands_out(self, t_ns: int, picture: Yuv) -> list[Blob]:
        """Return what differs from the picture when all was quiet."""
        expected = self._reference.expected(self._reference.light(picture))
        noise = self._reference.noise
        past = (seen.picture for seen in reversed(self._recent) if t_ns - seen.t_ns >= MOMENT_NS)
        earlier = next(past, self._recent[0].picture if self._recent else picture)
        least_px = LEAST_AREA * self._disc_px
        return blobs(change(picture, expected, noise), picture, expected, earlier, noise, least_px)

    def _remember(self, seen: Seen) -> None:
        self._recent.append(seen)
        while seen.t_ns - self._recent[0].t_ns > KEPT_NS:
            self._recent.popleft()

    def _follow(self, t_ns: int, found: list[Blob]) -> None:
        """Follow what is small: washers, not hands and their fingers, and not the marks of washers that went away."""
        large = [blob for blob in found if self._is_large(blob)]
        radius_mm = self.calibration.board.piece_radius_mm
        placed = []
        for blob in found:
            if blob in large or any(_beside(blob.point_px, hand, 8) for hand in large):
                continue
            mm = self._mm(blob)
            if blob.moves or self.account.near(mm, 0.6 * radius_mm) is None:
                placed.append((blob, mm))
        for path in self._flights.follow(t_ns, placed):
            path.from_piece = self.account.near(path.mm[0], 1.3 * radius_mm)
            path.from_hand = any(_beside(path.px[0], hand, 60) for hand in (*large, *self._hands))
            path.amid_hands = bool(large)
        self._hands = large
        for path in self._flights.paths:
            if large and MOMENT_NS > t_ns - path.t_ns[-1] > 0 and not path.resting:
                path.from_hand |= any(
                    _beside(path.expected_px(t_ns), hand, 8) and _beside(path.px[0], hand, 30) for hand in large
                )

    def _mm(self, blob: Blob) -> Floats:
        """Return where a blob is, on the plane of the board."""
        mm: Floats = self._view.small_to_mm(blob.point_px[None])[0]
        return mm

    def _is_large(self, blob: Blob) -> bool:
        return blob.area_px > LARGE_AREA * self._disc_px

    def _hides(self, found: list[Blob]) -> bool:
        """Whether something large is over the board or close to it."""
        middle = self._view.mm_to_small(np.zeros((1, 2)))[0]
        for blob in found:
            if self._is_large(blob):
                x, y, w, h = blob.box_px
                nearest = np.clip(middle, (x, y), (x + w, y + h))
                if self._view.on_board(self._view.small_to_mm(nearest[None])[0], 60.0):
                    return True
        return False

    def _judge_calm(self, t_ns: int, found: list[Blob]) -> None:
        """Note since when nothing moves; a washer rocking in a hole may do so for long, and nothing comes of it."""
        if any(blob.moves and not self._in_hole(blob) for blob in found):
            self._busy, self._calm_ns = True, None
        elif self._calm_ns is None:
            self._calm_ns = t_ns
        self.lost = (
            self._cover.since_ns is not None
            and self._calm_ns is not None
            and t_ns - max(self._cover.since_ns, self._calm_ns) > LARGE_STILL_NS
        )

    def _in_hole(self, blob: Blob) -> bool:
        mm = self._mm(blob)
        inside = any(
            np.hypot(*(mm - np.array(hole.centre_mm))) < hole.radius_mm for hole in self.calibration.board.holes
        )
        return inside and blob.area_px < 2.6 * self._disc_px

    def _orient(self, t_ns: int) -> list[Sighting]:
        """Learn from the first throw which end is near: washers come from there."""
        if self._end_known:
            return []
        first = next((path for path in self._flights.paths if path.is_throw and len(path.px) >= 4), None)
        if first is None:
            return []
        self._end_known = True
        if first.heading()[1] <= 0:
            return []
        self.calibration = turned(self.calibration)
        paths = self._flights.paths
        self._place()
        for path in paths:
            path.mm = [-mm for mm in path.mm]
        self._flights.paths = paths
        return [BoardSeen(t_ns, self.calibration)]

    def _close_before(self, newcomer: Path) -> list[Sighting]:
        """Tell what the throws before did, from the picture just before the newcomer came in."""
        began_ns = newcomer.t_ns[0]
        before = [seen for seen in self._recent if seen.t_ns < began_ns]
        if not before:
            return []
        t_ns, picture, found = before[-1]
        earlier = [path for path in self._flights.paths if path.t_ns[0] < began_ns]
        said = self._close(self._moment(t_ns, picture, found, earlier), picture)
        self._flights.paths = [path for path in self._flights.paths if path.t_ns[0] >= began_ns]
        return said

    def _come_to_rest(self, t_ns: int, picture: Yuv, found: list[Blob]) -> Moment | None:
        """Return the moment in which all has come to rest in plain view, unless it calls for patience."""
        if not self._busy or self._calm_ns is None or self._cover.now or t_ns < self._look_ns:
            return None
        calm_ns = t_ns - self._calm_ns
        if calm_ns < SETTLE_NS:
            return None
        moment = self._moment(t_ns, picture, found, self._flights.paths)
        if calm_ns < PATIENCE_NS and self.account.strange(moment):
            self._look_ns = t_ns + AGAIN_NS
            return None
        return moment

    def _moment(self, t_ns: int, picture: Yuv, found: list[Blob], paths: list[Path]) -> Moment:
        """Read the board, and gather what led to this."""
        hidden = self._hidden_px(found)
        known = [np.array(piece.mm) for piece in self.account.on_board]
        reading = self._settled.read(picture, hidden, known, self._resting(found, hidden, paths))
        spots = self._spots(found, paths)
        arrivals = tuple(path for path in self._arrivals.paths if path.is_throw) or self._skidded(spots, paths)
        before = self._settled.last_view
        return Moment(t_ns, reading, spots, arrivals, tuple(paths), self._cover.lately, before, hidden)

    def _spots(self, found: list[Blob], paths: list[Path]) -> list[Spot]:
        """Return what of a washer's size lies new beside the board."""
        spots = []
        for blob in found:
            mm = self._mm(blob)
            is_new = self.account.near(mm, self.calibration.board.piece_radius_mm) is None
            sized = blob.area_px < 4 * self._disc_px
            if is_new and sized and not blob.shade and not self._view.on_board(mm):
                came = any(path.reach_mm > 60 and np.hypot(*(path.mm[-1] - mm)) < 20 for path in paths)
                spots.append(Spot(mm, blob.colour, came))
        return spots

    def _skidded(self, spots: list[Spot], paths: list[Path]) -> tuple[Path, ...]:
        """Return the path of a washer that came into view only to come to rest beside the board."""
        for path in paths:
            sized = 0.4 < path.area_px[-1] / self._disc_px < 1.8
            comes = path.from_piece is None and not path.from_hand and path.moved_points >= 3
            there = any(np.hypot(*(spot.mm - path.mm[-1])) < 20 for spot in spots)
            if sized and comes and there and path.resting and path.reach_mm > SKIDDED_MM:
                return (path,)
        return ()

    def _resting(self, found: list[Blob], hidden: MatLike, paths: list[Path]) -> list[Floats]:
        """Return where on the board something of a washer's size came to rest and still lies, or is hidden (mm)."""
        at = []
        for path in paths:
            sized = 0.3 < path.area_px[-1] / self._disc_px < 2.2
            x, y = (round(float(c)) for c in path.px[-1])
            there = hidden[y, x] > 0 or any(np.hypot(*(path.px[-1] - blob.point_px)) < SAME_PX for blob in found)
            if path.resting and path.reach_mm > 60 and sized and there:
                at.append(path.mm[-1])
        return at

    def _hidden_px(self, found: list[Blob]) -> MatLike:
        """Return a small picture of what large things hide: 255 there, 0 elsewhere."""
        hidden = np.zeros(self.shape[:2], np.uint8)
        for blob in found:
            if self._is_large(blob):
                x, y, w, h = blob.box_px
                hidden[y : y + h, x : x + w] = 255
        return hidden

    def _close(self, moment: Moment, picture: Yuv) -> list[Sighting]:
        """Say what the moment tells, and take it as how things are now."""
        said: list[Sighting] = self._taken(moment) or list(self.account.add(moment))
        self._settled.accept(moment.reading)
        shown = picture.copy()
        unseen = moment.hidden_px > 0
        if unseen.any():
            shown[unseen] = self._reference.expected(self._reference.light(picture).even())[unseen]
        self._reference.set(shown)
        self._arrivals.paths = []
        self._cover.lately = False
        return said

    def _taken(self, moment: Moment) -> list[Sighting]:
        """Say when hands take the washers off, and when the board is empty again: then a new round begins."""
        if moment.arrivals:
            self._taking = False
            return []
        took = self.account.take(moment)
        empty = not self.account.on_board and not moment.reading.fresh
        over = empty and moment.hidden and (took or self._taking or self.account.complete)
        said: list[Sighting] = []
        if (took or over) and not self._taking:
            self._taking = True
            said.append(TakeoutSeen(moment.t_ns, "started"))
        if over:
            self._taking = False
            self.account.clear()
            self._settled.cleared(moment.reading)
            said.append(TakeoutSeen(moment.t_ns, "ended"))
        return said

    def _where_now(self, t_ns: int) -> list[Sighting]:
        """Say where the board is now, when a knocked camera has come to rest elsewhere."""
        x_px, y_px = self._shift.x_px * self._factor, self._shift.y_px * self._factor
        moved_px = float(np.hypot(x_px - self._said_shift_px[0], y_px - self._said_shift_px[1]))
        if moved_px < SHIFTED_PX * self._factor:
            return []
        self._said_shift_px = (x_px, y_px)
        to_now = np.array([[1, 0, x_px], [0, 1, y_px], [0, 0, 1.0]])
        now = replace(self.calibration, homography=to_now @ self.calibration.homography, found_by="drift")
        return [BoardSeen(t_ns, now, moved_px / self.calibration.px_per_mm())]


def _beside(point_px: Floats, hand: Blob, reach_px: float) -> bool:
    """Whether a point lies within or near the box round something large: fingers, a cuff."""
    x, y, w, h = hand.box_px
    return bool(x - reach_px < point_px[0] < x + w + reach_px and y - reach_px < point_px[1] < y + h + reach_px)

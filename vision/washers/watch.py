"""Watches a board of holes: from frames to every throw, whose it was, and where everything lies.

All is quiet until something moves. What moves is followed in the small picture; when it has come to rest, the board
is read against its empty picture, and what changed is explained by the washers thrown and those displaced.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from cv2.typing import MatLike

from calibration.calibration import Calibration, Floats, turned
from calibration.errors import BoardNotFound
from scoring.board import HoleBoard
from vision.frames import Frame
from vision.sightings import BoardSeen, Health, Occluded, Sighting, TakeoutSeen
from vision.small import Yuv, small
from vision.steady import Shift, Steady, unshift
from vision.washers.account import Account, Moment
from vision.washers.blobs import Blob, blobs
from vision.washers.boards import find_board
from vision.washers.change import Reference
from vision.washers.flights import Flights, Path
from vision.washers.resolve import Spot
from vision.washers.rings import RingReader
from vision.washers.settled import Settled
from vision.washers.view import View

LEARN_NS = 450_000_000
LEARN_FRAMES = 5
SETTLE_NS = 350_000_000
MOMENT_NS = 90_000_000
KEPT_NS = 1_200_000_000
HIDDEN_NS = 200_000_000
# What cannot be explained well may still be rolling slowly: look again after a while, but not for ever.
PATIENCE_NS = 1_300_000_000
AGAIN_NS = 120_000_000
RELEARN_NS = 130_000_000
# A shift of the picture that stays is a camera that was knocked; one that changes fast is one being knocked.
SHIFTED_PX = 0.7
SHAKING_PX = 1.2
# A blob that lies still is where it was to within this.
SAME_PX = 6.0
# Blobs, in areas of a washer's disc: less is noise, more is a hand, a foot or a dog.
LEAST_AREA = 0.16
LARGE_AREA = 9.0
# A washer entering while another has been this long in view is a throw of its own.
APART_NS = 300_000_000
SLOW_MM_S = 350.0


class WasherWatcher:
    """Follows one board of holes through one camera."""

    def __init__(self, game: str, calibration: Calibration[HoleBoard] | None = None) -> None:
        """Watch a board for ``game``; a ``calibration`` given takes the finder's place and says which end is near."""
        self._game = game
        self._given = calibration
        self.calibration: Calibration[HoleBoard] | None = calibration
        self._first: list[tuple[int, Frame, Yuv]] = []
        self._watch: _Watch | None = None
        self._complained_ns: int | None = None

    def see(self, frame: Frame) -> Sequence[Sighting]:
        """Return what became certain with this frame."""
        picture = small(frame)
        if self._watch is not None and self._watch.shape == picture.shape:
            sightings = self._watch.see(frame, picture)
            self.calibration = self._watch.calibration
            return sightings
        return self._learn(frame, picture)

    def end(self) -> Sequence[Sighting]:
        """Return the throw that had not quite come to rest when the frames ended."""
        return self._watch.end() if self._watch else ()

    def _learn(self, frame: Frame, picture: Yuv) -> Sequence[Sighting]:
        """Collect the first quiet pictures, find the board in them, and begin to watch."""
        if self._first and self._first[0][2].shape != picture.shape:
            self._first = []
        self._first.append((frame.t_ns, frame, picture))
        began_ns = self._first[0][0]
        if frame.t_ns - began_ns < LEARN_NS or len(self._first) < LEARN_FRAMES:
            return ()
        frames, self._first = self._first, []
        try:
            calibration = self._given or find_board([f for _, f, _ in frames], self._game)
        except BoardNotFound as error:
            if self._complained_ns is None or frame.t_ns - self._complained_ns > 10_000_000_000:
                self._complained_ns = frame.t_ns
                return (Health(frame.t_ns, "board_not_found", str(error)),)
            return ()
        self.calibration = calibration.at_size(*frame.size_px)
        self._watch = _Watch(self._game, self.calibration, [p for _, _, p in frames], self._given is not None)
        return (BoardSeen(frame.t_ns, self.calibration),)


class _Watch:
    """The watch over a board whose place is known."""

    def __init__(self, game: str, calibration: Calibration[HoleBoard], pictures: list[Yuv], end_known: bool) -> None:
        self.shape = pictures[0].shape
        self.calibration = calibration
        self._pictures = pictures
        self._end_known = end_known
        self._game = game
        self._account = Account(game, calibration.board)
        self._place()
        self._last_ns = 0
        self._hidden_since_ns: int | None = None
        self._is_hidden = False
        self._said_hidden = False
        self._was_hidden = False
        self._taking = False

    def _place(self) -> None:
        """Set everything up that depends on where the board is."""
        self._reference = Reference(self._pictures)
        self._steady = Steady(self._reference.picture[..., 0])
        self._shift = Shift(0, 0)
        self._said_shift_px = (0.0, 0.0)
        self._factor = factor = round(self.calibration.width_px / self.shape[1])
        self._view = View.of(self.calibration, factor)
        self._account.board = self.calibration.board
        rings = RingReader(self._view)
        self._settled = Settled(self._view, rings, self._pictures)
        px_per_mm = self.calibration.px_per_mm() / factor
        self._disc_px = float(np.pi * (self.calibration.board.piece_radius_mm * px_per_mm) ** 2)
        self._flights = Flights(px_per_mm)
        self._arrivals: list[Path] = []
        self._hands: list[Blob] = []
        self._recent: deque[tuple[int, Yuv, list[Blob]]] = deque()
        self._busy = False
        self._learned_ns = 0
        self._look_ns = 0
        self._calm_ns: int | None = None

    def see(self, frame: Frame, picture: Yuv) -> list[Sighting]:
        """Return what became certain with this frame; ``picture`` is its small picture."""
        t_ns = self._last_ns = frame.t_ns
        shift = self._steady.shift(picture[..., 0])
        shaken_px = float(np.hypot(shift.x_px - self._shift.x_px, shift.y_px - self._shift.y_px))
        self._shift = shift
        if shift.size_px > 0.08:
            picture = unshift(picture, shift)
        if shaken_px > SHAKING_PX or not shift.trusted:
            self._calm_ns = None
            self._busy = True
            self._remember(t_ns, picture, [])
            return []
        change = self._reference.change(picture)
        earlier = self._moment_ago(t_ns, picture)
        found = blobs(change, picture, earlier, self._reference.noise, LEAST_AREA * self._disc_px)
        self._follow(t_ns, found)
        said = self._hiding(t_ns, found)
        said += self._orient(t_ns)
        if any(blob.moves and not self._in_hole(blob) for blob in found):
            self._busy, self._calm_ns = True, None
        elif self._calm_ns is None:
            self._calm_ns = t_ns
        said += self._next_arrival()
        if self._busy and self._calm_ns is not None and not self._is_hidden and t_ns >= self._look_ns:
            calm_ns = t_ns - self._calm_ns
            moment = self._moment(t_ns, picture, found, self._flights.paths) if calm_ns >= SETTLE_NS else None
            if moment is not None and calm_ns < PATIENCE_NS and self._account.strange(moment):
                self._look_ns, moment = t_ns + AGAIN_NS, None
        else:
            moment = None
        if moment is not None:
            said += self._close(moment, picture)
            self._flights.clear()
            self._busy = False
            said += self._keep_shift(t_ns)
        if not self._busy and not found and t_ns - self._learned_ns > RELEARN_NS:
            self._learned_ns = t_ns
            self._reference.learn(picture)
        self._remember(t_ns, picture, found)
        return said

    def end(self) -> list[Sighting]:
        """Return what the last frames tell, though not everything may have come to rest."""
        if not (self._busy and self._recent):
            return []
        _, picture, found = self._recent[-1]
        return self._resolve(self._last_ns, picture, found, self._flights.paths)

    def _remember(self, t_ns: int, picture: Yuv, found: list[Blob]) -> None:
        self._recent.append((t_ns, picture, found))
        while t_ns - self._recent[0][0] > KEPT_NS:
            self._recent.popleft()

    def _moment_ago(self, t_ns: int, picture: Yuv) -> Yuv:
        """Return the newest picture that is at least a moment old."""
        for then_ns, then, _ in reversed(self._recent):
            if t_ns - then_ns >= MOMENT_NS:
                return then
        return self._recent[0][1] if self._recent else picture

    def _in_hole(self, blob: Blob) -> bool:
        """Whether a blob is inside a hole: a washer there may rock for long, and nothing comes of it."""
        mm = self._view.small_to_mm(blob.point_px[None])[0]
        holes = self.calibration.board.holes
        inside = any(np.hypot(*(mm - np.array(hole.centre_mm))) < hole.radius_mm for hole in holes)
        return inside and blob.area_px < 2.6 * self._disc_px

    def _follow(self, t_ns: int, found: list[Blob]) -> None:
        """Follow what is small: washers, not hands and their fingers, and not the marks of washers that went away."""
        large = [blob for blob in found if self._is_large(blob)]
        placed = []
        for blob in found:
            if blob in large or any(_beside(blob.point_px, hand, 8) for hand in large):
                continue
            mm = self._view.small_to_mm(blob.point_px[None])[0]
            radius_mm = self.calibration.board.piece_radius_mm
            if blob.moves or self._account.near(mm, 0.6 * radius_mm) is None:
                placed.append((blob, mm))
        for path in self._flights.follow(t_ns, placed):
            path.from_piece = self._account.near(path.mm[0], 1.3 * radius_mm)
            path.from_hand = any(_beside(path.px[0], hand, 60) for hand in (*large, *self._hands))
        self._hands = large
        for path in self._flights.paths:
            if large and MOMENT_NS > t_ns - path.t_ns[-1] > 0 and not path.resting:
                path.from_hand |= any(
                    _beside(path.expected_px(t_ns), hand, 8) and _beside(path.px[0], hand, 30) for hand in large
                )

    def _is_large(self, blob: Blob) -> bool:
        return blob.area_px > LARGE_AREA * self._disc_px

    def _hiding(self, t_ns: int, found: list[Blob]) -> list[Sighting]:
        """Say when something large comes over the board, and when it has gone."""
        hides = any(
            self._is_large(blob) and self._view.on_board(self._nearest_mm(blob), 60.0)
            for blob in found
        )
        self._is_hidden = hides
        if hides:
            self._was_hidden = True
            if self._hidden_since_ns is None:
                self._hidden_since_ns = t_ns
            if not self._said_hidden and t_ns - self._hidden_since_ns > HIDDEN_NS:
                self._said_hidden = True
                return [Occluded(t_ns, "started")]
        else:
            self._hidden_since_ns = None
            if self._said_hidden:
                self._said_hidden = False
                return [Occluded(t_ns, "ended")]
        return []

    def _nearest_mm(self, blob: Blob) -> Floats:
        """Return the point of a blob's box that is nearest to the middle of the board."""
        x, y, w, h = blob.box_px
        middle = self._view.mm_to_small(np.zeros((1, 2)))[0]
        near = np.clip(middle, (x, y), (x + w, y + h))
        return self._view.small_to_mm(near[None])[0]

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
        recent, busy, calm = self._recent, self._busy, self._calm_ns
        paths = self._flights.paths
        self._place()
        for path in paths:
            path.mm = [-mm for mm in path.mm]
        self._flights.paths = paths
        self._recent, self._busy, self._calm_ns = recent, busy, calm
        return [BoardSeen(t_ns, self.calibration)]

    def _next_arrival(self) -> list[Sighting]:
        """Take note of a throw that comes in; one that comes in long after another closes that one's account."""
        for path in self._flights.paths:
            if any(path is known for known in self._arrivals) or not path.is_throw:
                continue
            if not self._arrivals:
                self._arrivals.append(path)
                continue
            last = self._arrivals[-1]
            apart_ns = path.t_ns[0] - last.t_ns[0]
            if apart_ns < APART_NS or not self._from_outside(path):
                continue
            if apart_ns > 2 * APART_NS and self._has_ended(last, path.t_ns[0]):
                said = self._resolve_before(path)
                self._arrivals.append(path)
                return said
            self._arrivals.append(path)
        return []

    def _from_outside(self, path: Path) -> bool:
        """Whether a path began at the picture's border or well outside the board."""
        x, y = path.px[0]
        height, width = self.shape[:2]
        near_border = min(x, y, width - x, height - y) < 0.16 * width
        return near_border or not self._view.on_board(path.mm[0], 60.0)

    def _has_ended(self, path: Path, t_ns: int) -> bool:
        """Whether a thrown washer had come to rest, or was gone, when the next came in."""
        return path.resting or path.t_ns[-1] < t_ns or path.speed_mm_s(first=False) < SLOW_MM_S

    def _resolve_before(self, path: Path) -> list[Sighting]:
        """Read the board as it was just before a new washer came in."""
        before = [one for one in self._recent if one[0] < path.t_ns[0]]
        if not before:
            return []
        t_ns, picture, found = before[-1]
        earlier = [p for p in self._flights.paths if p.t_ns[0] < path.t_ns[0]]
        said = self._resolve(t_ns, picture, found, earlier)
        self._flights.paths = [p for p in self._flights.paths if p.t_ns[0] >= path.t_ns[0]]
        return said

    def _resolve(self, t_ns: int, picture: Yuv, found: list[Blob], paths: list[Path]) -> list[Sighting]:
        """Read the board and say what came of everything that moved."""
        return self._close(self._moment(t_ns, picture, found, paths), picture)

    def _moment(self, t_ns: int, picture: Yuv, found: list[Blob], paths: list[Path]) -> Moment:
        """Read the board, and gather what led to this."""
        account, radius_mm = self._account, self.calibration.board.piece_radius_mm
        hidden = self._hidden_px(found)
        known = [np.array(piece.mm) for piece in account.on_board]
        reading = self._settled.read(picture, hidden, known, self._resting(found, hidden, paths))
        spots = []
        for blob in found:
            mm = self._view.small_to_mm(blob.point_px[None])[0]
            is_new = account.near(mm, radius_mm) is None
            if is_new and not self._view.on_board(mm, 0.0) and blob.area_px < 4 * self._disc_px:
                came = any(path.reach_mm > 60 and np.hypot(*(path.mm[-1] - mm)) < 20 for path in paths)
                spots.append(Spot(mm, blob.colour, came))
        before = self._settled.last_view
        arrivals = tuple(path for path in self._arrivals if path.is_throw)
        return Moment(t_ns, reading, spots, arrivals, tuple(paths), self._was_hidden, before, hidden)

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

    def _close(self, moment: Moment, picture: Yuv) -> list[Sighting]:
        """Say what the moment tells, and take it as how things are now."""
        said: list[Sighting] = self._taken(moment) or list(self._account.add(moment))
        self._settled.accept(moment.reading)
        shown = picture.copy()
        unseen = moment.hidden_px > 0
        shown[unseen] = self._reference.expected(self._reference.light(picture))[unseen]
        self._reference.set(shown)
        self._arrivals = []
        self._was_hidden = False
        return said

    def _taken(self, moment: Moment) -> list[Sighting]:
        """Say when hands take the washers off, and when the board is empty again: then a new round begins."""
        if moment.arrivals:
            self._taking = False
            return []
        took = self._account.take(moment)
        empty = not self._account.on_board and not moment.reading.fresh
        over = empty and moment.hidden and (took or self._taking or self._account.complete)
        said: list[Sighting] = []
        if (took or over) and not self._taking:
            self._taking = True
            said.append(TakeoutSeen(moment.t_ns, "started"))
        if over:
            self._taking = False
            self._account.clear()
            self._settled.cleared(moment.reading)
            said.append(TakeoutSeen(moment.t_ns, "ended"))
        return said

    def _hidden_px(self, found: list[Blob]) -> MatLike:
        """Return a small picture of what large things hide: 255 there, 0 elsewhere."""
        hidden = np.zeros(self.shape[:2], np.uint8)
        for blob in found:
            if self._is_large(blob):
                x, y, w, h = blob.box_px
                hidden[y : y + h, x : x + w] = 255
        return hidden

    def _keep_shift(self, t_ns: int) -> list[Sighting]:
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
    return bool(
        x - reach_px < point_px[0] < x + w + reach_px and y - reach_px < point_px[1] < y + h + reach_px
    )

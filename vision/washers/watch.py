"""Watches a board of holes: from frames to every throw, whose it was, and where everything lies.

All is quiet until something moves. What moves is followed in the small picture; when it has come to rest, the board
is read against its empty picture, and what changed is explained by the washers thrown and those displaced.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.calibration import Calibration
from calibration.errors import BoardNotFound
from scoring.board import HoleBoard
from vision.frames import Frame
from vision.sightings import BoardSeen, Health, Sighting
from vision.small import Yuv, small
from vision.washers.account import Account
from vision.washers.boards import find_board, thrown_at
from vision.washers.follow import Following

LEARN_NS = 450_000_000
LEARN_FRAMES = 5
COMPLAIN_NS = 10_000_000_000
MOVED_MM = 8.0
# Mean brightness (8 bit) of a picture in which nothing can be made out.
DARK = 14.0


class WasherWatcher:
    """Follows one board of holes through one camera."""

    def __init__(self, game: str, calibration: Calibration[HoleBoard] | None = None) -> None:
        """Watch a board for ``game``; a ``calibration`` given takes the finder's place and says which end is near."""
        self._game = game
        self._given = calibration
        self._account = Account(game, thrown_at(game).board)
        self._first: list[tuple[Frame, Yuv]] = []
        self._following: Following | None = None
        self._complained_ns: int | None = None
        self._is_dark = False

    @property
    def calibration(self) -> Calibration[HoleBoard] | None:
        """Where the board is, once it has been found."""
        return self._following.calibration if self._following else self._given

    def see(self, frame: Frame) -> Sequence[Sighting]:
        """Return what became certain with this frame."""
        said = self._light(frame)
        if self._is_dark:
            return said
        if self._following is not None:
            said += self._following.see(frame)
            return said + (self._look_again(frame, self._following) if self._following.lost else [])
        return said + self._learn(frame)

    def end(self) -> Sequence[Sighting]:
        """Return the throw that had not quite come to rest when the frames ended."""
        return self._following.end() if self._following else ()

    def _look_again(self, frame: Frame, following: Following) -> list[Sighting]:
        """Find out whether the board is still where it was, with something on it, or was moved."""
        try:
            found = find_board([frame], self._game)
        except BoardNotFound:
            following.bear_with(frame.t_ns)
            return []
        middles = [calibration.to_px(np.zeros((1, 2)))[0] for calibration in (found, following.calibration)]
        if float(np.hypot(*(middles[0] - middles[1]))) / found.px_per_mm() < MOVED_MM:
            following.bear_with(frame.t_ns)
            return []
        self._following, self._given = None, None
        message = "The board or the camera was moved. Looking for the board again; what was scored is kept."
        return [Health(frame.t_ns, "moved", message)]

    def _light(self, frame: Frame) -> list[Sighting]:
        is_dark = float(frame.luma[::16, ::16].mean()) < DARK
        if is_dark == self._is_dark:
            return []
        self._is_dark = is_dark
        if is_dark:
            return [Health(frame.t_ns, "dark", "It is too dark to see the washers. Switch a lamp on.")]
        return [Health(frame.t_ns, "light", "There is light again.")]

    def _learn(self, frame: Frame) -> list[Sighting]:
        """Collect the first pictures, find the board in them, and begin to follow it."""
        picture = small(frame)
        if self._first and self._first[0][1].shape != picture.shape:
            self._first = []
        self._first.append((frame, picture))
        if frame.t_ns - self._first[0][0].t_ns < LEARN_NS or len(self._first) < LEARN_FRAMES:
            return []
        frames, self._first = self._first, []
        try:
            found = self._given or find_board([f for f, _ in frames], self._game)
        except BoardNotFound as error:
            if self._complained_ns is not None and frame.t_ns - self._complained_ns < COMPLAIN_NS:
                return []
            self._complained_ns = frame.t_ns
            return [Health(frame.t_ns, "board_not_found", str(error))]
        calibration = found.at_size(*frame.size_px)
        end_known = self._given is not None or bool(self._account.pieces)
        self._following = Following(calibration, [p for _, p in frames], self._account, end_known)
        return [BoardSeen(frame.t_ns, calibration)]

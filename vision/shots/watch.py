"""Watch a crokinole board through a fixed camera, and say what every shot did."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from calibration import ring_board
from calibration.calibration import Calibration
from calibration.errors import BoardNotFound
from scoring.board import RingBoard
from scoring.games.crokinole import BOARD
from vision.frames import Frame
from vision.shots.play import Play
from vision.shots.scene import Lost, Rest, Scene, mean
from vision.sightings import BoardSeen, Health, Occluded, Sighting
from vision.still import Piece, read_still

SEARCH_EVERY_NS = 500_000_000
# The board is looked for in so many frames at once: noise would be taken for its look.
AVERAGED = 5
UNFOUND_NS = 3_000_000_000
DARK_LEVELS = 14.0
CLEAR_RIM = 0.5


class ShotWatcher:
    """Watches one crokinole board. Frames in, sightings out; all time is in the frames."""

    def __init__(self, calibration: Calibration[RingBoard] | None = None) -> None:
        """Begin to watch; ``calibration`` where the board is known already."""
        self._given = calibration
        self._scene: Scene | None = None
        self._play = Play()
        self._tried_ns: int | None = None
        self._lost_ns: int | None = None
        self._said_lost = self._is_dark = self._is_hidden = False
        self._last_ns = 0
        self._lately: deque[Frame] = deque(maxlen=AVERAGED)

    @property
    def calibration(self) -> Calibration[RingBoard] | None:
        """Where the board is, once it has been found."""
        return self._scene.calibration if self._scene else None

    def see(self, frame: Frame) -> Sequence[Sighting]:
        """Return what became certain with this frame."""
        self._last_ns = frame.t_ns
        said = self._light(frame)
        if self._is_dark:
            return said
        if self._scene is None:
            return said + self._search(frame)
        try:
            rest = self._scene.see(frame, self._play.in_sight)
        except Lost:
            self._scene, self._given, self._tried_ns = None, None, None
            return said + self._search(frame)
        return said + self._hidden(frame.t_ns, self._scene.hidden) + self._told(rest)

    def end(self) -> Sequence[Sighting]:
        """Return what can still be said when there are no more frames."""
        if self._scene is None:
            return ()
        try:
            return self._told(self._scene.end(self._last_ns))
        except Lost:
            return ()

    def _told(self, rest: Rest | None) -> list[Sighting]:
        if rest is None or self._scene is None:
            return []
        said: list[Sighting] = []
        if rest.drift_mm is not None:
            said.append(BoardSeen(rest.t_ns, self._scene.calibration, rest.drift_mm))
            message = f"The camera was moved: the board is {rest.drift_mm:.0f} mm from where it was. Play goes on."
            said.append(Health(rest.t_ns, "moved", message))
        return said + self._play.understand(rest, self._scene.reader)

    def _hidden(self, t_ns: int, hidden: bool) -> list[Sighting]:
        if hidden == self._is_hidden:
            return []
        self._is_hidden = hidden
        return [Occluded(t_ns, "started" if hidden else "ended")]

    def _light(self, frame: Frame) -> list[Sighting]:
        dark = float(frame.luma[::16, ::16].mean()) < DARK_LEVELS
        if dark == self._is_dark:
            return []
        self._is_dark = dark
        if dark:
            return [Health(frame.t_ns, "dark", "It is too dark to see the board. Switch a lamp on.")]
        return [Health(frame.t_ns, "light", "There is light again.")]

    def _search(self, frame: Frame) -> list[Sighting]:
        """Look for the board, now and then."""
        self._lately.append(frame)
        soon = self._tried_ns is not None and frame.t_ns - self._tried_ns < SEARCH_EVERY_NS
        if soon or len(self._lately) < AVERAGED:
            return []
        bgr = mean(self._lately)
        self._tried_ns = frame.t_ns
        self._lost_ns = frame.t_ns if self._lost_ns is None else self._lost_ns
        width, height = frame.size_px
        try:
            found = self._given.at_size(width, height) if self._given else ring_board.find(bgr, BOARD)
        except BoardNotFound as error:
            if self._said_lost or frame.t_ns - self._lost_ns < UNFOUND_NS:
                return []
            self._said_lost = True
            return [Health(frame.t_ns, "lost", str(error))]
        self._lost_ns, self._said_lost = None, False
        self._lately.clear()
        still = read_still(bgr, found)
        discs_px = np.array([piece.centre_px for piece in still.pieces if _is_clear(piece)]).reshape(-1, 2)
        self._scene = Scene(found, bgr, discs_px)
        self._play.adopt(self._scene.first(frame.t_ns), self._scene.reader)
        return [BoardSeen(frame.t_ns, found)]


def _is_clear(piece: Piece) -> bool:
    """Whether a disc in a still is one beyond doubt, its place aside: grain that looks like one would stay for good."""
    return piece.visible > CLEAR_RIM and (not piece.doubtful or piece.call.margin_mm < 2 * piece.sigma_mm)

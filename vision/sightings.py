"""What the camera saw happen on a board, in the order it became certain.

A watcher turns frames into sightings; a match turns sightings into events. Times are those of the frames, in
nanoseconds of the camera's clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from calibration.calibration import Bgr, Calibration
from scoring.board import Place, PointMm
from scoring.events import Moved
from vision.frames import Frame

Phase = Literal["started", "ended"]


@dataclass(frozen=True, slots=True)
class Lies:
    """Where one piece lies after a throw: its number in the order thrown, its side, its place.

    ``centre_mm`` is its place on the board and ``margin_mm`` how far its rim is from the line that would change the
    call; both None where the piece is not in sight, as in a hole. ``seen`` is false where the place follows from what
    was seen before and not from this picture.
    """

    piece: int
    side: int
    place: Place
    centre_mm: PointMm | None = None
    margin_mm: float | None = None
    sigma_mm: float | None = None
    seen: bool = True


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another answer to what a throw came to, and how likely it is (0 to 1)."""

    side: int
    place: Place
    moved: tuple[Moved, ...]
    likelihood: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """The pictures that show a throw: the board seen from above before and after it, and the frames between."""

    before: Bgr
    after: Bgr
    clip: tuple[Frame, ...] = ()


@dataclass(frozen=True, slots=True)
class Sighting:
    """Something the camera is sure enough of to say. ``t_ns`` is when it was."""

    t_ns: int


@dataclass(frozen=True, slots=True)
class BoardSeen(Sighting):
    """The board was found, or found again after it moved by ``drift_mm``."""

    calibration: Calibration[Any]
    drift_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class ThrowSeen(Sighting):
    """A throw or a shot has come to rest. ``t_ns`` is when it did, ``began_ns`` when it came into view.

    ``piece`` is the number of the piece thrown, in the order of the round, from 0; ``moved`` what else changed its
    place, ``touched`` what it touched directly or by a chain (crokinole). ``lies`` is where every piece of the round
    lies now. ``reason`` says in words why the call is what it is, and ``doubts`` what is open about it.
    """

    began_ns: int
    side: int
    piece: int
    place: Place
    moved: tuple[Moved, ...] = ()
    touched: tuple[int, ...] = ()
    confidence: float = 1.0
    alternatives: tuple[Alternative, ...] = ()
    lies: tuple[Lies, ...] = ()
    flags: tuple[str, ...] = ()
    reason: str = ""
    doubts: tuple[str, ...] = ()
    evidence: Evidence | None = None

    @property
    def doubtful(self) -> bool:
        """Whether people should look at it."""
        return bool(self.doubts)


@dataclass(frozen=True, slots=True)
class TakeoutSeen(Sighting):
    """Somebody takes the pieces off the board; when the board is empty the takeout has ended."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class Occluded(Sighting):
    """Something hides the board. What happens behind it is read when it has gone, and marked as not seen."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class Health(Sighting):
    """The camera does not see as it should: ``what`` in one word (``dark``, ``moved``, …), ``message`` for people."""

    what: str
    message: str


class Watcher(Protocol):
    """Watches one board through one camera, frame by frame. All time it knows is in the frames."""

    def see(self, frame: Frame) -> Sequence[Sighting]:
        """Return what became certain with this frame."""

    def end(self) -> Sequence[Sighting]:
        """Return what can still be said when there are no more frames."""

    @property
    def calibration(self) -> Calibration[Any] | None:
        """Where the board is, once it has been found."""


class WatcherMaker(Protocol):
    """Makes the watcher of a game. ``calibration`` where the board is known already."""

    def __call__(self, calibration: Calibration[Any] | None = None, **options: Any) -> Watcher:
        """Begin to watch."""

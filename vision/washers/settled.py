"""The board when all is quiet: read against its empty picture, and against how it was the last time all was quiet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from calibration.calibration import Floats
from vision.small import Yuv
from vision.washers.change import NOTABLE, Reference
from vision.washers.rings import Ring, RingReader
from vision.washers.view import View

# A hole's px counts as changed when it differs this many times as much as noise would make it.
CHANGED = 1.5
# A washer nearer than this to where one lay is the same, untouched; one farther than the second is another.
STILL_MM = 5.0
APART_MM = 30.0
# The share of a washer's metal that looks changed although nobody touched it.
UNTOUCHED = 0.2


@dataclass(frozen=True, slots=True)
class Reading:
    """What lies on the board: ``kept`` are the washers that still lie where they lay (by their order), None where one
    does not; ``fresh`` the others. ``in_holes`` is the share of each hole that looks changed. ``view``: the picture."""

    kept: tuple[Ring | None, ...]
    fresh: tuple[Ring, ...]
    in_holes: tuple[float, ...]
    view: Yuv


class Settled:
    """Reads quiet pictures of one board."""

    def __init__(self, view: View, rings: RingReader, pictures: Sequence[Yuv]) -> None:
        """Learn the empty board from quiet ``pictures``."""
        self._view = view
        self._rings = rings
        seen = [view.look(picture) for picture in pictures]
        self._empty = Reference(seen)
        self._last = Reference(seen)
        self._holes: list[NDArray[np.bool_]] = view.hole_masks()

    @property
    def last_view(self) -> Yuv:
        """The board as it was the last time all was quiet."""
        return self._last.picture

    def read(self, picture: Yuv, hidden: MatLike, known_mm: Sequence[Floats], rested_mm: Sequence[Floats]) -> Reading:
        """Read a quiet picture; ``known_mm`` is where washers lay on the board the last time.

        ``rested_mm`` is where something was seen to come to rest: a washer lies there even if it hardly shows. What
        lies where ``hidden`` (a map like the picture) is not 0 is not seen: there all is taken to be as it was.
        """
        seen = self._view.look(picture)
        covered = self._view.look(hidden) > 0
        seen[covered] = self._last.picture[covered]
        since = self._last.change(seen)
        left = self._rings.read(self._empty.change(seen), seen)
        kept: list[Ring | None] = []
        for mm in known_mm:
            near = min(left, key=lambda ring: float(np.hypot(*(ring.mm - mm))), default=None)
            if near is not None and float(np.hypot(*(near.mm - mm))) < STILL_MM:
                left.remove(near)
                kept.append(near)
            elif self._rings.share(since, mm) < UNTOUCHED:
                kept.append(self._rings.faint(mm, seen))
            else:
                kept.append(None)
        for mm in rested_mm:
            taken = [ring.mm for ring in (*left, *kept) if ring is not None]
            if self._rings.allows(mm) and all(float(np.hypot(*(other - mm))) > APART_MM for other in taken):
                left.append(self._rings.faint(mm, seen))
        changed = since > CHANGED * NOTABLE
        in_holes = tuple(float(changed[mask].mean()) for mask in self._holes)
        return Reading(tuple(kept), tuple(left), in_holes, seen)

    def cleared(self, reading: Reading) -> None:
        """Take a reading as what the empty board looks like now."""
        self._empty.set(reading.view)

    def accept(self, reading: Reading) -> None:
        """Take a reading as how the board is now."""
        self._last.set(reading.view)

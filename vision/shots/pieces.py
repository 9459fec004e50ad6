"""The discs of a round as they are known: whose they are, where they lie, and what the two sides look like."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.calibration import Floats
from scoring.board import Place
from vision.sides import LEAST_DIFFERENCE, LIGHTNESS
from vision.sightings import Lies

# The number of a disc that was laid on the start line and not shot yet.
READY = -1


@dataclass(frozen=True, slots=True)
class Piece:
    """One disc of the round; where it shows and lies is None where it is out of sight.

    ``seen_px`` is where its face shows in the view from above, as measured, ``face_px`` the same at a first glance.
    ``lies_mm`` is where it lies, ``lab`` its colour. ``margin_mm`` is how far it is from being called ``otherwise``.
    """

    number: int
    side: int
    place: Place
    lab: Floats
    lies_mm: Floats | None = None
    seen_px: Floats | None = None
    face_px: Floats | None = None
    margin_mm: float | None = None
    otherwise: Place | None = None
    sigma_mm: float | None = None

    @property
    def in_sight(self) -> bool:
        """Whether its face shows."""
        return self.seen_px is not None

    @property
    def wrong(self) -> float:
        """How likely (0 to 1) the call is wrong, by its margin."""
        if self.margin_mm is None or not self.sigma_mm:
            return 0.0
        return 0.5 * math.erfc(self.margin_mm / self.sigma_mm / math.sqrt(2))

    @property
    def is_near_line(self) -> bool:
        """Whether the measurement cannot settle the call."""
        return self.margin_mm is not None and self.sigma_mm is not None and self.margin_mm < 2 * self.sigma_mm

    def out_of_sight(self, place: Place) -> Piece:
        """Return the disc gone to where no camera sees it."""
        gone = replace(self, place=place, lies_mm=None, seen_px=None, face_px=None)
        return replace(gone, margin_mm=None, otherwise=None, sigma_mm=None)

    def lies(self) -> Lies:
        """Return where it lies, as others are told."""
        centre = None if self.lies_mm is None else (float(self.lies_mm[0]), float(self.lies_mm[1]))
        return Lies(self.number, self.side, self.place, centre, self.margin_mm, self.sigma_mm, self.in_sight)


@dataclass(slots=True)
class Colours:
    """What each side's discs look like, learned as they are seen: side 0 is the side that shot first."""

    labs: list[Floats] = field(default_factory=list)

    def side(self, lab: Floats) -> tuple[int, float]:
        """Return whose disc has this colour, and how sure that is: 1 clear, 0 a toss-up."""
        if not self.labs:
            return 0, 1.0
        off = [float(np.linalg.norm((lab - known) * LIGHTNESS)) for known in self.labs]
        if len(off) == 1:
            return (0, 1.0) if off[0] < LEAST_DIFFERENCE else (1, 1.0)
        nearest = int(np.argmin(off))
        return nearest, (off[1 - nearest] - off[nearest]) / max(off[1 - nearest] + off[nearest], 1e-6)

    def learn(self, side: int, lab: Floats) -> None:
        """Take in the colour of a disc of ``side``."""
        if side == len(self.labs):
            self.labs.append(lab)
        elif side < len(self.labs):
            self.labs[side] = 0.8 * self.labs[side] + 0.2 * lab

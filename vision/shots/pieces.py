"""The discs of a round as they are known: whose they are, where they lie, and what the two sides look like."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from calibration.calibration import Floats
from scoring.board import Place
from vision.sides import LEAST_DIFFERENCE, LIGHTNESS


@dataclass(frozen=True, slots=True)
class Piece:
    """One disc of the round. ``seen_px`` is where its face shows in the view from above, None where it is out of sight.

    ``face_px`` is the same as a first glance centres it. ``lies_mm`` is where it lies, ``lab`` its colour.
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


@dataclass(slots=True)
class Colours:
    """What each side's discs look like, learned as they are shot: side 0 is the side that shot first."""

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

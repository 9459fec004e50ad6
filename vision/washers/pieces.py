"""The washers of a round as far as they are known: whose, where, and what they look like."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.board import Place, PointMm

Colour = tuple[float, float, float]
# Brightness varies with light and gloss; colour hardly does.
# Looks further apart than the first are of two sides, nearer than the second of one, whatever the light (8-bit steps).
DIFFERENT = 26.0
ALIKE = 14.0
WEIGHT = np.array([0.45, 1.0, 1.0])


@dataclass(frozen=True, slots=True)
class Piece:
    """One washer: its number in the order thrown, its side, its place.

    ``mm`` is where it lies on the plane of the board (None where it is not in sight), ``colour`` what it looks like at
    rest or in flight (Y, U, V; None if never seen well), ``seen`` whether its place was seen or follows from the rest.
    One ``taken`` off by hand still counts where it lay, until the round is over.
    """

    number: int
    side: int
    place: Place
    mm: PointMm | None
    colour: Colour | None
    seen: bool = True
    taken: bool = False


def apart(a: Colour | NDArray[np.float64], b: Colour | NDArray[np.float64]) -> float:
    """Return how different two looks are, in 8-bit steps."""
    return float(np.linalg.norm((np.asarray(a) - np.asarray(b)) * WEIGHT))

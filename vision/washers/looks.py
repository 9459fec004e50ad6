"""Whose washer: by the order of throws, and by what each side's washers turn out to look like.

Nothing is configured. The first thrower is side 0; the look of its washers is learned from them. Where the other
side's look is the same, only the order can tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.washers.pieces import DIFFERENT, Colour, Piece, apart


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose a washer is, and how sure that is (0 to 1)."""

    side: int
    sure: float


class Looks:
    """Learns what the two sides' washers look like, from the washers of the match so far."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._seen: tuple[list[Colour], list[Colour]] = ([], [])

    def learn(self, piece: Piece) -> None:
        """Take a washer of a known side as an example."""
        if piece.colour is not None:
            self._seen[piece.side].append(piece.colour)

    def of(self, side: int) -> Colour | None:
        """Return what the side's washers look like, or None before one was seen."""
        if not self._seen[side]:
            return None
        y, u, v = np.median(np.array(self._seen[side]), axis=0)
        return float(y), float(u), float(v)

    @property
    def differ(self) -> bool:
        """Whether the two sides can be told by their looks."""
        a, b = self.of(0), self.of(1)
        return a is not None and b is not None and apart(a, b) > DIFFERENT

    def owner(self, colour: Colour | None, due: int) -> Owner:
        """Say whose a washer of this ``colour`` is, where side ``due`` throws next by the order."""
        if colour is None:
            return Owner(due, 0.85)
        known: Sequence[Colour | None] = (self.of(0), self.of(1))
        if self.differ:
            away = [apart(colour, look) for look in known if look is not None]
            near = int(away[1] < away[0])
            sure = abs(away[0] - away[1]) / (away[0] + away[1] + 1e-6)
            if near == due:
                return Owner(due, min(1.0, 0.9 + sure / 5))
            return Owner(near, min(0.99, 0.5 + sure)) if sure > 0.25 else Owner(due, 0.6)
        own, other = known[due], known[1 - due]
        if own is None and other is not None:
            return Owner(due, 0.97)
        if own is not None and other is None and apart(colour, own) > 1.5 * DIFFERENT:
            return Owner(1 - due, 0.8)
        return Owner(due, 0.95)

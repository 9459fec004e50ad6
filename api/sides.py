"""Which player is which colour: the same for the whole match, whatever order one photograph names them in."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.still import SideLook

_SAME_COLOUR_LAB = 30.0


def are_swapped(looks: Sequence[SideLook], known: Sequence[SideLook | None]) -> bool:
    """Say whether a photograph names the sides the other way round than the match does.

    ``known`` is what each side of the match looked like before, None for a side not seen yet.
    """
    return _misfit(looks, known, swap=True) < _misfit(looks, known, swap=False)


def _misfit(looks: Sequence[SideLook], known: Sequence[SideLook | None], swap: bool) -> float:
    """Sum how far each side's colour is from the one it had; a side not seen before is a little far from any."""
    total = 0.0
    for look in looks:
        before = known[1 - look.side if swap else look.side]
        total += _SAME_COLOUR_LAB if before is None else _distance(look, before)
    return total


def _distance(a: SideLook, b: SideLook) -> float:
    pair = np.array([[a.bgr, b.bgr]], dtype=np.float32) / 255
    lab = cv2.cvtColor(pair, cv2.COLOR_BGR2LAB)
    return float(np.linalg.norm(lab[0, 0] - lab[0, 1]))

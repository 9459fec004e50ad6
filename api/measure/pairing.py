"""Which of the things that were told is which of those that happened, where neither comes out of order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def pair_in_order(count: int, told: int, likeness: Callable[[int, int], float]) -> dict[int, int]:
    """Return for things that happened (0 to ``count`` − 1) which told one each is, the most alike in all.

    ``likeness`` of two is above nothing where they can be the same. It is the alignment of Needleman and Wunsch
    ("A general method applicable to the search for similarities", J. Mol. Biol. 48, 1970), with free gaps.
    """
    best = np.zeros((count + 1, told + 1))
    alike = np.array([[likeness(i, j) for j in range(told)] for i in range(count)]).reshape(count, told)
    for i in range(count):
        for j in range(told):
            paired = best[i, j] + alike[i, j] if alike[i, j] > 0 else 0.0
            best[i + 1, j + 1] = max(best[i, j + 1], best[i + 1, j], paired)
    pairs: dict[int, int] = {}
    i, j = count, told
    while i and j:
        if best[i, j] == best[i - 1, j]:
            i -= 1
        elif best[i, j] == best[i, j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs[i] = j
    return pairs

"""Sums over recordings: how many throws were told right, and how sure that share is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from api.measure.recordings import Measured

CONDITIONS = ("view", "preset", "light", "ground", "effects", "sides")
_Z95 = 1.959964


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over recordings. ``throws`` leaves those out that hardly came into view and were not told."""

    recordings: int = 0
    exact: int = 0
    throws: int = 0
    right: int = 0
    right_but_doubtful: int = 0
    wrong: int = 0
    wrong_but_doubtful: int = 0
    missed: int = 0
    extra: int = 0
    rounds: int = 0
    rounds_right: int = 0

    def __add__(self, other: Tally) -> Tally:
        """Count both together."""
        return Tally(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @classmethod
    def of(cls, measured: Iterable[Measured]) -> Tally:
        """Count what was measured."""
        return sum((_one(one) for one in measured), cls())

    @property
    def interval(self) -> tuple[float, float]:
        """Between which shares the true share of right throws lies, with 95 % confidence."""
        return wilson(self.right, self.throws)


def _one(measured: Measured) -> Tally:
    verdicts = measured.compared.verdicts
    return Tally(
        recordings=1,
        exact=int(measured.is_exact),
        throws=len(verdicts) - verdicts.count("unseen"),
        right=verdicts.count("right"),
        right_but_doubtful=measured.compared.doubtful,
        wrong=verdicts.count("wrong"),
        wrong_but_doubtful=verdicts.count("doubted"),
        missed=verdicts.count("missed"),
        extra=measured.compared.extra,
        rounds=measured.compared.rounds,
        rounds_right=measured.compared.rounds_right,
    )


def by_condition(measured: Sequence[Measured], condition: str) -> dict[str, Tally]:
    """Return the counts for each word of a condition, such as ``steep`` and ``oblique`` for ``view``."""
    words = sorted({word for one in measured for word in one.conditions[condition]})
    return {word: Tally.of(one for one in measured if word in one.conditions[condition]) for word in words}


def wilson(right: int, count: int) -> tuple[float, float]:
    """Return the interval that holds the true share with 95 % confidence, were all throws independent.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
    Statistical Association 22 (1927), 209–212.
    """
    if not count:
        return 0.0, 1.0
    share, z2 = right / count, _Z95**2
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = _Z95 / (1 + z2 / count) * math.sqrt(share * (1 - share) / count + z2 / (4 * count**2))
    return max(0.0, middle - half), min(1.0, middle + half)

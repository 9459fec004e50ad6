"""What washers in holes come to: cancelling, and what going over the target costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Pair = tuple[int, int]
Cancelling = Literal["hole", "net", "none"]
"""``hole``: one for one in each hole. ``net``: the points against each other. ``none``: both sides count all."""

Over = Literal["minus-round", "zero", "13", "15", "nothing"]
"""What going over costs: the round's points once more, everything, down to 13 or 15, or only the round."""


def cancel(a: Sequence[int], b: Sequence[int]) -> Pair:
    """Return what each side's washers in one hole are worth, those thrown earliest cancelling first, one for one."""
    pairs = min(len(a), len(b))
    return sum(a[pairs:]), sum(b[pairs:])


def net(holes: Sequence[tuple[Sequence[int], Sequence[int]]], cancelling: Cancelling) -> Pair:
    """Return each side's points of a round; ``holes`` gives the worth of each side's washers in each hole, in order."""
    counted = [cancel(a, b) if cancelling == "hole" else (sum(a), sum(b)) for a, b in holes]
    return versus(sum(a for a, _ in counted), sum(b for _, b in counted), cancelling)


def versus(a: int, b: int, cancelling: Cancelling) -> Pair:
    """Return what is left of each side's points of a round, where they are set against each other."""
    return (max(a - b, 0), max(b - a, 0)) if cancelling == "net" else (a, b)


def gone_over(start: int, points: int, over: Over, below_zero: bool = False) -> int:
    """Return the score of a side that went over the target with ``points``, from ``start`` at the round's beginning."""
    if over == "minus-round":
        return start - points if below_zero else max(start - points, 0)
    if over == "nothing":
        return start
    return 0 if over == "zero" else int(over)

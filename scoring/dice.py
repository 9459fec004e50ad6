"""Dice in hand: what was rolled, and what of it was set aside."""

from __future__ import annotations

from collections import Counter

from scoring.errors import IllegalEvent
from scoring.notation import numbers

Dice = tuple[int, ...]


def check_roll(dice: Dice, expected: int) -> None:
    """Refuse a roll that is not of ``expected`` dice with one to six pips."""
    if len(dice) != expected:
        raise IllegalEvent(f"{expected} dice are rolled now, not {len(dice)}.")
    if not all(1 <= die <= 6 for die in dice):
        raise IllegalEvent("A die shows one to six pips.")


def check_kept(kept: Dice, rolled: Dice) -> None:
    """Refuse to set aside dice that were not rolled."""
    if not rolled:
        raise IllegalEvent("There is no roll to set dice aside of; roll first.")
    if not kept or Counter(kept) - Counter(rolled):
        raise IllegalEvent(f"Set aside dice of this roll: {' '.join(map(str, rolled))}.")


def pips(text: str) -> Dice:
    """Read dice as players write them: ``1 1 5`` or ``115``."""
    dice = numbers(text.split())
    return tuple(int(pip) for die in dice for pip in str(die))

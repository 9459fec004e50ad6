"""Playing cards, written rank and suit: ``5H``, ``10S``, ``JD``."""

from __future__ import annotations

from typing import NamedTuple

from scoring.errors import IllegalEvent

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "CDHS"
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)


class Card(NamedTuple):
    """A card: its rank from 1 (ace) to 13 (king), and its suit's letter."""

    rank: int
    suit: str

    @property
    def value(self) -> int:
        """What it counts towards fifteen and thirty-one in cribbage: faces ten, an ace one."""
        return min(self.rank, 10)


def card(text: str) -> Card:
    """Read a card. Raises ``IllegalEvent`` for one that no deck has."""
    if text not in DECK:
        raise IllegalEvent(f"{text!r} is no card; cards are written 5H, 10S, JD.")
    return Card(RANKS.index(text[:-1]) + 1, text[-1])

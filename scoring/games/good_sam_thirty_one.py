"""31: the best suit in three cards, a knock, and three coins to lose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scoring.cards import card
from scoring.errors import CannotParse, IllegalEvent
from scoring.events import Called, Event, Foul, HandsShown, RoundStarted
from scoring.notation import by_side, side_of
from scoring.rules import AtLeastOne, Rules
from scoring.state import EndReason, Play, Table

HAND = 3
BEST = 31
ACE = 11


def points(cards: tuple[str, ...]) -> int:
    """Return what a hand counts: the best total of one suit."""
    hand = [card(name) for name in cards]
    worth = [ACE if each.rank == 1 else each.value for each in hand]
    return max(sum(w for w, each in zip(worth, hand, strict=True) if each.suit == suit) for suit in "CDHS")


@dataclass(frozen=True, slots=True)
class ThirtyOnePlay(Play):
    """A table of 31: who has knocked in this deal, and who kept a 31 in hand when somebody else did."""

    knocked: int | None = None
    kept_31: tuple[int, ...] = ()


@dataclass(frozen=True)
class ThirtyOne(Rules[ThirtyOnePlay]):
    """Players with ``coins`` each; deals are rounds, and the score is the coins left. The last with a coin wins."""

    coins: AtLeastOne = 3

    game: ClassVar[str] = "good-sam-thirty-one"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"good-sam": {}}
    sides: ClassVar[range] = range(2, 7)
    how_to: ClassVar[str] = "Write knock A when A knocks, then show A KH QH 5S / B 7C 8C 2D with every hand still in."

    def begin(self, sides: int) -> ThirtyOnePlay:
        """Return the table before the first deal."""
        return ThirtyOnePlay(score=(self.coins,) * sides)

    def step(self, play: ThirtyOnePlay, event: Event) -> ThirtyOnePlay:
        """Return the table after a knock or a showing of hands."""
        match event:
            case Called(side, "knock"):
                self._check_in(play, side)
                if play.knocked is not None:
                    raise IllegalEvent("{} has knocked already; show the hands.", play.knocked)
                return replace(play, knocked=side)
            case Foul(side, "kept_31"):
                self._check_in(play, side)
                return replace(play, kept_31=(*play.kept_31, side))
            case HandsShown(hands):
                return self._shown(play, hands)
            case RoundStarted(first):
                if first is not None:
                    self._check_in(play, first)
                return self._opened(play, first, idle=play.knocked is None)
            case _:
                return Rules.step(self, play, event)

    def look(self, play: ThirtyOnePlay, names: tuple[str, ...]) -> Table:
        """Return the coins left, and whether somebody has knocked."""
        words = "play on until somebody knocks or shows 31"
        if play.knocked is not None:
            words = f"{names[play.knocked]} knocked; show the hands"
        return Table(play.score, play.first, needs=words)

    def read(self, play: ThirtyOnePlay, text: str) -> Event:  # noqa: ARG002
        """Read a knock or a showing of hands."""
        word, _, rest = text.partition(" ")
        if word == "knock":
            return Called(side_of(rest), "knock")
        if word == "show":
            return HandsShown(tuple((side, tuple(name.upper() for name in names)) for side, names in by_side(rest)))
        raise CannotParse(f"{text!r} is nothing in 31. {self.how_to}")

    def _check_in(self, play: ThirtyOnePlay, side: int) -> None:
        self._check_side(play, side)
        if not play.score[side]:
            raise IllegalEvent("{} has no coin left.", side)

    def _shown(self, play: ThirtyOnePlay, hands: tuple[tuple[int, tuple[str, ...]], ...]) -> ThirtyOnePlay:
        playing = [side for side, coins in enumerate(play.score) if coins]
        if sorted(side for side, _ in hands) != playing:
            raise IllegalEvent(f"Show the hands of {', '.join('{}' for _ in playing)}, once each.", *playing)
        cards = [name for _, hand in hands for name in hand]
        if any(len(hand) != HAND for _, hand in hands) or len(set(cards)) != len(cards):
            raise IllegalEvent("Every hand is three cards, and no card is in two hands.")
        worth = {side: points(hand) for side, hand in hands}
        losers = {*self._losers(play, worth), *play.kept_31}
        if all(play.score[side] == 1 and side in losers for side in playing):
            losers = set()
        net = tuple(-int(side in losers) for side in range(len(play.score)))
        left = [side for side in playing if play.score[side] + net[side]]
        over = len(left) == 1
        first = next((side for side in left if side > play.first), left[0])
        counted = tuple(worth.get(side, 0) for side in range(len(net)))
        winner = left[0] if over else None
        after = self.scored(play, counted, net, first, EndReason.LAST_COIN if over else None, winner)
        return replace(after, knocked=None, kept_31=())

    def _losers(self, play: ThirtyOnePlay, worth: Mapping[int, int]) -> set[int]:
        """Return who loses a coin: all but a 31; a knocker who is beaten; else whoever is lowest."""
        best, lowest = max(worth.values()), min(worth.values())
        if best == BEST:
            return {side for side, points in worth.items() if points != BEST}
        if play.knocked is not None and worth[play.knocked] < best:
            return {play.knocked}
        return {side for side, points in worth.items() if points == lowest}


GAME = ThirtyOne

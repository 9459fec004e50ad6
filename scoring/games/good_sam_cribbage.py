"""Cribbage for two: pegging, the show, the crib, and 121."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

from scoring.cards import Card, card
from scoring.errors import CannotParse, IllegalEvent
from scoring.events import Called, CardCut, CardPlayed, Event, HandsShown, RoundStarted, ScoreSet
from scoring.notation import whose
from scoring.rules import AtLeastOne, Rules
from scoring.state import EndReason, Play, Table

HAND = 4
JACK = 11


def show(hand: Sequence[Card], starter: Card, crib: bool = False) -> int:
    """Return what four cards count with the starter; a flush in the ``crib`` takes the starter too."""
    cards = [*hand, starter]
    return (
        rank_points(tuple(sorted(each.rank for each in cards)))
        + _flush(hand, starter, crib)
        + sum(each.rank == JACK and each.suit == starter.suit for each in hand)
    )


def rank_points(ranks: tuple[int, ...]) -> int:
    """Return what five cards count by their ranks alone: fifteens, pairs and runs."""
    values = [min(rank, 10) for rank in ranks]
    fifteens = sum(sum(some) == 15 for size in range(2, 6) for some in combinations(values, size))
    counts = Counter(ranks)
    pairs = sum(count * (count - 1) // 2 for count in counts.values())
    return 2 * fifteens + 2 * pairs + _runs(counts)


def _runs(counts: Mapping[int, int]) -> int:
    total = 0
    length, ways = 0, 1
    for rank in range(1, 15):
        if count := counts.get(rank, 0):
            length, ways = length + 1, ways * count
            continue
        if length >= 3:
            total += length * ways
        length, ways = 0, 1
    return total


def _flush(hand: Sequence[Card], starter: Card, crib: bool) -> int:
    if len({each.suit for each in hand}) > 1:
        return 0
    if hand[0].suit == starter.suit:
        return HAND + 1
    return 0 if crib else HAND


def peg(pile: Sequence[Card]) -> int:
    """Return what the newest card of a pile pegs: fifteen, thirty-one, pairs and runs, but not the last card's one."""
    count = sum(each.value for each in pile)
    points = 2 if count in (15, 31) else 0
    same = next((n for n, each in enumerate(reversed(pile)) if each.rank != pile[-1].rank), len(pile))
    points += same * (same - 1)
    for length in range(len(pile), 2, -1):
        ranks = sorted(each.rank for each in pile[-length:])
        if ranks == list(range(ranks[0], ranks[0] + length)):
            return points + length
    return points


@dataclass(frozen=True, slots=True)
class CribbagePlay(Play):
    """A match of cribbage: ``first`` leads and the other side deals. ``pile`` counts towards 31, ``go`` said go."""

    starter: str = ""
    played: tuple[tuple[int, str], ...] = ()
    pile: tuple[tuple[int, str], ...] = ()
    go: tuple[int, ...] = ()
    turn: int = 0
    pegged: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Cribbage(Rules[CribbagePlay]):
    """Two players to ``target``: 121, pegged as it comes, so the match may end in the middle of a deal. No muggins.

    Deals are rounds. The cards played are the hands, so only the crib has to be shown.
    """

    target: AtLeastOne = 121

    game: ClassVar[str] = "good-sam-cribbage"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"good-sam": {}}
    how_to: ClassVar[str] = "Write cut 5H; then cards as they are played, 10S, and go; then crib AH 2S 3D 4C."

    def begin(self, sides: int) -> CribbagePlay:
        """Return the match before the first cut; side 1 deals, so side 0 leads."""
        return CribbagePlay(score=(0,) * sides)

    def step(self, play: CribbagePlay, event: Event) -> CribbagePlay:
        """Return the match after a cut, a card, a go, or the crib."""
        match event:
            case CardCut(name):
                return self._cut(play, name)
            case CardPlayed(side, name):
                return self._played(play, side, name)
            case Called(side, "go"):
                return self._gone(play, side)
            case HandsShown(hands):
                return self._crib(play, hands)
            case RoundStarted(first):
                return self._opened(play, first, idle=not play.starter)
            case ScoreSet(score):
                return self._score_set(play, score, idle=not play.starter, below=self.target)
            case _:
                return Rules.step(self, play, event)

    def look(self, play: CribbagePlay, names: tuple[str, ...]) -> Table:
        """Return the score as pegged, the count, and what is awaited."""
        left = tuple(HAND - sum(owner == side for owner, _ in play.played) for side in (0, 1))
        score = (play.score[0] + play.pegged[0], play.score[1] + play.pegged[1])
        if not play.starter:
            return Table(score, None, left, needs=f"{names[1 - play.first]} deals; cut the starter")
        if not any(left):
            return Table(score, None, left, needs=f"{names[1 - play.first]} shows the crib")
        count = sum(card(name).value for _, name in play.pile)
        return Table(score, play.turn, left, needs=f"the count is {count}; play a card or say go")

    def read(self, play: CribbagePlay, text: str) -> Event:
        """Read a cut, a card, a go, or the crib."""
        side, text = whose(text, play.turn)
        match text.upper().split():
            case ["CUT", name]:
                return CardCut(name)
            case ["GO"]:
                return Called(side, "go")
            case ["CRIB", *cards]:
                return HandsShown(((1 - play.first, tuple(cards)),))
            case [name]:
                return CardPlayed(side, name)
        raise CannotParse(f"{text!r} is no card. {self.how_to}")

    def _cut(self, play: CribbagePlay, name: str) -> CribbagePlay:
        if play.starter:
            raise IllegalEvent(f"The starter has been cut: {play.starter}.")
        heels = 2 if card(name).rank == JACK else 0
        return self._pegs(replace(play, starter=name, turn=play.first), 1 - play.first, heels)

    def _played(self, play: CribbagePlay, side: int, name: str) -> CribbagePlay:
        self._check_laying(play, side)
        new = card(name)
        if name == play.starter or any(name == other for _, other in play.played):
            raise IllegalEvent(f"{name} has been seen already in this deal.")
        if sum(card(other).value for _, other in play.pile) + new.value > 31:
            raise IllegalEvent(f"{name} would take the count past 31; say go.")
        pile = (*play.pile, (side, name))
        play = replace(play, pile=pile, played=(*play.played, (side, name)))
        play = self._pegs(play, side, peg([card(other) for _, other in pile]))
        return play if play.reason else self._moves_on(play)

    def _gone(self, play: CribbagePlay, side: int) -> CribbagePlay:
        self._check_laying(play, side)
        if not play.pile:
            raise IllegalEvent("Nobody says go at a count of nothing.")
        return self._moves_on(replace(play, go=(*play.go, side)))

    def _check_laying(self, play: CribbagePlay, side: int) -> None:
        if not play.starter:
            raise IllegalEvent("Cut the starter first.")
        if len(play.played) == 2 * HAND:
            raise IllegalEvent("All cards are played; show the crib.")
        self._check_turn(play, side, play.turn)

    def _moves_on(self, play: CribbagePlay) -> CribbagePlay:
        """Say who plays next; where nobody can, the last card pegs one, and the count begins anew."""
        last = play.pile[-1][0]
        has_cards = [side for side in (0, 1) if sum(owner == side for owner, _ in play.played) < HAND]
        is_31 = sum(card(name).value for _, name in play.pile) == 31
        able = [] if is_31 else [side for side in has_cards if side not in play.go]
        if able:
            return replace(play, turn=1 - play.turn if 1 - play.turn in able else able[0])
        if not is_31:
            play = self._pegs(play, last, 1)
        if play.reason or not has_cards:
            return play if play.reason else self._show(play)
        return replace(play, pile=(), go=(), turn=1 - last if 1 - last in has_cards else last)

    def _show(self, play: CribbagePlay) -> CribbagePlay:
        """Count both hands, the one that did not deal first."""
        for side in (play.first, 1 - play.first):
            hand = [card(name) for owner, name in play.played if owner == side]
            play = self._pegs(play, side, show(hand, card(play.starter)))
            if play.reason:
                break
        return play

    def _crib(self, play: CribbagePlay, hands: tuple[tuple[int, tuple[str, ...]], ...]) -> CribbagePlay:
        if len(play.played) < 2 * HAND:
            raise IllegalEvent("The crib is shown when all cards are played.")
        if [(side, len(cards)) for side, cards in hands] != [(1 - play.first, HAND)]:
            raise IllegalEvent("The dealer shows the four cards of the crib.")
        names = hands[0][1]
        if len({play.starter, *names, *(name for _, name in play.played)}) != 1 + 3 * HAND:
            raise IllegalEvent("A card of this crib has been seen already in this deal.")
        points = show([card(name) for name in names], card(play.starter), crib=True)
        after = self._pegs(play, 1 - play.first, points)
        return after if after.reason else self._dealt(after, None)

    def _pegs(self, play: CribbagePlay, side: int, points: int) -> CribbagePlay:
        a, b = play.pegged
        play = replace(play, pegged=(a + points, b) if side == 0 else (a, b + points))
        return self._dealt(play, side) if play.score[side] + play.pegged[side] >= self.target else play

    def _dealt(self, play: CribbagePlay, winner: int | None) -> CribbagePlay:
        reason = None if winner is None else EndReason.TARGET
        after = self.scored(play, play.pegged, play.pegged, 1 - play.first, reason, winner)
        return replace(after, starter="", played=(), pile=(), go=(), pegged=(0, 0))


GAME = Cribbage

"""Cribbage's show against another program's, and against all hands there are."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from math import comb, prod
from random import Random

import pytest
from cribbage_scorer import cribbage_scorer

from scoring.cards import DECK, Card, card
from scoring.games.good_sam_cribbage import peg, rank_points, show

ALL_DEALS = 12_994_800


@pytest.mark.parametrize("crib", [False, True])
def test_50_000_random_hands_agree_with_cribbage_scorer(crib: bool) -> None:
    random = Random(7)
    deck = [card(name) for name in DECK]
    for _ in range(50_000):
        starter, *hand = random.sample(deck, 5)
        theirs, _ = cribbage_scorer.show_calc_score(tuple(starter), [tuple(each) for each in hand], crib=crib)
        assert show(hand, starter, crib) == theirs, (hand, starter)


def test_the_mean_of_all_hands_and_how_many_count_28() -> None:
    """Enumerate ranks, and count the suits: flush and nobs depend on suits alone, the rest on ranks alone.

    4.769152 is the known mean of a hand over all 52 over 4 times 48 deals; 76 of them count 28, and 4 count 29.
    """
    total = count_28 = count_29 = 0
    for hand in combinations_with_replacement(range(1, 14), 4):
        ways = prod(comb(4, hand.count(rank)) for rank in set(hand))
        for starter in range(1, 14):
            left = 4 - hand.count(starter)
            if not left:
                continue
            points = rank_points(tuple(sorted((*hand, starter))))
            total += points * ways * left
            if starter != 11:
                total += ways * left * hand.count(11) // 4
            if len(set(hand)) == 4:
                total += 4 * (4 * left + (starter not in hand))
            if points >= 23:
                exact = _points_by_suits(hand, starter)
                count_28 += exact.count(28)
                count_29 += exact.count(29)
    assert f"{total / ALL_DEALS:.6f}" == "4.769152"
    assert (count_28, count_29) == (76, 4)


def _points_by_suits(hand: tuple[int, ...], starter: int) -> list[int]:
    """Return what every choice of suits of these ranks counts, by the rules themselves."""
    suited = [[Card(rank, suit) for suit in "CDHS"] for rank in (*hand, starter)]
    deals = {(frozenset(cards), last) for *cards, last in product(*suited) if len({*cards, last}) == 5}
    return [show(list(cards), last) for cards, last in deals]


def test_every_deal_is_counted_once() -> None:
    deals = 0
    for hand in combinations_with_replacement(range(1, 14), 4):
        for starter in range(1, 14):
            deals += prod(comb(4, hand.count(rank)) for rank in set(hand)) * (4 - hand.count(starter))
    assert deals == ALL_DEALS


@pytest.mark.parametrize(
    ("pile", "points"),
    [("5H 10S", 2), ("7H 7S", 2), ("7H 7S 7D", 6), ("3H 3S 3D 3C", 12), ("4H 6S 5D", 5), ("4H 6S 5D 5C", 2),
     ("2H 4S 3D 5C 6H", 5), ("10H JS AD 10S", 2), ("KH QS", 0)],
)  # fmt: skip
def test_pegging(pile: str, points: int) -> None:
    assert peg([card(name) for name in pile.split()]) == points

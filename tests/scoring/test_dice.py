"""How often a roll counts nothing, of all rolls there are."""

from __future__ import annotations

from itertools import product

import pytest

from scoring.games.challenge_dice import PAIR, rank
from scoring.games.good_sam_zilch import points


@pytest.mark.parametrize(
    ("dice", "nothing", "rolls"),
    [(6, 1080, 46656), (5, 600, 7776), (4, 204, 1296), (3, 60, 216), (2, 16, 36), (1, 4, 6)],
)
def test_rolls_of_zilch_that_count_nothing(dice: int, nothing: int, rolls: int) -> None:
    counted = [points(roll)[0] for roll in product(range(1, 7), repeat=dice)]
    assert (counted.count(0), len(counted)) == (nothing, rolls)


def test_out_rolls_of_challenge_dice_that_are_not_even_a_pair() -> None:
    """The text says about one in ten, and one in a hundred that the first player loses two coins at once."""
    busts = sum(rank(roll) < (PAIR, ()) for roll in product(range(1, 7), repeat=5))
    assert busts == 720
    assert round(busts / 6**5, 2) == 0.09
    assert round((busts / 6**5) ** 2, 2) == 0.01

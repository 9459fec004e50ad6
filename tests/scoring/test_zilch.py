"""How often a roll of zilch counts nothing, of all rolls there are."""

from __future__ import annotations

from itertools import product

import pytest

from scoring.games.good_sam_zilch import points


@pytest.mark.parametrize(
    ("dice", "nothing", "rolls"),
    [(6, 1080, 46656), (5, 600, 7776), (4, 204, 1296), (3, 60, 216), (2, 16, 36), (1, 4, 6)],
)
def test_rolls_that_count_nothing(dice: int, nothing: int, rolls: int) -> None:
    counted = [points(roll)[0] for roll in product(range(1, 7), repeat=dice)]
    assert (counted.count(0), len(counted)) == (nothing, rolls)

from __future__ import annotations

from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.shots.assign import assign


@given(st.integers(1, 4), st.integers(0, 2), st.integers(0, 2**32 - 1))
def test_no_other_choice_costs_less(rows: int, more: int, seed: int) -> None:
    costs = np.random.default_rng(seed).uniform(-5, 5, (rows, rows + more))
    chosen = assign(costs)
    assert len(set(chosen)) == rows
    least = min(sum(costs[r, c] for r, c in enumerate(p)) for p in permutations(range(rows + more), rows))
    assert sum(costs[r, c] for r, c in enumerate(chosen)) <= least + 1e-9

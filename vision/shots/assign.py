"""Who is who: give each row one column so that the costs are least in all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.calibration import Floats


def assign(costs: Floats | Sequence[Sequence[float]]) -> list[int]:
    """Return the column of each row of ``costs`` (rows × columns, no more rows than columns).

    The Hungarian method with potentials (Kuhn 1955, in the form of Jonker and Volgenant 1987).
    """
    matrix = np.asarray(costs, dtype=np.float64)
    rows, columns = matrix.shape if matrix.size else (len(matrix), 0)
    row_price, column_price = np.zeros(rows + 1), np.zeros(columns + 1)
    owner = np.zeros(columns + 1, dtype=np.int64)
    for row in range(1, rows + 1):
        owner[0], column = row, 0
        cheapest = np.full(columns + 1, np.inf)
        used = np.zeros(columns + 1, dtype=bool)
        came_from = np.zeros(columns + 1, dtype=np.int64)
        while owner[column]:
            used[column] = True
            reduced = matrix[owner[column] - 1] - row_price[owner[column]] - column_price[1:]
            better = ~used[1:] & (reduced < cheapest[1:])
            cheapest[1:][better] = reduced[better]
            came_from[1:][better] = column
            free = np.where(used, np.inf, cheapest)
            following = int(free[1:].argmin()) + 1
            step = free[following]
            row_price[owner[used]] += step
            column_price[used] -= step
            cheapest[~used] -= step
            column = following
        while column:
            owner[column] = owner[came_from[column]]
            column = int(came_from[column])
    chosen = [-1] * rows
    for column in range(1, columns + 1):
        if owner[column]:
            chosen[int(owner[column]) - 1] = column - 1
    return chosen

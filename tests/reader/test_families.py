"""Which sets belong together."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from shoal.reader.fit import spread
from tests.reader.sets import SETS, cells_of


def naive(p: np.ndarray, leaves: list[int], part: list[int], m: int) -> np.ndarray:
    """The expected share of each value among m rows drawn from p within the set, given that they lie in two parts or more."""
    q = p[leaves] / p[leaves].sum()
    total, found = 0.0, np.zeros(len(leaves))
    for rows in product(range(len(leaves)), repeat=m):
        if len({part[r] for r in rows}) < 2:
            continue
        chance = float(np.prod(q[list(rows)]))
        total += chance
        found += chance * np.bincount(rows, minlength=len(leaves)) / m
    return found / total


@pytest.mark.parametrize("m", [2, 3, 4])
def test_a_group_lies_in_two_parts_of_what_it_shows(m: int):
    p = np.array([0.6, 0.1, 0.25, 0.05])
    cells = cells_of(SETS, [2, 3], [m, m], [m, m])
    share = spread(cells, cells.of, p, 1.0)
    assert share[:2] == pytest.approx(naive(p, [0, 1], [0, 1], m))
    assert share[2:] == pytest.approx(naive(p, [0, 1, 2, 3], [0, 0, 1, 2], m))

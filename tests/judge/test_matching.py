"""Released rows are assigned to rows of the original just where they can be."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.judge import matching
from shoal.judge.matching import MatchedColumn, Sides

# ---- the matching itself, against every assignment there is ----

SIDES = st.integers(1, 5).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=n, max_size=n),
        st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=1, max_size=n),
        st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=3, max_size=3),
    )
)


def _sides(before, after, covers) -> Sides:
    column = MatchedColumn(np.array([b[0] for b in before]), np.array([a[0] for a in after]), np.array(covers))
    return Sides([column], np.array([b[1] for b in before]), np.array([a[1] for a in after]))


@given(SIDES)
def test_matchings_are_found_just_where_they_exist(drawn):
    sides = _sides(*drawn)
    every = [
        rows for rows in permutations(range(sides.n_before), sides.n_after) if sides.fits(np.array(rows), np.arange(sides.n_after)).all()
    ]
    anyhow, ordered = matching.in_any_order(sides), matching.in_order(sides)
    assert (anyhow is not None) == bool(every)
    rising = [rows for rows in every if list(rows) == sorted(rows)]
    assert (ordered is not None) == bool(rising)
    for found in (anyhow, ordered):
        if found is not None:
            assert tuple(found) in every
    if ordered is not None:
        assert tuple(ordered) == min(rising)


def test_the_earliest_rows_that_fit_are_taken():
    """Two released rows show what the first three originals could be: the order is kept, and the earliest win."""
    sides = _sides([(0, 0), (1, 0), (0, 0)], [(0, 0), (0, 0)], [[True, False, False], [False, True, False], [False, False, True]])
    assert matching.in_order(sides).tolist() == [0, 2]


def test_rows_that_must_be_kept_as_they_are_have_to_agree():
    sides = _sides([(0, 0)], [(0, 1)], [[True] * 3] * 3)
    assert matching.in_order(sides) is None
    assert matching.in_any_order(sides) is None

"""Entropy (paper 002, definition 4.1): the bits of a set of values, which may fall as the set grows."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import measures, registry
from shoal.hierarchies.rows import tree_from_rows
from shoal.measures.entropy import superset_floor
from shoal.measures.exact import Known
from shoal.problem import quasi_identifier
from tests.measures.columns import price


def test_the_smallest_case_in_which_entropy_is_not_monotone() -> None:
    tree = tree_from_rows([["0", "01", "*"], ["1", "01", "*"], ["2", "2", "*"]])
    paid = price("entropy", tree, np.array([1, 1, 7]))
    assert paid[3] == pytest.approx(1.0)
    assert paid[4] == pytest.approx(0.9864, abs=5e-5)
    column = quasi_identifier("c", tree, np.array([1, 1, 7]), registry.find(measures.CATALOG, "entropy"))
    assert column.shown.tolist() == [0, 1, 2, 4, 4]
    assert (column.price <= column.price[tree.parent]).all()


def test_a_set_costs_the_bits_that_are_missing_from_it() -> None:
    """By hand: four values that occur alike are two bits; three to one are 2 − 0.75 · log2(3); a value that does not occur adds none."""
    tree = tree_from_rows([[v, g, "*"] for v, g in (("0", "a"), ("1", "a"), ("2", "b"), ("3", "b"))])
    paid = dict(zip(tree.labels, price("entropy", tree, np.array([2, 2, 2, 2])).tolist(), strict=True))
    assert paid == pytest.approx({"0": 0.0, "1": 0.0, "2": 0.0, "3": 0.0, "a": 1.0, "b": 1.0, "*": 2.0})
    paid = dict(zip(tree.labels, price("entropy", tree, np.array([3, 1, 5, 0])).tolist(), strict=True))
    assert paid["a"] == pytest.approx(2 - 0.75 * np.log2(3))
    assert paid["b"] == 0.0


@given(st.lists(st.integers(1, 30), min_size=1, max_size=3), st.lists(st.integers(0, 30), max_size=5))
def test_no_superset_costs_less_than_the_floor_that_proofs_take(held: list[int], others: list[int]) -> None:
    """Every set of the others that may be added is tried."""
    falling = sorted(others, reverse=True)
    known = Known(np.array(held), sum(held) + sum(others), len(held) + len(others), 1, 2, None)
    floor = superset_floor(known, np.array(falling, dtype=np.int64))
    found = []
    for size in range(len(others) + 1):
        for more in combinations(others, size):
            share = np.array([c for c in [*held, *more] if c]) / sum([*held, *more])
            found.append(float(-(share * np.log2(share)).sum()))
    assert float(floor) <= min(found) + 1e-12
    assert float(floor) == pytest.approx(min(found), abs=1e-9)

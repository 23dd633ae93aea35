"""Information share: columns weigh alike, however many bits they have."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import measures, registry
from shoal.hierarchies.rows import tree_from_rows


@given(st.lists(st.integers(0, 9), min_size=2, max_size=8).filter(lambda c: sum(x > 0 for x in c) > 1))
def test_a_column_suppressed_whole_costs_one_a_cell(count: list[int]) -> None:
    """Whatever its values are: so columns weigh alike."""
    tree = tree_from_rows([[str(i), "*"] for i in range(len(count))])
    measure = registry.find(measures.CATALOG, "information-share")
    n = np.array(count)
    total = (measure.price(tree, n)[tree.root] - measure.offset(tree, n)) @ n
    assert total == pytest.approx(n.sum())


def test_a_column_of_one_value_costs_nothing() -> None:
    tree = tree_from_rows([["0", "*"], ["1", "*"]])
    measure = registry.find(measures.CATALOG, "information-share")
    assert measure.price(tree, np.array([5, 0])).tolist() == [0.0, 0.0, 0.0]
    assert measure.offset(tree, np.array([5, 0])).tolist() == [0.0, 0.0]


def test_rare_values_lose_more_than_frequent_ones() -> None:
    """Three rows of one value and one of another: −log2(3/4) and −log2(1/4) bits, over the column's 0.811."""
    tree = tree_from_rows([["0", "*"], ["1", "*"]])
    measure, n = registry.find(measures.CATALOG, "information-share"), np.array([3, 1])
    lost = measure.price(tree, n)[tree.root] - measure.offset(tree, n)
    bits = -(0.75 * np.log2(0.75) + 0.25 * np.log2(0.25))
    assert lost == pytest.approx([-np.log2(0.75) / bits, 2 / bits])

"""Monotone entropy (paper 002, section 4.3): beside entropy, and where lemma 6.3 ends."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal import measures, registry
from shoal.hierarchies.rows import tree_from_rows
from shoal.hierarchies.tree import Tree
from tests.measures.columns import as_sets, columns, price


@given(columns())
def test_monotone_entropy_is_never_more_than_entropy(column: tuple[Tree, np.ndarray]) -> None:
    """The paper says that it 'penalizes more': in absolute terms it is the other way round."""
    tree, count = column
    assert (price("monotone-entropy", tree, count) <= price("entropy", tree, count) + 1e-12).all()


@given(st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any))
def test_both_entropies_agree_under_suppression(count: list[int]) -> None:
    tree = tree_from_rows([[str(i), "*"] for i in range(len(count))])
    assert np.allclose(price("monotone-entropy", tree, np.array(count)), price("entropy", tree, np.array(count)))


def test_not_sub_additive_for_any_subset() -> None:
    """Lemma 6.3 is false for all subsets: joining two overlapping sets may cost more than both."""
    tree = tree_from_rows([[str(i), "*"] for i in range(3)])
    count = np.array([10, 1, 10])
    one, two, both = registry.find(measures.CATALOG, "monotone-entropy").set_price(
        tree, count, as_sets([[0, 1], [1, 2], [0, 1, 2]])
    )
    assert both > one + two

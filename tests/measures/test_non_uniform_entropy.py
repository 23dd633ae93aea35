"""Non-uniform entropy (paper 002, definition 4.11): each row pays for how rare its own value is in the set."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import measures, registry
from shoal.hierarchies.tree import Tree
from tests.measures.columns import columns, price, table_of
from tests.naive import losses


@given(columns(), st.integers(0, 4))
def test_entropy_is_non_uniform_entropy_on_a_partition(column: tuple[Tree, np.ndarray], level: int) -> None:
    """Lemma 4.13: where the sets of a column are equal or disjoint, the two totals are the same."""
    tree, count = column
    cut = tree.cut(level)
    bits = price("entropy", tree, count)[cut] @ count
    other = registry.find(measures.CATALOG, "non-uniform-entropy")
    assert bits == pytest.approx((other.price(tree, count)[cut] - other.offset(tree, count)) @ count, abs=1e-9)
    table = table_of(count)
    release = [frozenset(tree.leaves_below(int(cut[v])).tolist()) for v in table]
    assert bits == pytest.approx(losses.total("non-uniform-entropy", table, range(tree.n_leaves), release), abs=1e-9)


@pytest.mark.parametrize("name", ["non-uniform-entropy", "information-share"])
@given(column=columns(), data=st.data())
def test_joining_two_groups_that_share_a_row(name: str, column: tuple[Tree, np.ndarray], data: st.DataObject) -> None:
    """What the factor of docs/guarantees.md rests on: a row pays at most what it paid, and what the shared row pays in
    the other group.
    """
    tree, count = column
    measure = registry.find(measures.CATALOG, name)
    there = [leaf for leaf in range(tree.n_leaves) if count[leaf]]
    leaves = st.sets(st.sampled_from(there), min_size=1)
    one, two = data.draw(leaves), data.draw(leaves)
    paid, offset = measure.price(tree, count), measure.offset(tree, count)

    def pays(leaf: int, group: set[int]) -> float:
        node = min(group)
        for other in group:
            node = tree.join(node, other)
        return float(paid[node] - offset[leaf])

    for shared in one & two:
        for leaf in one:
            assert -1e-9 <= pays(leaf, one | two) <= pays(leaf, one) + pays(shared, two) + 1e-9

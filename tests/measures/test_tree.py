"""The tree measure: the level of the lowest node that holds the cell."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from shoal.hierarchies import Spec, any_interval, any_subset
from shoal.hierarchies.encode import encode
from shoal.hierarchies.tree import Tree
from shoal.measures.tree import smallest_nodes
from tests.measures.columns import as_sets, columns, find


@given(column=columns())
def test_the_tree_measure_is_the_lowest_level_over_the_height(column: tuple[Tree, np.ndarray]) -> None:
    tree, count = column
    every = [list(s) for n in range(1, tree.n_leaves + 1) for s in combinations(range(tree.n_leaves), n)]
    blocks = {v: set(tree.leaves_below(v).tolist()) for v in range(tree.n_nodes)}
    smallest = [
        min((v for v, leaves in blocks.items() if set(s) <= leaves), key=lambda v: len(blocks[v])) for s in every
    ]
    assert smallest_nodes(tree, as_sets(every)).tolist() == smallest
    paid = find("tree").set_price(tree, count, as_sets(every))
    assert paid.tolist() == [tree.level[v] / tree.height for v in smallest]
    assert find("tree").price(tree, count).tolist() == [level / tree.height for level in tree.level.tolist()]


@pytest.mark.parametrize("spec", [any_interval(), any_subset()], ids=lambda spec: spec.name)
def test_without_a_hierarchy_the_tree_measure_counts_stars(spec: Spec) -> None:
    """The tree of a free column only guides the search: a pair that it has as a node costs no less than one it has
    not.
    """
    tree = encode("x", [str(i) for i in range(8)], False, spec).tree
    assert tree.n_nodes > 9
    count = np.ones(8, dtype=np.int64)
    assert find("tree").price(tree, count).tolist() == [0.0] * 8 + [1.0] * (tree.n_nodes - 8)
    assert find("tree").set_price(tree, count, as_sets([[0], [0, 1], [0, 7]])).tolist() == [0.0, 1.0, 1.0]

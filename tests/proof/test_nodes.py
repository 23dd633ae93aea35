"""The sets of a hierarchy, worked out from the blocks of its levels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.errors import DataError
from shoal.proof.case import Ladder
from shoal.proof.nodes import nodes_of
from tests.measures.columns import columns


def ladder(*blocks: list[int]) -> Ladder:
    n = len(blocks[0])
    return Ladder("c", tuple(map(str, range(n))), tuple(np.array(b) for b in blocks), None, np.ones(n, dtype=np.int64), 1.0)


@given(columns(most_leaves=8))
def test_every_set_of_the_tree_is_found_once_with_the_least_set_around_it(column) -> None:
    tree, _ = column
    found = nodes_of(ladder(*([int(b) for b in tree.cut(level)] for level in range(tree.height + 1))))
    held = [frozenset(np.flatnonzero(np.any([cut == v for cut in found.cuts], axis=0)).tolist()) for v in range(len(found.level))]
    assert len(set(held)) == len(held)
    assert set(held) == {frozenset(tree.leaves_below(v).tolist()) for v in range(tree.n_nodes)}
    for v, inside in enumerate(held):
        above = [other for other in held if inside < other]
        assert not above or held[found.parent[v]] == min(above, key=len)


def test_sets_that_cross_are_refused() -> None:
    with pytest.raises(DataError, match="cross"):
        nodes_of(ladder([0, 1, 2], [3, 3, 4], [5, 6, 6], [7, 7, 7]))


def test_a_hierarchy_without_a_top_is_refused() -> None:
    with pytest.raises(DataError, match="no top"):
        nodes_of(ladder([0, 1, 2], [3, 3, 4]))


@given(st.integers(1, 5))
def test_a_set_that_stands_on_several_levels_is_one_node_on_the_lowest(n_levels: int) -> None:
    found = nodes_of(ladder([0, 1], *[[2, 2]] * n_levels))
    assert found.level.tolist() == [0, 0, 1]
    assert found.parent.tolist() == [2, 2, 2]

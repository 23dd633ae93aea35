"""The tree: numbers grow towards the root, and the lowest common node is the smallest set that holds both."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.hierarchies.rows import tree_from_rows
from shoal.hierarchies.tree import Tree
from tests.measures.columns import columns


@given(columns())
def test_children_come_before_parents_and_leaves_first(column: tuple[Tree, np.ndarray]) -> None:
    tree, _ = column
    assert (tree.parent[:-1] > np.arange(tree.n_nodes - 1)).all()
    assert tree.parent[tree.root] == tree.root
    assert (tree.level[: tree.n_leaves] == 0).all()
    assert (tree.level[tree.parent[:-1]] > tree.level[:-1]).all()


@given(columns(), st.data())
def test_a_join_is_the_smallest_set_that_holds_both(column: tuple[Tree, np.ndarray], data: st.DataObject) -> None:
    tree, _ = column
    a, b = (data.draw(st.integers(0, tree.n_nodes - 1)) for _ in range(2))
    held = [set(tree.leaves_below(v).tolist()) for v in range(tree.n_nodes)]
    around = [v for v in range(tree.n_nodes) if held[a] | held[b] <= held[v]]
    assert tree.join(a, b) == min(around, key=lambda v: len(held[v]))


@given(columns())
def test_cuts_are_nested_partitions(column: tuple[Tree, np.ndarray]) -> None:
    tree, count = column
    assert tree.cut(0).tolist() == list(range(tree.n_leaves))
    assert set(tree.cut(tree.height).tolist()) == {tree.root}
    for level in range(tree.height):
        low, high = tree.cut(level), tree.cut(level + 1)
        assert all(len(set(high[low == node].tolist())) == 1 for node in set(low.tolist()))
    assert tree.sum_up(count)[tree.root] == count.sum()
    assert tree.n_below[tree.root] == tree.n_leaves


def test_the_children_of_a_node_are_listed() -> None:
    tree = tree_from_rows([["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]])
    labels = [[tree.labels[c] for c in below] for below in tree.children()]
    assert labels[tree.labels.index("ab")] == ["a", "b"]
    assert sorted(map(str, labels[tree.root])) == ["ab", "c"]


def test_a_join_with_itself_is_itself() -> None:
    tree = tree_from_rows([["a", "*"], ["b", "*"]])
    assert [tree.join(v, v) for v in range(3)] == [0, 1, 2]

"""A tree from layers: one node for one set, and no value with two parents."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.errors import HierarchyError
from shoal.hierarchies.stack import Crossing, Layer, stack
from shoal.hierarchies.tree import Tree


def layer(*block: int, labels: str = "") -> Layer:
    return Layer(np.array(block), list(labels) or [f"b{i}" for i in range(max(block) + 1)])


def test_a_block_that_covers_what_one_below_covers_is_that_one() -> None:
    tree = stack(["a", "b", "c"], [layer(0, 0, 1, labels="xy"), layer(0, 0, 1, labels="uv")])
    assert tree.labels == ("a", "b", "c", "x", "*")
    assert tree.level.tolist() == [0, 0, 0, 1, 3]


def test_a_value_with_two_parents_is_found_with_its_level() -> None:
    with pytest.raises(Crossing, match=r"Level 2: the node '[uv]'") as told:
        stack(["a", "b", "c"], [layer(0, 0, 1, labels="xy"), layer(0, 1, 1, labels="uv")])
    assert {told.value.leaf, told.value.other} == {0, 1}


def test_missing_cells_are_a_leaf_below_the_root() -> None:
    tree = stack(["a", "b", "c"], [layer(0, 0, 1, labels="xy")], missing=True)
    assert tree.labels[:4] == ("a", "b", "c", None)
    assert tree.parent[3] == tree.root


def test_no_value_is_no_hierarchy() -> None:
    with pytest.raises(HierarchyError, match="at least one value"):
        stack([], [])
    assert stack([], [], missing=True).labels[0] is None


def below(tree: Tree, node: int) -> frozenset[int]:
    """The leaves that a node holds, by climbing from each of them."""
    found = set()
    for leaf in range(tree.n_leaves):
        at = leaf
        while at not in (tree.root, node):
            at = int(tree.parent[at])
        if at == node:
            found.add(leaf)
    return frozenset(found)


@given(st.data())
def test_every_block_is_a_node_and_every_node_a_block(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 8))
    blocks, layers = list(range(n)), []
    for _ in range(data.draw(st.integers(0, 3))):
        joined = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
        to = {b: joined[i] for i, b in enumerate(dict.fromkeys(blocks))}
        number = {b: i for i, b in enumerate(dict.fromkeys(to[b] for b in blocks))}
        blocks = [number[to[b]] for b in blocks]
        layers.append(layer(*blocks))
    tree = stack([str(i) for i in range(n)], layers)
    expected = {frozenset([i]) for i in range(n)} | {frozenset(range(n))}
    expected |= {frozenset(np.flatnonzero(x.block == b).tolist()) for x in layers for b in set(x.block.tolist())}
    assert {below(tree, node) for node in range(tree.n_nodes)} == expected
    assert tree.n_nodes == len(expected)

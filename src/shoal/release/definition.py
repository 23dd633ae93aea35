"""A measure counted by its own definition: for one that the recount has no formula for.

The tree that the definition asks for is built anew from the hierarchy's texts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.hierarchies.stack import Layer, stack
from shoal.hierarchies.tree import Tree
from shoal.measures.base import Measure, Sets
from shoal.release.lexicon import Lexicon, Sense
from shoal.release.reading import Floats, Longs, ends_of


def tree_of(column: Lexicon) -> Tree:
    """The hierarchy's texts as a tree."""
    if column.texts.is_free:
        tree = stack(column.leaves.to_list(), [], _points(column))
        return Tree(tree.parent, tree.level, tree.height, tree.labels, tree.n_leaves, tree.bounds, is_stand_in=True)
    layers, below = [], np.arange(column.n_values)
    for labels, block in column.blocks[:-1] if len(column.blocks) > 1 else []:
        key = np.where(block >= 0, block, len(labels) + below)  # where a level has no label of its own, it is the one below
        used, number = np.unique(key, return_inverse=True)
        names = [labels[int(u)] if u < len(labels) else None for u in used.tolist()]
        layers.append(Layer(number, names, _ends(column, names)))
        below = number
    return stack(column.leaves.to_list(), layers, _points(column))


def _points(column: Lexicon) -> Floats | None:
    return np.column_stack([column.domain.number] * 2) if column.texts.by_width else None


def _ends(column: Lexicon, names: Sequence[str | None]) -> Floats | None:
    if not column.texts.by_width:
        return None
    number = column.domain.number[~np.isnan(column.domain.number)]
    ends = [None if name is None else ends_of(name) for name in names]
    return np.array([[np.nan, np.nan] if e is None else np.clip([e[0], e[2]], number.min(), number.max()) for e in ends])


def prices(measure: Measure, column: Lexicon, senses: Sequence[Sense]) -> Floats:
    """What a cell of each sense costs: a node of the tree its price, any other set the price of a set."""
    tree = tree_of(column)
    sets = [column.leaves_of(sense) for sense in senses]
    start = np.concatenate([[0], np.cumsum([len(s) for s in sets])]).astype(np.int64)
    packed = Sets(start, np.concatenate(sets).astype(np.int32) if sets else np.zeros(0, dtype=np.int32))
    of_node, of_set = measure.price(tree, column.count), measure.set_price(tree, column.count, packed)
    node = [_node(tree, leaves) for leaves in sets]
    return np.array([of_set[i] if v is None else of_node[v] for i, v in enumerate(node)])


def _node(tree: Tree, leaves: Longs) -> int | None:
    """The node that holds just these leaves, if there is one."""
    if tree.is_stand_in and 1 < len(leaves) < tree.n_leaves:
        return None
    node = int(leaves[0])
    while int(tree.n_below[node]) < len(leaves) and node != tree.root:
        node = int(tree.parent[node])
    return node if np.array_equal(tree.leaves_below(node), np.sort(leaves)) else None


def offsets(measure: Measure, column: Lexicon) -> Floats:
    """What is taken off for each value."""
    return np.zeros(column.n_values) if measure.offset is None else measure.offset(tree_of(column), column.count)

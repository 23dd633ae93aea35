"""A laminar problem that costs no more: what bounds walk where columns are generalized freely.

A group of a free column shows a set or an interval that is no node. Its closure in the stand-in tree is a node, and the
set holds two leaves that join in that node. So the least price of a set with two such leaves is a price for the node
that no release can go below, and every bound for trees with these prices is a bound for the free column.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal import kernels
from shoal.hierarchies.tree import Tree
from shoal.measures.base import Measure, Sets
from shoal.problem import Floats, Ints, Problem, QuasiIdentifier

MOST_LEAVES = 2_000
"""Beyond this, all pairs of leaves are too many, and a column of free subsets counts as free of cost."""


def laminar(problem: Problem) -> Problem:
    """The problem itself if all its columns have hierarchies, else one over trees that costs no more."""
    if problem.is_laminar:
        return problem
    return replace(
        problem, columns=tuple(c if c.free is None else relaxed(c, problem.measure) for c in problem.columns)
    )


def relaxed(column: QuasiIdentifier, measure: Measure) -> QuasiIdentifier:
    """A free column as a tree whose nodes cost at most what a set with that closure costs."""
    tree = column.tree
    leaves = np.arange(tree.n_leaves, dtype=np.int32)
    price = np.full(tree.n_nodes, np.inf)
    price[: tree.n_leaves] = floors(column, measure, leaves, leaves)
    if column.free == "interval":  # an interval holds two neighbours that join in its closure
        left, right = leaves[:-1], leaves[1:]
    elif tree.n_leaves <= MOST_LEAVES:
        left, right = (a.astype(np.int32) for a in np.triu_indices(tree.n_leaves, 1))
    else:
        left = right = leaves[:0]
        price[tree.n_leaves :] = 0.0
    np.minimum.at(price, joins(tree, left, right), floors(column, measure, left, right))
    price, _ = kernels.cheapest_ancestors(tree.parent, price)
    price[np.isinf(price)] = 0.0
    return replace(column, price=price, shown=np.arange(tree.n_nodes, dtype=np.int32), free=None)


def floors(column: QuasiIdentifier, measure: Measure, left: Ints, right: Ints) -> Floats:
    """What every allowed set that holds both leaves costs at least."""
    if len(left) == 0:
        return np.zeros(0)
    if measure.monotone:
        return column.weight * measure.set_price(column.tree, column.count, least_sets(column, left, right))
    if measure.pair_floor is None:
        return np.zeros(len(left))
    return column.weight * measure.pair_floor(column.count, left, right)


def least_sets(column: QuasiIdentifier, left: Ints, right: Ints) -> Sets:
    """The least allowed set that holds both leaves: the two of them, or all between them."""
    low, high = np.minimum(left, right), np.maximum(left, right)
    length = (high - low + 1 if column.free == "interval" else 1 + (low != high)).astype(np.int64)
    start = np.concatenate([[0], np.cumsum(length)])
    step = np.arange(start[-1]) - np.repeat(start[:-1], length)
    wide = np.repeat(high - low if column.free == "subset" else np.ones(len(low), dtype=np.int64), length)
    return Sets(start, (np.repeat(low, length) + step * wide).astype(np.int32))


def joins(tree: Tree, left: Ints, right: Ints) -> Ints:
    """The lowest common node of each pair."""
    a, b = left.copy(), right.copy()
    while True:
        lower, higher = a < b, a > b
        if not (lower | higher).any():
            return a
        a = np.where(lower, tree.parent[a], a)
        b = np.where(higher, tree.parent[b], b)

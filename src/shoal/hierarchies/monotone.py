"""Make-monotone: take nodes out of a tree until no set costs more bits than a set that contains it.

Problem.     Entropy is not monotone: the set of two rare values may cost more than the whole domain. Given a tree and
             how often each leaf occurs, find a part of the tree on which it is.
Guarantee.   The result holds every leaf and the root, its sets are sets of the given tree (so they are laminar), and
             along every edge the entropy of the parent is at least that of the child. A node stays exactly if none of
             its ancestors in the given tree costs less than it.
Method.      Walk from the root down. A node whose entropy exceeds that of the nearest kept node above it is taken out,
             and its children move to that one. The order in which violations are repaired does not matter.
Deviations.  The paper unites the violating node with a sibling, and when there is one sibling only it removes both. If
             that sibling is a leaf, a single value is lost and the collection is no longer proper (counts 1, 1, 50 with
             the set of the first two); and a union of siblings is a set that the user never allowed. Here the violating
             node alone goes.
Complexity.  Linear in the nodes.
Reference.   Gionis and Tassa, k-anonymization with minimal loss of information, 2009, section 4.2.2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.hierarchies.tree import Tree

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]

SLACK = 1e-12
"""Two entropies that differ by less are equal: they come from sums of rounded logarithms."""


def make_monotone(tree: Tree, price: Floats) -> Tree:
    """The tree without the nodes that cost more than one above them, under these prices of its nodes (entropy's,
    say).
    """
    kept, above = _survivors(tree, price)
    number = np.cumsum(kept) - 1
    parent = number[above[kept]].astype(np.int32)
    labels = tuple(label for label, stays in zip(tree.labels, kept.tolist(), strict=True) if stays)
    return Tree(
        parent, tree.level[kept], tree.height, labels, tree.n_leaves, None if tree.bounds is None else tree.bounds[kept]
    )


def _survivors(tree: Tree, price: Floats) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Which nodes stay, and the nearest kept node above each."""
    kept = np.ones(tree.n_nodes, dtype=bool)
    above = tree.parent.astype(np.int64)
    for level in reversed(tree.levels):
        here = np.flatnonzero(tree.level == level)
        here = here[here != tree.root]
        parent = tree.parent[here].astype(np.int64)
        above[here] = np.where(kept[parent], parent, above[parent])
        kept[here] = (price[here] <= price[above[here]] + SLACK) | (here < tree.n_leaves)
    return kept, above


def violations(tree: Tree, price: Floats) -> NDArray[np.int64]:
    """The nodes that cost more than their parents."""
    return np.flatnonzero(price > price[tree.parent] + SLACK)

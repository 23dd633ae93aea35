"""Tree: how far up its hierarchy each cell was lifted.

Formula.     level / height; a set that is no node costs what the smallest node that contains it costs. In a column
             without a hierarchy (any interval, any subset) a set of several values costs 1.
Reference.   Aggarwal et al., Approximation algorithms for k-anonymity, 2005, section 2 (h / l_j).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.hierarchies.tree import Tree
from shoal.measures.base import Counts, Floats, Measure, Sets


def price(tree: Tree, count: Counts) -> Floats:
    if tree.is_stand_in:
        return (tree.n_below > 1).astype(np.float64)
    return np.asarray(tree.level / max(tree.height, 1), dtype=np.float64)


def set_price(tree: Tree, count: Counts, sets: Sets) -> Floats:
    return (
        (np.diff(sets.start) > 1).astype(np.float64)
        if tree.is_stand_in
        else price(tree, count)[smallest_nodes(tree, sets)]
    )


def smallest_nodes(tree: Tree, sets: Sets) -> NDArray[np.int32]:
    """The smallest node that contains each set: lift the node of its first leaf until it covers the whole set."""
    node = sets.leaves[sets.start[:-1]].copy()
    other = np.repeat(np.arange(len(sets)), np.diff(sets.start))
    up = sets.leaves.copy()
    while (up != node[other]).any():
        low = up < node[other]
        behind = np.zeros(len(sets), dtype=bool)
        behind[other[up > node[other]]] = True
        up = np.where(low, tree.parent[up], up)
        node = np.where(behind, tree.parent[node], node)
    return node


TREE = Measure(
    name="tree",
    title="Height in the hierarchy",
    formula="level / height",
    reference="Aggarwal et al. 2005, section 2; Gionis and Tassa 2009, section 4",
    price=price,
    set_price=set_price,
    reads="hierarchy",
)

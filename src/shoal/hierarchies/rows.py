"""Trees from rows in ARX's form: one a leaf, the leaf first, each further field one level up, the last one the top."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.errors import HierarchyError
from shoal.hierarchies.tree import Tree


def tree_from_rows(rows: Sequence[Sequence[str | None]]) -> Tree:
    """Encode a hierarchy. A node is a label on a level; a node that covers what the one below it covers is that one.

    >>> tree = tree_from_rows([["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]])
    >>> tree.labels, tree.parent.tolist(), tree.level.tolist(), tree.height
    (('a', 'b', 'c', 'ab', '*'), [3, 3, 4, 4, 4], [0, 0, 0, 1, 2], 2)
    """
    n_leaves, depth = len(rows), len(rows[0])
    labels: list[str | None] = [row[0] for row in rows]
    level = [0] * n_leaves
    parent = list(range(n_leaves))
    top = list(range(n_leaves))  # the highest node so far above each leaf
    size = [1] * n_leaves
    for l in range(1, depth):
        leaves_of: dict[str | None, list[int]] = {}
        for leaf, row in enumerate(rows):
            leaves_of.setdefault(row[l], []).append(leaf)
        for label, leaves in leaves_of.items():
            below = sorted({top[leaf] for leaf in leaves})
            if sum(size[v] for v in below) != len(leaves):
                raise HierarchyError(
                    f"Level {l}: the node '{label}' holds only a part of a node of level {l - 1}: a value has two parents."
                )
            if len(below) == 1:
                continue
            node = len(labels)
            labels.append(label)
            level.append(l)
            parent.append(node)
            size.append(len(leaves))
            for v in below:
                parent[v] = node
            for leaf in leaves:
                top[leaf] = node
    if len(set(top)) != 1:
        raise HierarchyError("The last level must hold one label for all values.")
    return Tree(np.array(parent, dtype=np.int32), np.array(level, dtype=np.int32), depth - 1, tuple(labels), n_leaves)

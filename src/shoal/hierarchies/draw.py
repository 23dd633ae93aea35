"""A tree as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from shoal.hierarchies.tree import Tree

MISSING = "(missing)"


def draw(tree: Tree, count: NDArray[np.int64] | None = None, most: int = 12, depth: int | None = None) -> Iterator[str]:
    """The tree from the root down: each node with its number of values, and of rows if the leaves' counts are given.

    At most ``most`` children of a node are drawn, and ``depth`` steps below the root.
    """
    first = _first_leaf(tree)
    children = [sorted(nodes, key=lambda v: first[v]) for nodes in tree.children()]
    values, rows = tree.n_below, tree.sum_up(count) if count is not None else None

    def name(node: int) -> str:
        label = tree.labels[node]
        inner = f"  {values[node]} values" if node >= tree.n_leaves else ""
        people = f"  {rows[node]} {'row' if rows[node] == 1 else 'rows'}" if rows is not None else ""
        return (MISSING if label is None else label) + inner + people

    def below(node: int, indent: str, left: int | None) -> Iterator[str]:
        if left == 0:
            return
        shown = children[node] if len(children[node]) <= most else children[node][: most - 1]
        for i, child in enumerate(shown):
            last = i == len(shown) - 1 and len(shown) == len(children[node])
            yield f"{indent}{'└─ ' if last else '├─ '}{name(child)}"
            yield from below(child, indent + ("   " if last else "│  "), None if left is None else left - 1)
        if len(shown) < len(children[node]):
            yield f"{indent}└─ … and {len(children[node]) - len(shown)} more"

    yield name(tree.root)
    yield from below(tree.root, "", depth)


def _first_leaf(tree: Tree) -> list[int]:
    """The first leaf below each node: nodes are drawn in the order of their values."""
    first = list(range(tree.n_leaves)) + [tree.n_leaves] * (tree.n_nodes - tree.n_leaves)
    for v, up in enumerate(tree.parent.tolist()):
        first[up] = min(first[up], first[v])
    return first

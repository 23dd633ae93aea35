"""Hierarchies as sets of sets."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.hierarchies.tree import Tree

Node = tuple[int, str | None]


def nodes_of_rows(rows: Sequence[Sequence[str | None]]) -> dict[frozenset[str | None], Node]:
    """Each set of leaves that some label on some level stands for, with the lowest such level and its label."""
    found: dict[frozenset[str | None], Node] = {}
    for level in range(len(rows[0])):
        for label in dict.fromkeys(row[level] for row in rows):
            leaves = frozenset(row[0] for row in rows if row[level] == label)
            found.setdefault(leaves, (level, label))
    return found


def nodes_of_tree(tree: Tree) -> dict[frozenset[str | None], Node]:
    """The same of an encoded tree."""
    return {
        frozenset(tree.labels[i] for i in tree.leaves_below(v).tolist()): (int(tree.level[v]), tree.labels[v]) for v in range(tree.n_nodes)
    }


def is_laminar(sets: Sequence[frozenset[str]]) -> bool:
    """Of any two sets, one contains the other or they share nothing."""
    return all(a <= b or b <= a or not a & b for a in sets for b in sets)


def check_tree(tree: Tree) -> None:
    """Everything that a Tree promises."""
    n = tree.n_nodes
    assert len(tree.level) == len(tree.labels) == n
    assert tree.parent[n - 1] == n - 1
    assert all(tree.parent[v] > v and tree.level[tree.parent[v]] > tree.level[v] for v in range(n - 1))
    assert all(tree.level[v] == 0 for v in range(tree.n_leaves))
    assert all(tree.parent[v] >= tree.n_leaves for v in range(n - 1))
    assert tree.level.max() <= tree.height
    sets = nodes_of_tree(tree)
    assert len(sets) == n, "two nodes hold the same set"
    assert sets[frozenset(tree.labels[: tree.n_leaves])][0] == tree.level[tree.root]
    if tree.bounds is not None:
        for v in range(n):
            low, high = tree.bounds[v]
            outer_low, outer_high = tree.bounds[tree.parent[v]]
            assert low != low or (outer_low <= low <= high <= outer_high)

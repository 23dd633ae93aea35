"""A laminar hierarchy, encoded: nodes are numbers, a node's parent has a larger number.

Leaves are the nodes 0 … n_leaves − 1 (a cell's code is its leaf), children come before their parents, the root is last.
Two levels that hold the same set are one node, on the lower of the levels (a repeated block costs the lowest level).
Because numbers grow towards the root, the lowest common node of two nodes is found by lifting the smaller until they
meet.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tree:
    """A rooted tree over the values of one quasi-identifier."""

    parent: Ints
    """Parent of each node; the root is its own parent."""
    level: Ints
    """Level of each node: 0 for a leaf, strictly larger for its parent."""
    height: int
    """The level that counts as 1 in the tree measure (the number of levels above the leaves)."""
    labels: tuple[str | None, ...]
    """What a release shows for each node; None is a missing cell."""
    n_leaves: int
    bounds: Floats | None = None
    """For numbers: the interval [low, high] of each node, shape (n_nodes, 2), clipped to the domain; NaN where a node
    has none.
    """
    is_stand_in: bool = False
    """Whether it only guides the search of a column that may be generalized freely: its levels then mean nothing to a
    measure.
    """

    @property
    def n_nodes(self) -> int:
        return len(self.parent)

    @property
    def root(self) -> int:
        return len(self.parent) - 1

    @cached_property
    def n_below(self) -> NDArray[np.int64]:
        """How many leaves each node covers."""
        return self.sum_up(np.ones(self.n_leaves, dtype=np.int64))

    def sum_up(self, leaf_values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Add values on the leaves up to every node above them."""
        total = np.zeros(self.n_nodes, dtype=np.int64)
        total[: self.n_leaves] = leaf_values
        for level in self.levels:
            here = np.flatnonzero(self.level[:-1] == level)
            np.add.at(total, self.parent[here], total[here])
        return total

    def cut(self, level: int) -> Ints:
        """The node that stands for each leaf when the column is generalized to ``level``: its highest ancestor not
        above it.

        Every node is in some cut: its own level's. The cuts 0 … height are nested partitions of the leaves.
        """
        node = np.arange(self.n_leaves, dtype=np.int32)
        while True:
            up = self.parent[node]
            higher = (self.level[up] <= level) & (up != node)
            if not higher.any():
                return node
            node = np.where(higher, up, node).astype(np.int32)

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """The levels on which a cut differs from the one below, from 0 up."""
        return tuple(int(v) for v in np.unique(self.level))

    def join(self, a: int, b: int) -> int:
        """The lowest common node of two nodes."""
        while a != b:
            if a < b:
                a = int(self.parent[a])
            else:
                b = int(self.parent[b])
        return a

    def children(self) -> list[list[int]]:
        """The children of each node."""
        below: list[list[int]] = [[] for _ in range(self.n_nodes)]
        for v in range(self.n_nodes - 1):
            below[int(self.parent[v])].append(v)
        return below

    def leaves_below(self, node: int) -> Ints:
        """The leaves that a node covers, in order."""
        up = np.arange(self.n_leaves, dtype=np.int32)
        below = up == node
        while (up != self.root).any():
            up = self.parent[up]
            below |= up == node
        return np.flatnonzero(below).astype(np.int32)

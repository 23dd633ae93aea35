"""Boxes as nodes of trees: which rows they hold, which lie inside of which, the smallest around two; and cuts given so.

A box is known by one node per column, so that a large table needs no list of all its boxes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.boxes import BoxCuts
from shoal.problem import Floats, Ints, Longs, Problem

AT_ONCE = 20_000_000
"""Comparisons that are made together."""


class TreeNodes:
    """The trees of a problem. A node holds the leaves at the places ``begin`` to ``end`` of its column."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        first = problem.packed.first
        self.parent = [problem.packed.parent[first[j] : first[j + 1]] for j in range(problem.n_columns)]
        self.depth = [depths(parent) for parent in self.parent]
        self.span = [spans(parent) for parent in self.parent]
        self.place = np.stack([span[0][problem.codes[:, j]] for j, span in enumerate(self.span)], axis=1)
        """Where each tuple's leaf is, column by column."""

    def joined(self, a: Ints, b: Ints) -> Ints:
        """The smallest boxes around two boxes each."""
        out = np.empty_like(a)
        for j, (parent, depth) in enumerate(zip(self.parent, self.depth, strict=True)):
            x, y = a[:, j].copy(), b[:, j].copy()
            while (x != y).any():
                low, deep = (x != y) & (depth[x] >= depth[y]), (x != y) & (depth[y] >= depth[x])
                x[low], y[deep] = parent[x[low]], parent[y[deep]]
            out[:, j] = x
        return out

    def inside(self, these: Ints, of: Ints) -> NDArray[np.bool_]:
        """Which boxes (columns of the answer) lie inside of which others (rows)."""
        found = np.ones((len(of), len(these)), dtype=np.bool_)
        for j, (begin, end) in enumerate(self.span):
            found &= begin[of[:, j]][:, None] <= begin[these[:, j]][None, :]
            found &= end[these[:, j]][None, :] <= end[of[:, j]][:, None]
        return found

    def held(self, boxes: Ints) -> tuple[Longs, Longs]:
        """The tuples in each box: the number of the box, by rising numbers, and of the tuple."""
        parts = [np.zeros((2, 0), dtype=np.int64)]
        step = max(AT_ONCE // max(self.problem.n_tuples, 1), 1)
        for first in range(0, len(boxes), step):
            some = boxes[first : first + step]
            found = np.ones((len(some), self.problem.n_tuples), dtype=np.bool_)
            for j, (begin, end) in enumerate(self.span):
                place = self.place[:, j][None, :]
                found &= (begin[some[:, j]][:, None] <= place) & (place < end[some[:, j]][:, None])
            box, tuples = np.nonzero(found)
            parts.append(np.stack([box + first, tuples]))
        box, tuples = np.concatenate(parts, axis=1)
        return box, tuples


class NodeCuts:
    """Cuts, each a box by its nodes, with its tuples and how many groups fit into it."""

    def __init__(self, nodes: TreeNodes) -> None:
        self.nodes, self.problem = nodes, nodes.problem
        self.boxes: Ints = np.zeros((0, self.problem.n_columns), dtype=np.int32)
        self.cut, self.tuples = (np.zeros(0, dtype=np.int64) for _ in range(2))
        """The cut and the tuple of each entry."""
        self.most_groups: Longs = np.zeros(0, dtype=np.int64)
        self.known: set[bytes] = set()
        self.fitting: dict[bytes, int] = {}
        """How many groups fit into each box that was asked about."""

    def __len__(self) -> int:
        return len(self.boxes)

    def add(self, boxes: Ints) -> None:
        cut, tuples = self.nodes.held(boxes)
        rows = np.bincount(cut, weights=self.problem.weight[tuples], minlength=len(boxes)).astype(np.int64)
        self.cut, self.tuples = np.concatenate([self.cut, cut + len(self)]), np.concatenate([self.tuples, tuples])
        self.most_groups = np.concatenate([self.most_groups, rows // self.problem.k])
        self.boxes = np.concatenate([self.boxes, boxes])
        self.known.update(box.tobytes() for box in boxes)

    def groups_in(self, boxes: Ints) -> Longs:
        """How many groups fit into each of some boxes; what was asked before is remembered."""
        keys = [box.tobytes() for box in boxes]
        new = [number for number, key in enumerate(keys) if key not in self.fitting]
        box, tuples = self.nodes.held(boxes[new])
        rows = np.bincount(box, weights=self.problem.weight[tuples], minlength=len(new)).astype(np.int64)
        for number, groups in zip(new, (rows // self.problem.k).tolist(), strict=True):
            self.fitting[keys[number]] = groups
        return np.array([self.fitting[key] for key in keys], dtype=np.int64)

    def by_tuple(self) -> tuple[Longs, Ints]:
        """The cuts that hold each tuple, end to end."""
        order = np.argsort(self.tuples, kind="stable")
        start = np.concatenate([[0], np.cumsum(np.bincount(self.tuples, minlength=self.problem.n_tuples))]).astype(
            np.int64
        )
        return start, self.cut[order].astype(np.int32)

    def around(self, boxes: Ints, tuples: Longs) -> Any:
        """Which cuts are around each of some boxes, of which one tuple each is given: a sparse matrix."""
        from scipy import sparse

        start, cut = self.by_tuple()
        count = start[tuples + 1] - start[tuples]
        row = np.repeat(np.arange(len(boxes)), count)
        cut = cut[np.arange(len(row)) + np.repeat(start[tuples] - (np.cumsum(count) - count), count)]
        within = np.ones(len(row), dtype=np.bool_)
        for j, depth in enumerate(self.nodes.depth):
            within &= depth[self.boxes[cut, j]] <= depth[boxes[row, j]]
        ones = np.ones(int(within.sum()))
        return sparse.csr_matrix((ones, (row[within], cut[within])), shape=(len(boxes), len(self)))

    def priced(self, price: Floats) -> BoxCuts | None:
        """The cuts that have a price, as a walk takes them."""
        used = np.flatnonzero(price > 0)
        if len(used) == 0:
            return None
        start, cut = self.by_tuple()
        return BoxCuts(self.boxes, np.ascontiguousarray(price), start, cut)


def depths(parent: Ints) -> Ints:
    """How far each node is from the root, which is the last."""
    depth = np.zeros(len(parent), dtype=np.int32)
    for node in range(len(parent) - 2, -1, -1):
        depth[node] = depth[parent[node]] + 1
    return depth


def spans(parent: Ints) -> tuple[Ints, Ints]:
    """Where the leaves below each node begin and end, when they stand in the order of the tree."""
    n = len(parent)
    size, begin = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int32)
    size[np.setdiff1d(np.arange(n), parent[:-1])] = 1
    for node in range(n - 1):
        size[parent[node]] += size[node]
    taken = np.zeros(n, dtype=np.int32)
    for node in range(n - 2, -1, -1):
        above = parent[node]
        begin[node] = begin[above] + taken[above]
        taken[above] += size[node]
    return begin, begin + size

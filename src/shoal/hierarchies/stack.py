"""A tree from layers: for each level, which block each leaf belongs to.

All builders end here, so that one place decides what a node is: a block of a level, unless it covers what a block below
it covers (then it is that one, on the lower level).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.errors import HierarchyError
from shoal.hierarchies.tree import Tree

Codes = NDArray[np.integer]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Layer:
    """One level: the block of each leaf, numbered from 0 without gaps, and the blocks' labels."""

    block: Codes
    labels: Sequence[str | None]
    bounds: Floats | None = None
    """For numbers: the interval of each block, shape (n_blocks, 2)."""


class Crossing(HierarchyError):
    """A block holds only a part of a block below it."""

    def __init__(self, level: int, label: str | None, leaf: int, other: int) -> None:
        self.level, self.label, self.leaf, self.other = level, label, leaf, other
        super().__init__(
            f"Level {level}: the node '{label}' holds only a part of a node of level {level - 1}: a value has two "
            "parents."
        )


def stack(
    leaves: Sequence[str | None], layers: Sequence[Layer], bounds: Floats | None = None, missing: bool = False
) -> Tree:
    """The tree whose level 0 are the leaves and whose level l is ``layers[l − 1]``; a root ``*`` is above them all.

    With ``missing``, one more leaf with the label None is put directly below the root. ``bounds`` are the leaves' own,
    for numbers.

    >>> tree = stack(["a", "b", "c"], [Layer(np.array([0, 0, 1]), ["ab", "c"])])
    >>> tree.labels, tree.parent.tolist(), tree.level.tolist(), tree.height
    (('a', 'b', 'c', 'ab', '*'), [3, 3, 4, 4, 4], [0, 0, 0, 1, 2], 2)
    """
    n = len(leaves)
    domain = None if bounds is None or n == 0 else np.array([[np.nanmin(bounds[:, 0]), np.nanmax(bounds[:, 1])]])
    if missing:
        layers = [Layer(np.append(x.block, len(x.labels)), [*x.labels, None], _with_gap(x.bounds)) for x in layers]
        leaves = [*leaves, None]
        bounds = _with_gap(bounds)
        n += 1
    if n == 0:
        raise HierarchyError("A hierarchy needs at least one value.")
    root = Layer(np.zeros(n, dtype=np.int64), ["*"], domain)
    return _join([*leaves], [*layers, root], bounds)


def _with_gap(bounds: Floats | None) -> Floats | None:
    return None if bounds is None else np.vstack([bounds, np.full((1, 2), np.nan)])


def _join(labels: list[str | None], layers: Sequence[Layer], bounds: Floats | None) -> Tree:
    n = len(labels)
    top = np.arange(n, dtype=np.int64)  # the highest node so far above each leaf
    standing = top  # the nodes that have no parent yet
    parents, levels, intervals = [np.full(n, -1, dtype=np.int64)], [np.zeros(n, dtype=np.int32)], [bounds]
    n_nodes = n
    for l, layer in enumerate(layers, start=1):
        block_of = np.full(n_nodes, -1, dtype=np.int64)
        block_of[top] = layer.block
        torn = np.flatnonzero(block_of[top] != layer.block)
        if len(torn):
            leaf = int(torn[0])
            other = int(np.flatnonzero((top == top[leaf]) & (layer.block != layer.block[leaf]))[0])
            raise Crossing(l, layer.labels[int(layer.block[leaf])], leaf, other)
        below = block_of[standing]
        is_new = np.bincount(below, minlength=len(layer.labels)) > 1
        number = np.full(len(layer.labels), -1, dtype=np.int64)
        new = np.flatnonzero(is_new)
        number[new] = n_nodes + np.arange(len(new))
        moved = is_new[below]
        parent = np.concatenate(parents)
        parent[standing[moved]] = number[below[moved]]
        parents = [parent, np.full(len(new), -1, dtype=np.int64)]
        levels.append(np.full(len(new), l, dtype=np.int32))
        labels.extend(layer.labels[i] for i in new.tolist())
        if bounds is not None:
            intervals.append(layer.bounds[new] if layer.bounds is not None else np.full((len(new), 2), np.nan))
        top = np.where(is_new[layer.block], number[layer.block], top)
        standing = np.concatenate([standing[~moved], number[new]])
        n_nodes += len(new)
    parent = np.concatenate(parents)
    parent[n_nodes - 1] = n_nodes - 1
    known = None if bounds is None else np.vstack([x for x in intervals if x is not None])
    return Tree(parent.astype(np.int32), np.concatenate(levels), len(layers), tuple(labels), len(levels[0]), known)

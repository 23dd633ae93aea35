"""The sets of values of a hierarchy, worked out by the checker from the blocks of its levels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.errors import DataError
from shoal.proof.case import Ladder

Longs = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Nodes:
    """The sets of values of a hierarchy; a set that stands on several levels is one node, on the lowest of them."""

    cuts: tuple[Longs, ...]
    level: Longs
    parent: Longs
    block: Longs
    """The block that each node was found as."""


def nodes_of(ladder: Ladder) -> Nodes:
    """The sets of values of a hierarchy, from the blocks of its levels."""
    n = len(ladder.values)
    cut = np.arange(n, dtype=np.int64)
    cuts, level, parent, block = [cut], [np.zeros(n, dtype=np.int64)], np.arange(n, dtype=np.int64), [ladder.blocks[0]]
    for l, blocks in enumerate(ladder.blocks[1:], start=1):
        names, of_value = np.unique(blocks, return_inverse=True)
        pairs = np.unique(cut * len(names) + of_value.reshape(-1))
        below, within = np.divmod(pairs, len(names))
        if len(np.unique(below)) < len(pairs):
            raise DataError(f"Two sets of the hierarchy of column '{ladder.name}' cross.")
        parts = np.bincount(within, minlength=len(names))
        new = np.flatnonzero(parts > 1)
        number = np.full(len(names), -1, dtype=np.int64)
        number[new] = len(parent) + np.arange(len(new))
        number[within[parts[within] == 1]] = below[parts[within] == 1]
        parent = np.concatenate([parent, number[new]])
        parent[below] = number[within]
        cut = number[of_value.reshape(-1)]
        cuts.append(cut)
        level.append(np.full(len(new), l, dtype=np.int64))
        block.append(names[new])
    if len(np.unique(cut)) != 1:
        raise DataError(f"The hierarchy of column '{ladder.name}' has no top.")
    return Nodes(tuple(cuts), np.concatenate(level), parent, np.concatenate(block))

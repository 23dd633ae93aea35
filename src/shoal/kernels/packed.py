"""All trees of a problem end to end, as the kernels take them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Packed:
    """Tree j has its nodes at ``first[j] : first[j + 1]``; parents are numbered within their own tree."""

    parent: NDArray[np.int32]
    price: NDArray[np.float64]
    first: NDArray[np.int64]

    @property
    def n_trees(self) -> int:
        return len(self.first) - 1


def pack(parents: Sequence[NDArray[np.int32]], prices: Sequence[NDArray[np.float64]]) -> Packed:
    """Lay trees end to end, after checking that each is a tree: parents after their children, one root, at the end."""
    for parent, price in zip(parents, prices, strict=True):
        nodes = np.arange(len(parent))
        if len(parent) == 0 or parent[-1] != len(parent) - 1 or (parent[:-1] <= nodes[:-1]).any():
            raise ValueError(
                "a tree's parents must have larger numbers than their children, and the root must come last"
            )
        if (parent >= len(parent)).any() or len(price) != len(parent):
            raise ValueError("a tree's parents and prices must fit its nodes")
    sizes = [len(p) for p in parents]
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Packed(
        np.ascontiguousarray(np.concatenate(parents), dtype=np.int32),
        np.ascontiguousarray(np.concatenate(prices), dtype=np.float64),
        first,
    )

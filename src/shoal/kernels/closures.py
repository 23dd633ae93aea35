"""The lowest node that covers all rows of a group."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import doubles, ints, lib, table
from shoal.kernels.packed import Packed


def closures(
    packed: Packed,
    codes: NDArray[np.int32],
    tuples: NDArray[np.int32],
    group: NDArray[np.int32],
    n_groups: int,
) -> NDArray[np.int32]:
    """For each group and tree, the lowest node that covers the leaves of the group's rows; −1 for an empty group.

    Row i carries the codes of ``tuples[i]`` and belongs to ``group[i]``.
    """
    out = np.full((n_groups, packed.n_trees), -1, dtype=np.int32)
    if len(tuples) != len(group):
        raise ValueError("one group per row")
    if len(group):
        if group.min() < 0 or group.max() >= n_groups or tuples.min() < 0 or tuples.max() >= len(codes):
            raise IndexError("a group or a tuple is out of range")
        given = table(packed, codes, is_checked=False)
        lib.shoal_closures(given, ints(tuples), ints(group), len(tuples), ints(out))
    return out


def cheapest_ancestors(
    parent: NDArray[np.int32], price: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """The price of each node's cheapest ancestor-or-self, and which that is (the lowest among equals)."""
    best = np.ascontiguousarray(price, dtype=np.float64).copy()
    which = np.arange(len(parent), dtype=np.int32)
    lib.shoal_cheapest_ancestors(ints(np.ascontiguousarray(parent)), len(parent), doubles(best), ints(which))
    return best, which

"""Top-down cuts of a table along its hierarchies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import doubles, ints, lib, longs
from shoal.kernels.packed import Packed


def cut_top_down(
    packed: Packed,
    n_leaves: NDArray[np.int32],
    ordered: NDArray[np.int32],
    codes: NDArray[np.int32],
    weight: NDArray[np.int64],
    k: int,
) -> NDArray[np.int32]:
    """The group of each tuple, numbered from 0. Columns marked in ``ordered`` are cut at medians of their leaves, the others along trees."""
    n, q = codes.shape
    if q != packed.n_trees or len(weight) != n or len(n_leaves) != q or len(ordered) != q or weight.sum() < k:
        raise ValueError("codes, weights and trees do not fit, or there are fewer than k rows")
    if n and (codes.min() < 0 or (codes.max(axis=0) >= np.diff(packed.first)).any()):
        raise IndexError("a code is outside of its tree")
    group = np.zeros(n, dtype=np.int32)
    found = lib.shoal_mondrian(
        ints(packed.parent),
        longs(packed.first),
        doubles(packed.price),
        ints(n_leaves),
        ints(ordered),
        q,
        ints(codes),
        longs(weight),
        n,
        k,
        ints(group),
    )
    if found < 0:
        raise MemoryError("not enough memory to cut the table")
    return group

"""Top-down split along the hierarchies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import doubles, ints, lib, longs
from shoal.kernels.packed import Packed


def split(packed: Packed, codes: NDArray[np.int32], weight: NDArray[np.int64], k: int) -> tuple[NDArray[np.int32], int]:
    """The group of each tuple, and how many groups: each has at least k rows.

    A group opens the column whose children lower the loss most; children of fewer than k rows stay behind together. A
    group that no column can open is cut into runs of k rows.
    """
    n, q = codes.shape
    if q != packed.n_trees or len(weight) != n:
        raise ValueError("one tree a column and one weight a tuple")
    if weight.sum() < k or k < 1:
        raise ValueError("there must be at least k rows")
    if n and (codes.min() < 0 or (codes.max(axis=0, initial=0) >= np.diff(packed.first)).any()):
        raise IndexError("a code is outside of its tree")
    group = np.empty(n, dtype=np.int32)
    made = lib.shoal_split(
        ints(packed.parent), doubles(packed.price), longs(packed.first), q, ints(codes), longs(weight), n, k, ints(group)
    )
    if made < 0:
        raise MemoryError("there is not enough memory for the split")
    return group, int(made)

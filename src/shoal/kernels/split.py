"""Top-down split along the hierarchies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import check, ints, lib, table
from shoal.kernels.packed import Packed


def split(packed: Packed, codes: NDArray[np.int32], weight: NDArray[np.int64], k: int) -> tuple[NDArray[np.int32], int]:
    """The group of each tuple, and how many groups: each has at least k rows.

    A group opens the column whose children lower the loss most; children of fewer than k rows stay behind together. A
    group that no column can open is cut into runs of k rows.
    """
    if weight.sum() < k or k < 1:
        raise ValueError("there must be at least k rows")
    group = np.empty(len(codes), dtype=np.int32)
    made = check(lib.shoal_split(table(packed, codes, weight), k, ints(group)), "the split")
    return group, made

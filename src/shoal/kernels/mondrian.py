"""Top-down cuts of a table along its hierarchies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import check, ints, lib, table
from shoal.kernels.packed import Packed


def cut_top_down(
    packed: Packed,
    n_leaves: NDArray[np.int32],
    ordered: NDArray[np.int32],
    codes: NDArray[np.int32],
    weight: NDArray[np.int64],
    k: int,
) -> NDArray[np.int32]:
    """The group of each tuple, numbered from 0.

    Columns marked in ``ordered`` are cut at medians of their leaves, the others along trees.
    """
    if len(n_leaves) != packed.n_trees or len(ordered) != packed.n_trees or weight.sum() < k:
        raise ValueError("leaves and trees do not fit, or there are fewer than k rows")
    group = np.zeros(len(codes), dtype=np.int32)
    check(
        lib.shoal_mondrian(table(packed, codes, weight), ints(n_leaves), ints(ordered), k, ints(group)),
        "cutting the table",
    )
    return group

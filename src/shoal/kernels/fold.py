"""Ranks of keys: equal keys fold into one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import check, ints, lib, longs


def rank_keys(key: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
    """For each distinct key in ascending order its first row and its number of rows; and the rank of each row's key.

    Keys are not negative. As ``numpy.unique`` with all its answers, by a radix sort over the digits that the keys use.
    """
    n = len(key)
    if n >= 2**31:
        raise ValueError("at most 2^31 - 1 keys")
    if n and key.min() < 0:
        raise ValueError("a key is negative")
    first, count, rank = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int32)
    if n == 0:
        return first, count, rank
    distinct = check(
        lib.shoal_rank_keys(longs(key), n, int(key.max()), ints(first), longs(count), ints(rank)), "folding equal rows"
    )
    return first[:distinct].copy(), count[:distinct].copy(), rank

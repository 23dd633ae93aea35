"""Equal rows folded into one tuple with a weight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal import kernels

MOST_TUPLES = 2**31 - 1


def fold(
    columns: Sequence[NDArray[np.signedinteger[Any]]],
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
    """The distinct tuples of codes in lexicographic order, how many rows carry each, and the tuple of each row.

    The columns are read as digits of one number, as many at a time as 63 bits hold; the numbers met so far are then
    replaced by their ranks and the next columns follow.
    """
    if not columns:
        raise ValueError("a table is folded over at least one column")
    n = len(columns[0])
    if n > MOST_TUPLES or any(len(c) != n for c in columns):
        raise ValueError("columns of one length, of at most 2^31 - 1 rows")
    key, radix = np.zeros(n, dtype=np.int64), 1
    for column in columns:
        low = int(column.min()) if n else 0
        span = int(column.max()) - low + 1 if n else 1
        if radix * span >= 2**63:
            key, radix = _ranks(key)
        key *= span
        key += column
        key -= low
        radix *= span
    first, weight, tuple_of_row = kernels.rank_keys(key)
    codes = np.empty((len(first), len(columns)), dtype=np.int32)
    for j, column in enumerate(columns):
        codes[:, j] = column[first]
    return codes, weight, tuple_of_row


def _ranks(key: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    first, _, rank = kernels.rank_keys(key)
    return rank.astype(np.int64), max(len(first), 1)

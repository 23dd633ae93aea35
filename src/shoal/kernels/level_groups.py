"""Groups of tuples that look alike when every quasi-identifier is cut at a level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import NULL, ffi, ints, lib, longs


class LevelGroups:
    """Groups the same tuples under one cut of the columns after the other."""

    def __init__(self, codes: NDArray[np.int32], weight: NDArray[np.int64], n_leaves: Sequence[int]) -> None:
        n, q = codes.shape
        if len(weight) != n or len(n_leaves) != q or (n and (codes.min() < 0 or (codes.max(axis=0) >= n_leaves).any())):
            raise ValueError("codes, weights and leaves do not fit")
        self._codes, self._weight = np.ascontiguousarray(codes), np.ascontiguousarray(weight)
        self._first = np.concatenate([[0], np.cumsum(n_leaves)]).astype(np.int64)
        self._table = np.empty(1 << max(int(2 * n).bit_length(), 4), dtype=np.int32)
        self._sample, self._size = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int64)

    def __call__(
        self, cuts: Sequence[NDArray[np.int32]]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
        """From the node that stands for each leaf of each column: the group of each tuple, a tuple of each group, its
        number of rows.
        """
        lengths = [len(c) for c in cuts]
        if lengths != np.diff(self._first).tolist():
            raise ValueError("one node for each leaf of each column")
        group = np.empty(len(self._weight), dtype=np.int32)
        n, q = self._codes.shape
        given = ffi.new("shoal_table *", (n, q, ints(self._codes), longs(self._weight), NULL, NULL, longs(self._first)))
        places = (ints(group), ints(self._sample), longs(self._size), ints(self._table), len(self._table))
        nodes = np.ascontiguousarray(np.concatenate(cuts), dtype=np.int32)
        found = lib.shoal_level_groups(given, ints(nodes), ffi.new("shoal_level_groups_out *", places))
        return group, self._sample[:found].copy(), self._size[:found].copy()

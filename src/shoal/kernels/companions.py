"""Companions where distances are no prices of joins (any table of pairs of leaves for each column), and those that
bring different values.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.boxes import Diversity
from shoal.kernels.flag import Flag, pointer_of
from shoal.kernels.native import check, doubles, ffi, ints, lib, longs
from shoal.kernels.threads import n_threads


def companions_by_tables(
    tables: Sequence[NDArray[np.float64]],
    codes: NDArray[np.int32],
    weight: NDArray[np.int64],
    k: int,
    stop: Flag | None = None,
) -> NDArray[np.float64]:
    """How far each tuple's k-th companion is, by all pairs; the distance is the sum of the tables' entries for the two
    leaves.

    InterruptedError once ``stop`` is set.
    """
    n, q = codes.shape
    if len(tables) != q or len(weight) != n:
        raise ValueError("one table per column and one weight per tuple")
    width = np.array([len(t) for t in tables], dtype=np.int32)
    if any(t.shape != (len(t), len(t)) for t in tables) or (
        n and (codes.min() < 0 or (codes.max(axis=0) >= width).any())
    ):
        raise IndexError("a code is outside of its table")
    first = np.concatenate([[0], np.cumsum(width.astype(np.int64) ** 2)]).astype(np.int64)
    flat = np.ascontiguousarray(np.concatenate([t.reshape(-1) for t in tables]), dtype=np.float64)
    columns = np.ascontiguousarray(codes.T)
    farthest = np.full(n, np.inf)
    given = (
        doubles(flat),
        longs(first),
        ints(width),
        q,
        ints(columns),
        n,
        longs(weight),
        k,
        n_threads(),
        pointer_of(stop),
        doubles(farthest),
    )
    check(lib.shoal_companions(ffi.new("shoal_companions_ask *", given)), "the companions")
    return farthest


def diverse_reach(index: NDArray[np.int32], distance: NDArray[np.float64], diverse: Diversity) -> NDArray[np.float64]:
    """How far each tuple must reach along its list of neighbours, nearest first, for l different values; as far as the
    list goes, if it is too short.
    """
    n, width = index.shape
    if distance.shape != (n, width) or (index.size and (index.min() < -1 or index.max() >= n)):
        raise ValueError("lists and distances must fit the tuples")
    reach = np.zeros(n)
    check(
        lib.shoal_diverse_reach(n, width, ints(index), doubles(distance), diverse.as_c(n), doubles(reach)),
        "the neighbours",
    )
    return reach

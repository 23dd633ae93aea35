"""Pairs of tuples that are nearer than their potentials allow."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import doubles, ffi, ints, lib, longs
from shoal.kernels.packed import Packed

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


def near_pairs(
    packed: Packed,
    codes: Ints,
    reach: Floats,
    pull: Floats,
    most: int,
    up: Ints | None = None,
    within: Floats | None = None,
    threads: int | None = None,
) -> tuple[Ints, Floats]:
    """For each tuple u, the other tuples v of least negative slack: ``(index, slack)``, both of shape (n, most).

    The slack of u and v is their distance less ``reach[u]`` and ``pull[v]``, plus ``within`` at their lowest common node in the tree ``up``
    (whose first nodes are the tuples). Missing places hold −1 and 0. Prices and potentials must be whole numbers, so that
    slacks are exact; equal slacks are ordered by tuple. Time is near n log n where potentials are small, memory O(n · most).
    """
    n, q = codes.shape
    if q != packed.n_trees or len(reach) != n or len(pull) != n or most < 1:
        raise ValueError("one tree a column, one reach and one pull a tuple, at least one answer")
    index = np.full((n, most), -1, dtype=np.int32)
    slack = np.zeros((n, most))
    if n == 0:
        return index, slack
    size = np.diff(packed.first)
    if q and (codes.min() < 0 or (codes.max(axis=0) >= size).any()):
        raise IndexError("a code is outside of its tree")
    if (up is None) != (within is None):
        raise ValueError("a tree over the tuples and the values of its nodes go together")
    if up is not None and within is not None and (len(up) <= n or len(up) != len(within) or within.min() < 0):
        raise ValueError("a tree over the tuples needs a value of at least 0 for each node")
    failed = lib.shoal_pairs(
        ints(packed.parent),
        doubles(packed.price),
        longs(packed.first),
        q,
        ints(codes),
        n,
        doubles(reach),
        doubles(pull),
        ffi.NULL if up is None else ints(up),
        ffi.NULL if within is None else doubles(within),
        most,
        threads or os.cpu_count() or 1,
        ints(index),
        doubles(slack),
    )
    if failed:
        raise MemoryError("there is not enough memory for the pairs")
    return index, slack

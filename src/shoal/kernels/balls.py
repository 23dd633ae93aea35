"""The two covers of Meyerson and Williams: by balls around rows, and by small subsets with their diameters."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import check, doubles, ffi, ints, lib, longs, table
from shoal.kernels.packed import Packed

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


def cover_by_balls(
    weight: NDArray[np.int64],
    k: int,
    index: Ints,
    distance: Floats,
    own: Floats,
    packed: Packed | None = None,
    codes: Ints | None = None,
    leave: int = 0,
    limit: float = math.inf,
) -> Ints:
    """Group of each row, rows in the order of their tuples; −1 where at most ``leave`` rows, or balls at ``limit`` or more, were left.

    ``index`` and ``distance`` list each tuple's nearest other tuples, nearest first, and must hold k rows with it. Where they are not all
    the others, ``packed`` and ``codes`` are asked for the rest. ``own`` is how far rows of one tuple are from each other.
    """
    n = len(weight)
    width = index.shape[1] if n else 0
    if index.shape != (n, width) or distance.shape != (n, width) or len(own) != n or k < 1 or weight.sum() < k:
        raise ValueError("lists, weights and k do not fit")
    if width < min(n - 1, k - 1) or (width and (index.min() < 0 or index.max() >= n)):
        raise ValueError("a list of neighbours is too short, or holds a number that is not the number of a tuple")
    if width < n - 1 and (packed is None or codes is None):
        raise ValueError("lists that are not complete need the trees")
    owner = np.empty(int(weight.sum()), dtype=np.int32)
    if packed is None or codes is None:
        given = ffi.new("shoal_table *", {"n": n, "weight": longs(weight)})
    else:
        given = table(packed, codes, weight, is_checked=False)
    ask = ffi.new("shoal_balls_ask *", (k, leave, limit, width, ints(index), doubles(distance), doubles(own)))
    check(lib.shoal_balls(given, ask, ints(owner)), "the cover")
    return owner


def cover_by_diameters(distance: Floats, k: int, leave: int = 0, limit: float = math.inf) -> Ints:
    """Group of each row, from a matrix of distances, by trying all subsets of k to 2k − 1 rows at every step."""
    n = len(distance)
    if distance.shape != (n, n) or k < 1 or n < k:
        raise ValueError("a square matrix of at least k rows is needed")
    owner = np.empty(n, dtype=np.int32)
    ask = ffi.new("shoal_balls_ask *", {"k": k, "leave": leave, "limit": limit})
    check(lib.shoal_diameters(doubles(distance), n, ask, ints(owner)), "the cover")
    return owner

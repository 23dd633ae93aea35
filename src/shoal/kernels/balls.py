"""The two covers of Meyerson and Williams: by balls around rows, and by small subsets with their diameters."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import NULL, STOPPED, check, doubles, ffi, ints, lib, longs, table
from shoal.kernels.packed import Packed

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
WORK = 20_000_000
"""Tuples looked at between two questions whether to stop: about a tenth of a second."""


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
    wants_stop: Callable[[], bool] = lambda: False,
) -> tuple[Ints, bool]:
    """Group of each row, rows in the order of their tuples; −1 where at most ``leave`` rows, or balls at ``limit`` or
    more, were left.

    And whether the cover ran to its end. ``wants_stop`` is asked after every :data:`WORK` tuples looked at; if it says
    so, what is still open is put into groups of any rows.

    ``index`` and ``distance`` list each tuple's nearest other tuples, nearest first, and must hold k rows with it.
    Where they are not all the others, ``packed`` and ``codes`` are asked for the rest. ``own`` is how far rows of one
    tuple are from each other.
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
    cover = lib.shoal_balls_new(given, ask)
    if cover == NULL:
        check(lib.SHOAL_NO_MEMORY, "the cover")
    try:
        while (state := lib.shoal_balls_run(cover, WORK)) == STOPPED and not wants_stop():
            pass
        if state == STOPPED:
            lib.shoal_balls_finish(cover)
        lib.shoal_balls_groups(cover, ints(owner))
    finally:
        lib.shoal_balls_free(cover)
    return owner, state != STOPPED


def cover_by_diameters(distance: Floats, k: int, leave: int = 0, limit: float = math.inf) -> Ints:
    """Group of each row, from a matrix of distances, by trying all subsets of k to 2k − 1 rows at every step."""
    n = len(distance)
    if distance.shape != (n, n) or k < 1 or n < k:
        raise ValueError("a square matrix of at least k rows is needed")
    owner = np.empty(n, dtype=np.int32)
    ask = ffi.new("shoal_balls_ask *", {"k": k, "leave": leave, "limit": limit})
    check(lib.shoal_diameters(doubles(distance), n, ask, ints(owner)), "the cover")
    return owner

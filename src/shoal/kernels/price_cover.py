"""A cover of the rows by groups of k, along prices and the boxes that are tight for them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.boxes import Boxes
from shoal.kernels.native import doubles, ints, lib, longs
from shoal.kernels.packed import Packed

Ints = NDArray[np.int32]


def cover_along_prices(
    packed: Packed, codes: Ints, weight: NDArray[np.int64], k: int, prices: NDArray[np.float64], boxes: Boxes
) -> tuple[Ints, Ints, Ints]:
    """Pieces of groups of exactly k rows: (tuple, rows of it, group). Rows that no box has room for are in none.

    Best first: the sum of the k highest prices left in a box over k times the price of their own closure.
    """
    n = len(codes)
    if codes.shape[1] != packed.n_trees or len(weight) != n or len(prices) != n or k < 1:
        raise ValueError("one tree a column, one weight and one price a tuple")
    if len(boxes.tuples) and (boxes.tuples.min() < 0 or boxes.tuples.max() >= n):
        raise IndexError("a box holds no tuple of the table")
    if n and (codes.min() < 0 or (codes.max(axis=0) >= np.diff(packed.first)).any()):
        raise IndexError("a code is outside of its tree")
    most = int(weight.sum())
    tuple_, count, group = (np.empty(most, dtype=np.int32) for _ in range(3))
    made = lib.shoal_price_cover(
        ints(packed.parent),
        doubles(packed.price),
        longs(packed.first),
        packed.n_trees,
        ints(codes),
        k,
        doubles(prices),
        longs(weight.copy()),
        longs(boxes.start),
        ints(boxes.tuples),
        len(boxes),
        most,
        ints(tuple_),
        ints(count),
        ints(group),
    )
    if made < 0:
        raise MemoryError("there is not enough memory for the cover")
    return tuple_[:made], count[:made], group[:made]

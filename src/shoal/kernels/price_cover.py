"""A cover of the rows by groups of k, along prices and the boxes that are tight for them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.boxes import Boxes, as_c
from shoal.kernels.flag import Flag, pointer_of
from shoal.kernels.native import check, doubles, ffi, ints, lib, longs, table
from shoal.kernels.packed import Packed

Ints = NDArray[np.int32]


def cover_along_prices(
    packed: Packed,
    codes: Ints,
    weight: NDArray[np.int64],
    k: int,
    prices: NDArray[np.float64],
    boxes: Boxes,
    own: NDArray[np.float64] | None = None,
    stop: Flag | None = None,
) -> tuple[Ints, Ints, Ints]:
    """Pieces of groups of exactly k rows: (tuple, rows of it, group). Rows that no box has room for are in none.

    Best first: the sum of the k highest prices left in a box over k times the price of their own closure. Where tuples
    have parts of their own, prices come without them, and the parts are taken off what the closure costs.
    InterruptedError once ``stop`` is set.
    """
    n = len(codes)
    if len(prices) != n or (own is not None and len(own) != n) or k < 1:
        raise ValueError("one price per tuple, and k of at least 1")
    if len(boxes.tuples) and (boxes.tuples.min() < 0 or boxes.tuples.max() >= n):
        raise IndexError("a box holds no tuple of the table")
    given = table(packed, codes, weight)
    most = int(weight.sum())
    tuple_, count, group = (np.empty(most, dtype=np.int32) for _ in range(3))
    listed = as_c(boxes.price, boxes.start, boxes.tuples)
    out = ffi.new("shoal_pieces *", (most, ints(tuple_), ints(count), ints(group)))
    left = weight.copy()
    asked = (k, doubles(prices), ffi.NULL if own is None else doubles(own), longs(left), pointer_of(stop))
    ask = ffi.new("shoal_price_cover_ask *", asked)
    made = check(lib.shoal_price_cover(given, ask, listed, out), "the cover")
    return tuple_[:made], count[:made], group[:made]

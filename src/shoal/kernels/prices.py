"""A round of raising the prices of tuples on a list of boxes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.boxes import Boxes, as_c
from shoal.kernels.native import check, doubles, ffi, lib, longs


def price_round(
    boxes: Boxes,
    weight: NDArray[np.int64],
    k: int,
    prices: NDArray[np.float64],
    least: float,
    softness: float,
    own: NDArray[np.float64] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each tuple the tightness of its tightest box (at least ``least``), and how often it is asked for (its cover).

    The price of a tuple whose cover is below one should rise, above one fall. Sorts the boxes' lists of tuples in
    place. Where tuples have parts of their own, prices come without them.
    """
    n = len(weight)
    if len(prices) != n or (own is not None and len(own) != n):
        raise ValueError("one price per tuple")
    if len(boxes.tuples) and (boxes.tuples.min() < 0 or boxes.tuples.max() >= n):
        raise IndexError("a box holds no tuple of the table")
    tightness, cover = np.empty(n), np.empty(n)
    asked = (
        n,
        longs(weight),
        k,
        doubles(prices),
        ffi.NULL if own is None else doubles(own),
        least,
        softness,
        doubles(tightness),
        doubles(cover),
    )
    ask = ffi.new("shoal_price_round_ask *", asked)
    check(lib.shoal_price_round(as_c(boxes.price, boxes.start, boxes.tuples), ask), "raising prices")
    return tightness, cover

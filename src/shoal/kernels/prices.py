"""A round of raising the prices of tuples on a list of boxes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.boxes import Boxes
from shoal.kernels.native import doubles, ints, lib, longs


def price_round(
    boxes: Boxes,
    weight: NDArray[np.int64],
    k: int,
    prices: NDArray[np.float64],
    least: float,
    softness: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each tuple the tightness of its tightest box (at least ``least``), and how often it is asked for (its cover).

    The price of a tuple whose cover is below one should rise, above one fall. Sorts the boxes' lists of tuples in place.
    """
    n = len(weight)
    if len(prices) != n:
        raise ValueError("one price a tuple")
    if len(boxes.tuples) and (boxes.tuples.min() < 0 or boxes.tuples.max() >= n):
        raise IndexError("a box holds no tuple of the table")
    tightness, cover = np.empty(n), np.empty(n)
    failed = lib.shoal_price_round(
        doubles(boxes.price),
        longs(boxes.start),
        ints(boxes.tuples),
        len(boxes),
        longs(weight),
        n,
        k,
        doubles(prices),
        least,
        softness,
        doubles(tightness),
        doubles(cover),
    )
    if failed:
        raise MemoryError("there is not enough memory to raise prices")
    return tightness, cover

"""Prices of points that prove a lower bound on the cost of cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.kernels.native import check, doubles, ffi, ints, lib, longs
from shoal.kernels.space import Floats, Lists, Longs


def price_pass(lists: Lists, t: Floats, weight: Longs, r: int, y: Floats) -> tuple[Floats, Longs]:
    """For each point the largest strain of a listed ball that holds it, and the last entry of that ball (−1: none).

    List v holds the points around point v, nearest first. A ball's strain is the sum of its r highest prices over r
    times its radius.
    """
    n = len(lists)
    given = _lists(lists, weight, r, y)
    if len(t) != n or r < 1:
        raise ValueError("one least radius per point, and r of at least 1")
    strain, tightest = np.empty(n), np.empty(n, dtype=np.int64)
    check(lib.shoal_space_price_pass(given, doubles(t), doubles(strain), longs(tightest)), "the prices")
    return strain, tightest


def price_cover(lists: Lists, weight: Longs, r: int, y: Floats, given: Floats) -> Floats:
    """How much of the weight given to the balls (by their last entries) reaches each row, when a ball passes it to its
    r dearest.
    """
    if len(given) != len(lists.at):
        raise ValueError("one weight per entry")
    cover, given = np.empty(len(lists)), np.ascontiguousarray(given)
    check(lib.shoal_space_price_cover(_lists(lists, weight, r, y), doubles(given), doubles(cover)), "the prices")
    return cover


def _lists(lists: Lists, weight: Longs, r: int, y: Floats) -> Any:
    n = len(lists)
    if len(weight) != n or len(y) != n or lists.first[-1] != len(lists.at) or len(lists.d) != len(lists.at):
        raise ValueError("the lists do not fit the points")
    if len(lists.at) and (lists.at.min() < 0 or lists.at.max() >= n):
        raise IndexError("a point is out of range")
    return ffi.new(
        "shoal_price_lists *", (n, longs(lists.first), ints(lists.at), doubles(lists.d), longs(weight), r, doubles(y))
    )

"""Walks over all boxes that hold at least k rows: the cheapest for each tuple, and those that are tight for given prices."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import doubles, ffi, ints, lib, longs
from shoal.kernels.packed import Packed

MEMORY, WORK, KEPT = 1, 2, 3


class TooMuchWork(Exception):
    """A walk passed the work (or the number of boxes) that it was allowed."""


@dataclass(frozen=True, eq=False)
class Boxes:
    """Some boxes: their nodes, prices and tightness, and of each the tuples with the highest prices, highest first."""

    nodes: NDArray[np.int32]
    price: NDArray[np.float64]
    tightness: NDArray[np.float64]
    start: NDArray[np.int64]
    tuples: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.price)

    def tightest(self, least: float) -> Boxes:
        """Those of tightness at least ``least``."""
        kept = self.tightness >= least
        size = np.diff(self.start)
        start = np.concatenate([[0], np.cumsum(size[kept])]).astype(np.int64)
        return Boxes(self.nodes[kept], self.price[kept], self.tightness[kept], start, self.tuples[np.repeat(kept, size)])


def cheapest_boxes(
    packed: Packed,
    codes: NDArray[np.int32],
    weight: NDArray[np.int64],
    k: int,
    upper: NDArray[np.float64],
    limit: float = np.inf,
    most_work: int = 2**62,
    threads: int | None = None,
) -> tuple[NDArray[np.float64], int]:
    """The least price of a box that holds each tuple and at least k rows, and the work that it took to find them.

    ``upper`` holds, for each tuple, the price of some such box (infinity if none is known). Boxes that cost ``limit`` or
    more are not looked at: an answer above the limit says only that no box below the limit holds the tuple.
    """
    _check(packed, codes, weight, upper)
    y = np.ascontiguousarray(upper, dtype=np.float64).copy()
    work = np.zeros(1, dtype=np.int64)
    failed = lib.shoal_cheapest_boxes(
        ints(packed.parent),
        doubles(packed.price),
        longs(packed.first),
        packed.n_trees,
        ints(codes),
        len(codes),
        longs(weight),
        k,
        limit,
        most_work,
        threads or os.cpu_count() or 1,
        doubles(y),
        longs(work),
    )
    _raise(failed)
    return y, int(work[0])


def tight_boxes(
    packed: Packed,
    codes: NDArray[np.int32],
    weight: NDArray[np.int64],
    k: int,
    prices: NDArray[np.float64],
    least: float,
    keep: float = np.inf,
    reach: float = 0.7,
    most_kept: int = 0,
    most_work: int = 2**62,
    threads: int | None = None,
) -> tuple[NDArray[np.float64], Boxes, int]:
    """How tight the tightest box of each tuple is, the boxes of tightness at least ``keep``, and the work.

    The tightness of a box is the sum of the k highest prices of its rows over k times its own price. Boxes below
    ``least`` are left out, and a tuple without a box above it gets ``least``. Kept boxes list their tuples down to
    ``reach`` times the k-th highest price.
    """
    _check(packed, codes, weight, prices)
    tightness = np.full(len(codes), least)
    work = np.zeros(1, dtype=np.int64)
    out = ffi.new("ShoalKept **")
    failed = lib.shoal_tight_boxes(
        ints(packed.parent),
        doubles(packed.price),
        longs(packed.first),
        packed.n_trees,
        ints(codes),
        len(codes),
        longs(weight),
        k,
        doubles(prices),
        least,
        keep,
        reach,
        most_kept,
        most_work,
        threads or os.cpu_count() or 1,
        doubles(tightness),
        longs(work),
        out,
    )
    try:
        _raise(failed)
        n, entries = lib.shoal_kept_boxes(out[0]), lib.shoal_kept_entries(out[0])
        boxes = Boxes(
            np.empty((n, packed.n_trees), dtype=np.int32),
            np.empty(n),
            np.empty(n),
            np.zeros(n + 1, dtype=np.int64),
            np.empty(entries, dtype=np.int32),
        )
        lib.shoal_kept_copy(
            out[0], ints(boxes.nodes), doubles(boxes.price), doubles(boxes.tightness), longs(boxes.start), ints(boxes.tuples)
        )
    finally:
        lib.shoal_kept_free(out[0])
    return tightness, boxes, int(work[0])


def _check(packed: Packed, codes: NDArray[np.int32], weight: NDArray[np.int64], values: NDArray[np.float64]) -> None:
    n, q = codes.shape
    if q != packed.n_trees or len(weight) != n or len(values) != n:
        raise ValueError("one tree a column, one weight and one price a tuple")
    if n == 0 or q == 0:
        raise ValueError("there is nothing to walk")
    if codes.min() < 0 or (codes.max(axis=0) >= np.diff(packed.first)).any():
        raise IndexError("a code is outside of its tree")


def _raise(failed: int) -> None:
    if failed == MEMORY:
        raise MemoryError("there is not enough memory to walk the boxes")
    if failed == WORK:
        raise TooMuchWork("the boxes are too many to walk")
    if failed == KEPT:
        raise TooMuchWork("too many boxes are tight to keep them")

"""Walks over all boxes that hold at least k rows: the cheapest for each tuple, and those that are tight for given
prices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.flag import Flag, pointer_of
from shoal.kernels.native import NULL, TooMuchWork, check, doubles, ffi, ints, lib, longs, table
from shoal.kernels.packed import Packed
from shoal.kernels.threads import n_threads

__all__ = ["BoxCuts", "Boxes", "Diversity", "TooMuchWork", "as_c", "cheapest_boxes", "tight_boxes"]


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
        return Boxes(
            self.nodes[kept], self.price[kept], self.tightness[kept], start, self.tuples[np.repeat(kept, size)]
        )


@dataclass(frozen=True, eq=False)
class Diversity:
    """Boxes must hold at least ``l`` different sensitive values; tuple i has those in ``value[start[i] : start[i +
    1]]``, each once.
    """

    l: int
    start: NDArray[np.int64]
    value: NDArray[np.int32]

    def as_c(self, n_tuples: int) -> Any:
        """As the kernels take it. It must not be used longer than this lives."""
        if (
            len(self.start) != n_tuples + 1
            or self.start[0] != 0
            or (np.diff(self.start) < 0).any()
            or self.start[-1] != len(self.value)
        ):
            raise ValueError("the values of each tuple must lie end to end")
        if len(self.value) and self.value.min() < 0:
            raise IndexError("a value has a negative number")
        return ffi.new(
            "shoal_different *", (self.l, int(self.value.max(initial=-1)) + 1, longs(self.start), ints(self.value))
        )


@dataclass(frozen=True, eq=False)
class BoxCuts:
    """Boxes with a price each, by which a group inside may be overcharged; tuple i is in the cuts ``cut[start[i] :
    start[i + 1]]``.
    """

    nodes: NDArray[np.int32]
    price: NDArray[np.float64]
    start: NDArray[np.int64]
    cut: NDArray[np.int32]

    def as_c(self, packed: Packed, n_tuples: int) -> Any:
        """As the kernels take them. It must not be used longer than this lives."""
        if (
            self.nodes.shape != (len(self.price), packed.n_trees)
            or len(self.start) != n_tuples + 1
            or self.start[0] != 0
        ):
            raise ValueError("a node per column and a price for each cut, and a list of cuts for each tuple")
        if (np.diff(self.start) < 0).any() or self.start[-1] != len(self.cut):
            raise ValueError("the cuts of each tuple must lie end to end")
        if len(self.cut) and not 0 <= self.cut.min() <= self.cut.max() < len(self.price):
            raise IndexError("a number is not the number of a cut")
        if len(self.nodes) and ((self.nodes < 0) | (self.nodes >= np.diff(packed.first))).any():
            raise IndexError("a number is not the number of a node")
        return ffi.new(
            "shoal_rank_cuts *",
            (len(self.price), ints(self.nodes), doubles(self.price), longs(self.start), ints(self.cut)),
        )


def as_c(price: NDArray[np.float64], start: NDArray[np.int64], tuples: NDArray[np.int32]) -> Any:
    """Boxes with their lists of tuples, as the kernels take them."""
    return ffi.new("shoal_boxes *", (len(price), doubles(price), longs(start), ints(tuples)))


def cheapest_boxes(
    packed: Packed,
    codes: NDArray[np.int32],
    weight: NDArray[np.int64],
    k: int,
    upper: NDArray[np.float64],
    limit: float = np.inf,
    most_work: int = 2**62,
    threads: int | None = None,
    stop: Flag | None = None,
) -> tuple[NDArray[np.float64], int]:
    """The least price of a box that holds each tuple and at least k rows, and the work that it took to find them.

    ``upper`` holds, for each tuple, the price of some such box (infinity if none is known). Boxes that cost ``limit``
    or more are not looked at: an answer above the limit says only that no box below the limit holds the tuple.
    InterruptedError once ``stop`` is set.
    """
    given = _table(packed, codes, weight, upper)
    y = np.ascontiguousarray(upper, dtype=np.float64).copy()
    asked = {"k": k, "most_work": most_work, "n_threads": threads or n_threads(), "limit": limit, "answer": doubles(y)}
    asked["stop"] = pointer_of(stop)
    ask = ffi.new("shoal_price_walk *", asked)
    check(lib.shoal_cheapest_boxes(given, ask), "a walk over the boxes")
    return y, int(ask.work)


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
    own: NDArray[np.float64] | None = None,
    diverse: Diversity | None = None,
    stop: Flag | None = None,
    cuts: BoxCuts | None = None,
) -> tuple[NDArray[np.float64], Boxes, int]:
    """How tight the tightest box of each tuple is, the boxes of tightness at least ``keep``, and the work.

    The tightness of a box is the sum of the k highest prices of its rows over k times its own price. Where tuples have
    parts of their own, prices come without them, and the tightness of k rows is the sum of these prices over k times
    the price of the box less their own parts; that of a box is the highest of any k of its rows. Boxes below ``least``
    are left out, and a tuple without a box above it gets ``least``. Kept boxes list their tuples down to ``reach``
    times the k-th highest price. Boxes that lack the diversity asked for are left out. With cuts, which do not go
    together with own parts, any k to 2k − 1 rows count, over what they pay and the cuts around the box.
    InterruptedError once ``stop`` is set.
    """
    given = _table(packed, codes, weight, prices)
    if own is not None and len(own) != len(codes):
        raise ValueError("one part of its own per tuple")
    if cuts is not None and own is not None:
        raise ValueError("cuts are not counted with own parts")
    tightness = np.full(len(codes), least)
    around = NULL if cuts is None else cuts.as_c(packed, len(codes))
    values = NULL if diverse is None else diverse.as_c(len(codes))
    asked = {
        "k": k,
        "most_work": most_work,
        "n_threads": threads or n_threads(),
        "y": doubles(prices),
        "own": NULL if own is None else doubles(own),
        "least": least,
        "keep": keep,
        "reach": reach,
        "most_kept": most_kept,
        "diverse": values,
        "cuts": around,
        "stop": pointer_of(stop),
        "answer": doubles(tightness),
    }
    ask, kept = ffi.new("shoal_price_walk *", asked), ffi.new("shoal_kept **")
    try:
        check(lib.shoal_tight_boxes(given, ask, kept), "a walk over the boxes")
        entries = ffi.new("int64_t *")
        n = lib.shoal_kept_boxes(kept[0], entries)
        boxes = Boxes(
            np.empty((n, packed.n_trees), dtype=np.int32),
            np.empty(n),
            np.empty(n),
            np.zeros(n + 1, dtype=np.int64),
            np.empty(entries[0], dtype=np.int32),
        )
        out = as_c(boxes.price, boxes.start, boxes.tuples)
        lib.shoal_kept_copy(kept[0], ints(boxes.nodes), doubles(boxes.tightness), out)
    finally:
        lib.shoal_kept_free(kept[0])
    return tightness, boxes, int(ask.work)


def _table(packed: Packed, codes: NDArray[np.int32], weight: NDArray[np.int64], values: NDArray[np.float64]) -> Any:
    if len(values) != len(codes):
        raise ValueError("one price per tuple")
    if codes.size == 0:
        raise ValueError("there is nothing to walk")
    return table(packed, codes, weight)

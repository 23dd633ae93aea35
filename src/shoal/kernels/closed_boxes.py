"""All closed boxes of a table, how tight prices are in them, and the program over subsets of a few rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.boxes import as_c
from shoal.kernels.native import TOO_LARGE, check, doubles, ffi, ints, lib, longs, table
from shoal.kernels.packed import Packed

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Ints = NDArray[np.int32]

MOST_K: int = lib.SHOAL_MOST_SLACK_K
"""Up to which k the slack of a box is computed."""
MOST_SUBSET_ROWS = 16


@dataclass(frozen=True, eq=False)
class ClosedBoxes:
    """Closed boxes: box b holds the tuples ``tuples[start[b]:start[b + 1]]`` at ``price[b]`` a row."""

    price: Floats
    start: Longs
    tuples: Ints

    def __len__(self) -> int:
        return len(self.price)

    def keep(self, which: NDArray[np.bool_]) -> ClosedBoxes:
        """Some of the boxes."""
        length = np.diff(self.start)
        return ClosedBoxes(
            self.price[which],
            np.concatenate([[0], np.cumsum(length[which])]).astype(np.int64),
            np.ascontiguousarray(self.tuples[np.repeat(which, length)]),
        )


def closed_boxes(
    packed: Packed, codes: Ints, weight: Longs, k: int, dearest: float, most_boxes: int, most_entries: int
) -> ClosedBoxes | None:
    """Every closed box of at least k rows cheaper than ``dearest``; None where they are too many."""
    n, q = codes.shape
    if q != packed.n_trees or len(weight) != n or n == 0 or k < 1:
        raise ValueError("codes, weights and trees do not fit")
    price, start = np.empty(most_boxes), np.empty(most_boxes + 1, dtype=np.int64)
    tuples = np.empty(most_entries, dtype=np.int32)
    out = ffi.new("shoal_closed_boxes_out *", (most_boxes, most_entries, doubles(price), longs(start), ints(tuples)))
    found = lib.shoal_closed_boxes(table(packed, codes, weight, is_checked=False), k, dearest, out)
    if found == TOO_LARGE:
        return None
    check(found, "the boxes")
    return ClosedBoxes(price[:found].copy(), start[: found + 1].copy(), tuples[: start[found]].copy())


def box_slack(boxes: ClosedBoxes, weight: Longs, k: int, y: Floats) -> tuple[Floats, Floats]:
    """For each box, k times its price less its k highest prices y (of rows), and the k-th highest."""
    if not 1 <= k <= MOST_K:
        raise ValueError(f"k from 1 to {MOST_K}")
    if len(boxes.tuples) and int(boxes.tuples.max()) >= min(len(weight), len(y)):
        raise IndexError("a box holds a number that is not the number of a tuple")
    slack, kth = np.empty(len(boxes)), np.empty(len(boxes))
    given = as_c(boxes.price, boxes.start, boxes.tuples)
    check(lib.shoal_box_slack(given, longs(weight), k, doubles(y), doubles(slack), doubles(kth)), "the slack of boxes")
    return slack, kth


def subset_prices(packed: Packed, rows: Ints) -> Floats:
    """What a row pays in each subset of a few rows (bit i of the index: row i)."""
    n, q = rows.shape
    if not 1 <= n <= MOST_SUBSET_ROWS or q != packed.n_trees:
        raise ValueError(f"1 to {MOST_SUBSET_ROWS} rows, one tree per column")
    out = np.zeros(1 << n)
    node = np.zeros(1 << n, dtype=np.int32)
    lib.shoal_subset_prices(table(packed, rows, is_checked=False), ints(node), doubles(out))
    return out


def subset_optimum(group_price: Floats) -> tuple[Floats, NDArray[np.uint32]]:
    """The cheapest partition of every subset into groups of finite price, and in it the group of the lowest row."""
    n = len(group_price).bit_length() - 1
    if len(group_price) != 1 << n or n > MOST_SUBSET_ROWS:
        raise ValueError("one price for each subset of a few rows")
    best, taken = np.empty(1 << n), np.zeros(1 << n, dtype=np.uint32)
    lib.shoal_subset_optimum(doubles(group_price), n, doubles(best), ffi.from_buffer("uint32_t[]", taken))
    return best, taken

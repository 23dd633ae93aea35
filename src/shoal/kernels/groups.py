"""Groups of k to 2k − 1 rows whose prices exceed what they pay, given prices of rows and cuts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.boxes import as_c
from shoal.kernels.closed_boxes import ClosedBoxes
from shoal.kernels.flag import Flag, pointer_of
from shoal.kernels.native import check, doubles, ffi, ints, lib, longs

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Ints = NDArray[np.int32]

MOST_K: int = (lib.SHOAL_MOST_GROUP + 1) // 2
"""Up to which k groups are searched."""


@dataclass(frozen=True, eq=False)
class GroupCuts:
    """Cuts by the tuples that they hold: a group pays the price of a cut once for every ``divisor`` that its rows count
    there.
    """

    start: Longs
    """Tuple t is in the cuts ``cut[start[t]:start[t + 1]]``."""
    cut: Ints
    times: Ints
    """How often a row of the tuple counts there."""
    divisor: Ints
    price: Floats

    def check(self, n_tuples: int) -> None:
        """Raise an error where the kernel would read or divide what it must not."""
        if (
            len(self.start) != n_tuples + 1
            or self.start[0] != 0
            or (np.diff(self.start) < 0).any()
            or self.start[-1] != len(self.cut)
        ):
            raise ValueError("the cuts of each tuple must lie end to end")
        if (
            len(self.times) != len(self.cut)
            or len(self.divisor) != len(self.price)
            or (self.divisor < 1).any()
            or (self.times < 0).any()
        ):
            raise ValueError("a cut needs a divisor and a price, and rows count in it 0 times or more")
        if len(self.cut) and (self.cut.min() < 0 or self.cut.max() >= len(self.price)):
            raise IndexError("a tuple is in a cut that is not there")
        if (self.price < 0).any():
            raise ValueError("the price of a cut is 0 or more")


def dear_groups(
    boxes: ClosedBoxes,
    weight: Longs,
    k: int,
    y: Floats,
    cuts: GroupCuts,
    least: float,
    every: bool,
    most_groups: int,
    most_work: int,
    stop: Flag | None = None,
) -> tuple[Ints, Floats, int]:
    """Groups of a box whose prices exceed what they pay by more than ``least``: the worst of each box, or every one.

    Gives the tuple of each row of each group, with −1 behind them; by how much each exceeds; and the work. A group may
    be met in several boxes. Raises :class:`TooMuchWork` beyond so many groups or so much work.
    """
    n = len(weight)
    if not 1 <= k <= MOST_K or len(y) != n or not np.isfinite(y).all():
        raise ValueError(f"k from 1 to {MOST_K}, and a finite price for each tuple")
    if len(boxes.tuples) and (boxes.tuples.min() < 0 or boxes.tuples.max() >= n):
        raise IndexError("a box holds a number that is not the number of a tuple")
    cuts.check(n)
    order = np.argsort(-y, kind="stable").astype(np.int32)
    rows, excess = np.empty((most_groups, 2 * k - 1), dtype=np.int32), np.empty(most_groups)
    given = (
        len(cuts.price),
        longs(cuts.start),
        ints(cuts.cut),
        ints(cuts.times),
        ints(cuts.divisor),
        doubles(cuts.price),
    )
    of_cuts, of_boxes = ffi.new("shoal_group_cuts *", given), as_c(boxes.price, boxes.start, boxes.tuples)
    limits = (least, every, most_groups, most_work, pointer_of(stop), ints(rows.reshape(-1)), doubles(excess), 0)
    ask = ffi.new("shoal_dear_groups_ask *", (n, longs(weight), k, doubles(y), ints(order), of_cuts, *limits))
    found = check(lib.shoal_dear_groups(of_boxes, ask), "the groups")
    return rows[:found].copy(), excess[:found].copy(), int(ask.work)

"""Greedy set cover over the closed boxes of a table, kept a partition."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import NULL, check, doubles, ffi, ints, lib, table
from shoal.kernels.packed import Packed

ROOM = 1 << 24
"""How many tuples the boxes of one round may hold together: 64 MiB."""


class Round(NamedTuple):
    """What a round reached."""

    done: float
    """No box costs less per newly covered row now."""
    least: float
    """The least price seen at or above that: where the next round begins."""
    n_boxes: int


@dataclass(frozen=True, eq=False)
class Unequal:
    """How rows of one group pay differently."""

    offset: NDArray[np.float64]
    """What each node takes off for the rows of its value, laid out as the prices; 0 for nodes that are no leaves."""
    of_tuple: NDArray[np.float64]
    """What each tuple's leaves take off together."""
    deletion: float = math.inf
    """What a row may be deleted for, before its own values are taken off."""


class SetCover:
    """A cover in the making: call :meth:`round` with growing limits until :attr:`n_open` is 0, then :meth:`groups`."""

    def __init__(
        self,
        packed: Packed,
        codes: NDArray[np.int32],
        weight: NDArray[np.int64],
        k: int,
        most: int | None = None,
        room: int = ROOM,
        unequal: Unequal | None = None,
    ) -> None:
        """Sets bring up to ``most`` rows each, k to 2k − 1; as many as they may if it is None.

        With ``unequal``, each brings the rows that make it cheapest.
        """
        most = 2 * k - 1 if most is None else most
        if (
            codes.shape != (len(weight), packed.n_trees)
            or len(weight) == 0
            or k < 1
            or weight.min() < 1
            or weight.sum() < k
            or not k <= most < 2 * k
        ):
            raise ValueError("codes, weights and trees do not fit, or there are fewer than k rows")
        self._order: NDArray[np.intp] | None = None
        offset, deletion = NULL, math.inf
        if unequal is not None:
            if len(unequal.offset) != len(packed.price) or len(unequal.of_tuple) != len(weight):
                raise ValueError("one number for each node and for each tuple")
            self._order = np.argsort(-unequal.of_tuple, kind="stable")  # the kernel wants them so
            codes, weight, offset, deletion = (
                codes[self._order],
                weight[self._order],
                doubles(unequal.offset),
                unequal.deletion,
            )
        # the kernel reads them as long as it lives
        self._kept = (packed, np.ascontiguousarray(codes), np.ascontiguousarray(weight))
        handle = lib.shoal_set_cover_new(table(*self._kept, is_checked=False), offset, deletion, k, most, room)
        if handle == NULL:
            check(lib.SHOAL_NO_MEMORY, "the cover")
        self._handle = ffi.gc(handle, lib.shoal_set_cover_free)
        self.n_rows = int(weight.sum())

    @property
    def n_open(self) -> int:
        """How many rows no group holds yet."""
        return int(lib.shoal_set_cover_open(self._handle))

    def round(self, limit: float, leave: int = 0) -> Round:
        """Take the cheapest box again and again while it costs less than ``limit`` per newly covered row."""
        report = np.zeros(3)
        check(lib.shoal_set_cover_round(self._handle, limit, leave, doubles(report)), "the cover")
        return Round(float(report[0]), float(report[1]), int(report[2]))

    def finish(self, leave: int = 0) -> None:
        """Cover the rest with sets of any rows."""
        lib.shoal_set_cover_finish(self._handle, leave)

    def groups(self) -> NDArray[np.int32]:
        """Group of each row, rows in the order of their tuples; −1 for one that is open or deleted."""
        out = np.empty(self.n_rows, dtype=np.int32)
        lib.shoal_set_cover_groups(self._handle, ints(out))
        return out if self._order is None else out[np.argsort(np.repeat(self._order, self._kept[2]), kind="stable")]

"""Local search over the groups of one part of the table, and the parts that can be searched at the same time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.columns import Columns
from shoal.kernels.native import NULL, check, doubles, ffi, ints, lib, numbers

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
CRITERIA = numbers("shoal_criterion")


@dataclass(frozen=True, eq=False)
class Promise:
    """A criterion on the sensitive values of a group, as the search checks it."""

    kind: str
    value: Ints
    """The sensitive value of each unit."""
    share: Floats
    """The share of each value in the whole table; of ``capped``, the greatest that it may have in a group."""
    l: float = 0.0
    c: float = 0.0
    t: float = 0.0
    missing: int = -1
    """The value that stands for a missing cell, the last one; −1 where no cell is missing."""


@dataclass(frozen=True)
class Effort:
    """How hard to search: how much work, how warm, how wide."""

    work: int
    """Cells that may be looked at."""
    hot: float = 0.0
    cold: float = 0.0
    """Temperature at the beginning and at the end: a try that is worse by this much is accepted once in e times."""
    seed: int = 0
    breadth: int = 3
    """At most so many groups are taken apart at once, at least two."""
    pool: int = 64
    """At most so many rows are."""
    swaps: int = 3
    """Of 16 tries, how many exchange two rows instead."""
    borrows: int = 8
    """Of 16 tries that take groups apart, how many take rows along that other groups can spare."""
    sharp: float = 6.0
    """A row that is drawn is tried with a chance that grows with its excess; from so many times the mean excess on,
    always.
    """
    bonus: float = 0.0
    """How much a row's worth counts when a group grows."""


@dataclass(frozen=True)
class Outcome:
    group: Ints
    n_groups: int
    cost: float
    work: int
    tries: int
    accepted: int
    uphill: float
    """How much worse the tries that were worse were, in sum."""
    n_uphill: int


class Rows:
    """The table as the search sees it. A unit is a row, or equal rows that stay together."""

    def __init__(
        self,
        space: Columns,
        codes: Ints,
        near: Ints,
        tuple_of_unit: Ints,
        weight: Ints,
        worth: Floats,
        leave: Floats | None = None,
        promises: Sequence[Promise] = (),
    ) -> None:
        n_tuples, n_units = len(codes), len(tuple_of_unit)
        if (
            codes.shape[1] != space.n_columns
            or len(near) != n_tuples
            or len(worth) != n_tuples
            or len(weight) != n_units
        ):
            raise ValueError("codes, neighbours, worths and weights must fit the tuples, the units and the columns")
        if n_tuples and (codes.min() < 0 or (codes.max(axis=0) >= np.array(space.n_leaves)).any()):
            raise IndexError("a code is no leaf of its column")
        if n_units and (tuple_of_unit.min() < 0 or tuple_of_unit.max() >= n_tuples or weight.min() < 1):
            raise IndexError("a unit is of no tuple, or stands for no row")
        if near.size and (near.min() < -1 or near.max() >= n_tuples):
            raise IndexError("a neighbour is not the number of a tuple")
        if leave is not None and len(leave) != n_tuples:
            raise ValueError("one price of leaving per tuple")
        self.space, self.near, self.tuple_of_unit, self.weight = space, near, tuple_of_unit, weight
        self.n_units, self.n_tuples = n_units, n_tuples
        self._alive: list[Any] = [codes, near, tuple_of_unit, weight, worth, leave, promises]
        self._pointer = ffi.new(
            "shoal_rows *",
            {
                "codes": self._keep(ints(codes)),
                "near": self._keep(ints(near)),
                "n_near": near.shape[1],
                "n_tuples": n_tuples,
                "worth": self._keep(doubles(worth)),
                "leave": NULL if leave is None else self._keep(doubles(leave)),
                "tuple": self._keep(ints(tuple_of_unit)),
                "weight": self._keep(ints(weight)),
                "n_units": n_units,
                "demand": self._demands(promises),
                "n_demands": len(promises),
            },
        )
        self._may_leave, self._n_promises = leave is not None, len(promises)

    def _demands(self, promises: Sequence[Promise]) -> Any:
        """The criteria as C sees them."""
        demands = self._keep(ffi.new("shoal_demand[]", max(len(promises), 1)))
        for promise, out in zip(promises, demands, strict=False):
            if (
                len(promise.value) != self.n_units
                or promise.value.min(initial=0) < 0
                or promise.value.max(initial=-1) >= len(promise.share)
            ):
                raise IndexError("a sensitive value is out of range")
            if promise.missing not in (-1, len(promise.share) - 1):
                raise IndexError("what is missing must be the last value")
            out.kind, out.n_values = CRITERIA[promise.kind], len(promise.share)
            out.l, out.c, out.t, out.missing = promise.l, promise.c, promise.t, promise.missing
            out.share, out.value = self._keep(doubles(promise.share)), self._keep(ints(promise.value))
        return demands

    def _keep(self, view: Any) -> Any:
        self._alive.append(view)
        return view

    def improve(self, group: Ints, part: Ints, k: int, effort: Effort) -> Outcome:
        """Search over the units in ``part`` alone. Their groups must lie whole inside of it and have at least k rows.

        The new groups are numbered from 0; −1 is a row that leaves.
        """
        return self._work(lib.shoal_improve, group, part, k, effort)

    def settle(self, group: Ints, part: Ints, k: int, work: int) -> Outcome:
        """Place the units in ``part`` as cheaply as the cells of their groups allow, by chains of moves; ``accepted``
        says how many.

        No group costs a row more than before. Criteria on sensitive values are not looked at.
        """
        if self._n_promises:
            raise ValueError("chains of moves do not look at sensitive values")
        return self._work(lib.shoal_settle, group, part, k, Effort(work, pool=2))

    def _work(self, kernel: Callable[..., int], group: Ints, part: Ints, k: int, effort: Effort) -> Outcome:
        self._check(group, part, k)
        if effort.breadth < 2 or effort.pool < 2 or k < 1:
            raise ValueError("at least two groups and two rows must be taken apart")
        out = np.empty(len(part), dtype=np.int32)
        outcome = ffi.new("shoal_outcome *")
        settings = {
            "k": k,
            "breadth": effort.breadth,
            "pool": effort.pool,
            "swaps": effort.swaps,
            "work": effort.work,
            "hot": effort.hot,
            "cold": effort.cold,
            "borrows": effort.borrows,
            "sharp": effort.sharp,
            "bonus": effort.bonus,
            "seed": effort.seed & 0xFFFFFFFFFFFFFFFF,
        }
        given = (
            self.space.pointer,
            self._pointer,
            ints(group),
            ints(part),
            len(part),
            ffi.new("shoal_effort *", settings),
        )
        check(kernel(*given, ints(out), outcome), "the search")
        return Outcome(
            out,
            outcome.n_groups,
            outcome.cost,
            outcome.work,
            outcome.tries,
            outcome.accepted,
            outcome.uphill,
            outcome.n_uphill,
        )

    def _check(self, group: Ints, part: Ints, k: int) -> None:
        if len(group) != self.n_units or (len(part) and (part.min() < 0 or part.max() >= self.n_units)):
            raise IndexError("a part holds a unit that is not there")
        mine = group[part]
        if len(mine) and mine.min() < (-1 if self._may_leave else 0):
            raise ValueError("a row is withheld although none may leave")
        inside = mine >= 0
        # numbers of the whole table would make room for all of its groups
        _, of_group = np.unique(mine[inside], return_inverse=True)
        if (np.bincount(of_group, weights=self.weight[part[inside]]) < k).any():
            raise ValueError("a group has fewer than k rows")

    def parts(self, group: Ints, n_groups: int, target: int, seed: int) -> tuple[Ints, int]:
        """The part of each unit, of about ``target`` units each, and how many parts. Groups stay whole."""
        if len(group) != self.n_units or (len(group) and (group.min() < -1 or group.max() >= n_groups)):
            raise IndexError("a unit is in no group")
        part = np.zeros(self.n_units, dtype=np.int32)
        made = lib.shoal_parts(
            self._pointer, ints(group), n_groups, max(target, 1), seed & 0xFFFFFFFFFFFFFFFF, ints(part)
        )
        return part, check(made, "the parts")

"""The plan of a release: how many rows of each kind go to which group. It holds for the rows wherever they are, in memory or not.

Rows of one kind carry the same quasi-identifiers, and the same sensitive values where a criterion asks about them. Which of them goes to
which group of the plan makes no difference to the loss or to any criterion. It is decided by their order in the input, so that every engine decides alike: the first
rows of a kind go to its group with the lowest number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Plan:
    """Kinds, groups and numbers of rows, sorted by kind, then group; −1 is the group of rows that are withheld."""

    kind: Ints
    group: Ints
    count: Longs

    @cached_property
    def _ends(self) -> Longs:
        """Where each entry ends if the rows stand in the order of the plan."""
        return np.cumsum(self.count)

    @cached_property
    def _begins(self) -> Longs:
        """Where each kind begins if the rows stand in the order of the plan."""
        n_kinds = int(self.kind.max(initial=-1)) + 1
        return np.concatenate([[0], np.cumsum(np.bincount(self.kind, weights=self.count, minlength=n_kinds).astype(np.int64))])

    @property
    def n_rows(self) -> int:
        return int(self.count.sum())

    def released(self, n_kinds: int) -> Longs:
        """How many rows of each kind are released."""
        kept = self.group >= 0
        return np.bincount(self.kind[kept], weights=self.count[kept], minlength=n_kinds).astype(np.int64)

    def dealer(self) -> Callable[[NDArray[np.integer[Any]]], Ints]:
        """A function that is called with the kinds of the rows, one stretch of the table after the other, and gives the groups of these rows."""
        dealt = np.zeros(len(self._begins) - 1, dtype=np.int64)

        def deal(kinds: NDArray[np.integer[Any]]) -> Ints:
            order = np.argsort(kinds, kind="stable")
            ordered = kinds[order]
            first = np.flatnonzero(np.diff(ordered, prepend=-1))
            length = np.diff(np.append(first, len(ordered)))
            which = ordered[first]
            place = np.arange(len(ordered)) + np.repeat(self._begins[which] + dealt[which] - first, length)
            if len(which) and (dealt[which] + length > np.diff(self._begins)[which]).any():
                raise ValueError("there are more rows of a kind than the plan knows")
            dealt[which] += length
            out = np.empty(len(kinds), dtype=np.int32)
            out[order] = self.group[np.searchsorted(self._ends, place, side="right")]
            return out

        return deal

    def groups_of(self, kinds: NDArray[np.integer[Any]]) -> Ints:
        """The group of each row of the whole table, from the kinds of its rows."""
        if len(kinds) != self.n_rows:
            raise ValueError("the plan is of another number of rows")
        return self.dealer()(kinds)


def plan_of_units(kind: Ints, group: Ints, rows: Ints) -> Plan:
    """The plan of units of some kinds that stand for some rows and are in some groups."""
    n_groups = int(group.max(initial=-1)) + 2
    pair, place = np.unique(kind.astype(np.int64) * n_groups + group + 1, return_inverse=True)
    count = np.bincount(place, weights=rows, minlength=len(pair)).astype(np.int64)
    of_kind, of_group = np.divmod(pair, n_groups)
    return Plan(of_kind.astype(np.int32), (of_group - 1).astype(np.int32), count)

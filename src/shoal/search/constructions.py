"""First groups, quickly: top-down along the hierarchies, runs of sorted rows, or a cover along prices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal import kernels
from shoal.budget import stoppable
from shoal.kernels.boxes import Boxes, TooMuchWork
from shoal.kernels.flag import Flag
from shoal.problem import Floats, Ints, Longs, Problem, Watch
from shoal.search.anchors import set_anchors_free
from shoal.search.withholding import bring_back

LOOSER = (0.8, 0.65)
"""Tightness of the boxes that cover what is left: in the tightest ones some rows find no k − 1 others."""
REACH, MOST_BOXES, MOST_WORK = 0.5, 1_000_000, 500_000_000
"""How far down a box names its rows; so many boxes may be listed, and so many rows looked at, for what is left: about a
second.
"""


def top_down(problem: Problem) -> Ints:
    """Begin with one group; let each open the column that saves most, until none does. A group for each unit."""
    of_tuple, _ = kernels.split(problem.packed, problem.codes, problem.weight, problem.k)
    return set_anchors_free(problem, np.ascontiguousarray(of_tuple[problem.tuple_of_unit]))


def runs(problem: Problem) -> Ints:
    """Sort single rows by what costs most to suppress, and cut them into runs of k."""
    dear_last = sorted(range(problem.n_columns), key=lambda j: float(problem.columns[j].price[-1]))
    order = np.lexsort([problem.codes[problem.tuple_of_unit, j] for j in dear_last])
    n, k = problem.n_rows, problem.k
    group = np.empty(n, dtype=np.int32)
    group[order] = np.minimum(np.arange(n) // k, n // k - 1)
    return group


def cover(
    problem: Problem, prices: Floats, own: Floats | None, boxes: Boxes, near: Ints, watch: Watch | None = None
) -> Ints | None:
    """Make groups of the k dearest rows in tight boxes, best first. What is left is covered by looser boxes, then split
    top-down.

    Prices come without what a tuple's own values cost. ``near`` lists near tuples of each tuple, for fewer than k rows
    that remain. Only single rows are taken; anchors are groups by themselves. Demands are not looked at. None if the
    watch asked to stop.
    """
    group = np.full(problem.n_units, -1, dtype=np.int32)
    anchors = np.flatnonzero(problem.rows_of_unit > 1)
    group[anchors] = np.arange(len(anchors))
    left = left_of(problem, group)
    try:
        with stoppable(watch or Watch()) as stop:
            weight = np.bincount(problem.tuple_of_unit[left.units], minlength=problem.n_tuples)
            found = kernels.cover_along_prices(
                problem.packed, problem.codes, weight, problem.k, prices, boxes, own, stop
            )
            left.put(group, weight, found)
            for least in LOOSER:
                cover_left(problem, group, prices, own, least, stop)
    except InterruptedError:
        return None
    return place_left(problem, group, near)


@dataclass(frozen=True, eq=False)
class Left:
    """The single rows that are in no group yet."""

    units: Longs
    """Sorted by tuple."""
    tuples: Longs
    weight: Longs
    """Rows of each of these tuples."""

    def put(self, group: Ints, weight: Longs, pieces: tuple[Ints, Ints, Ints]) -> None:
        """Put rows into new groups: so many rows of a tuple into one.

        ``weight`` counts the rows of the tuples that the pieces number.
        """
        tuples, taken, into = pieces
        by_tuple = np.argsort(tuples, kind="stable")
        tuples, taken, into = tuples[by_tuple], taken[by_tuple].astype(np.int64), into[by_tuple]
        before = np.cumsum(taken) - taken
        used = before - before[np.searchsorted(tuples, tuples)] if len(tuples) else before
        begin = (np.cumsum(weight) - weight)[tuples] + used
        which = np.arange(int(taken.sum())) - np.repeat(before - begin, taken)
        group[self.units[which]] = int(group.max()) + 1 + np.repeat(into, taken)


def left_of(problem: Problem, group: Ints) -> Left:
    away = np.flatnonzero(group < 0)
    units = away[np.argsort(problem.tuple_of_unit[away], kind="stable")]
    tuples, weight = np.unique(problem.tuple_of_unit[units], return_counts=True)
    return Left(units, tuples.astype(np.int64), weight.astype(np.int64))


def cover_left(
    problem: Problem, group: Ints, prices: Floats, own: Floats | None, least: float, stop: Flag | None
) -> None:
    """Cover rows that are left by boxes of at least this tightness that hold k of them, unless these boxes are too
    many.
    """
    left = left_of(problem, group)
    if len(left.units) < problem.k:
        return
    rows = (problem.packed, np.ascontiguousarray(problem.codes[left.tuples]), left.weight, problem.k)
    worth, parts = prices[left.tuples], None if own is None else own[left.tuples]
    try:
        _, boxes, _ = kernels.tight_boxes(
            *rows, worth, least, least, REACH, MOST_BOXES, MOST_WORK, own=parts, stop=stop
        )
    except TooMuchWork:
        return
    left.put(group, left.weight, kernels.cover_along_prices(*rows, worth, boxes, parts, stop))


def place_left(problem: Problem, group: Ints, near: Ints) -> Ints:
    """Split top-down what is still left; fewer than k rows join the group where they cost least."""
    left = left_of(problem, group)
    if len(left.units) >= problem.k:
        of_tuple, _ = kernels.split(
            problem.packed, np.ascontiguousarray(problem.codes[left.tuples]), left.weight, problem.k
        )
        group[left.units] = int(group.max()) + 1 + np.repeat(of_tuple, left.weight)
    return bring_back(problem, group, near, int((group < 0).sum()))

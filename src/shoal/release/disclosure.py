"""How much of a figure may be published.

Nearly all that is published is a function of the release and the policy, and so tells nothing more. Losses and bounds are not: an entropy
depends on the values that the cells hide, and a bound above 0 says that some group holds more than one value. On a small table such a
figure picks the original out of all tables that fit the release. So it is published only where the cells outside every single group leave
enough freedom to have made it whatever that group holds: at least a bit of freedom for each bit that is told. There a loss is rounded up
and a bound down, so that both stay true; four digits are at most 14 bits. Elsewhere the figure is left out, and the owner's record has it.

What decides this is counted from the released labels. An entropy depends on how the rows of a label are divided among its values, and not on which value is
which; and of labels with equally many rows it does not matter which is divided how. So partitions are counted, and multisets of them: never more than the
different sums that they can make if these do not coincide. A figure that is as high or low as it can be is never told. ``docs/disclosure.md`` argues it figure by figure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import rank_keys
from shoal.problem import Problem, Solution
from shoal.release.decode import shown_by_groups
from shoal.table.fold import fold
from shoal.table.once import once
from shoal.text.cells import as_text

DIGITS = 4
BITS = 14
"""What a figure of four digits tells at most: log2 of 9,000, and where its point is."""
MOST_POSSIBLE = 1e9
MOST_COUNTED = 150
"""Rows and values up to which partitions are counted; with more there are more."""
TOO_FEW = "not published: so few cells are generalized outside some group that the figure would tell more than the release. The owner's record has it"
OF_PEOPLE = (
    "not published: rows of one person depend on each other, so the figure might tell more than the release. The owner's record has it"
)
"""Where k counts people: the freedom below is counted in rows, as if each could be exchanged by itself."""


@dataclass(frozen=True, eq=False)
class Freedom:
    """How many other values the open cells of a release could hold, in bits."""

    bits: NDArray[np.float64]
    """Of each quasi-identifier."""
    of_class: NDArray[np.float64]
    """How much of it each class of rows that look alike holds: one row per class, one column per quasi-identifier."""
    spread: NDArray[np.float64]
    """The entropy of the values behind each column's labels, over all rows: 0 where every label hides one value."""
    widest: NDArray[np.float64]
    """The same where every label hid its values as evenly as can be."""
    adds: NDArray[np.float64]
    """The spread that each class has by itself where all others hide one value per label: one row per class, one column per quasi-identifier."""
    takes: NDArray[np.float64]
    """The spread that each class can take away where all others lie evenly."""
    is_of_people: bool = False
    """Whether a person may have several rows: then nothing is known of their freedom, and nothing is told."""

    def hides(self, n_figures: int, columns: Sequence[int] | None = None) -> bool:
        """Whether so many figures about these columns (all, if none are named) may be told: whichever class is looked at, the others suffice."""
        if self.is_of_people:
            return False
        which = slice(None) if columns is None else list(columns)
        left = float(self.bits[which].sum() - self.of_class[:, which].sum(axis=1).max(initial=0.0))
        return left >= BITS * n_figures and not self.is_extreme(which)

    def is_extreme(self, which: slice | list[int]) -> bool:
        """Whether the values lie so evenly, or are so much alike, that a figure of them would say so of every class.

        That a figure is not told says nothing about one class. Whatever that class holds, if the values of all others lie evenly, the spread is at least what it takes from
        the widest, and so extreme. Such a table fits the release.
        """
        spread, widest = float(self.spread[which].sum()), float(self.widest[which].sum())
        adds, takes = (float(each[:, which].sum(axis=1).max(initial=0.0)) for each in (self.adds, self.takes))
        return not adds < spread < widest - takes


def freedom(solution: Solution) -> Freedom:
    """Count it from the labels that groups show and the rows that show each."""
    problem, shown = solution.problem, shown_by_groups(solution)
    names = shown.columns
    labels = np.column_stack([as_text(shown[name]).rank("dense").fill_null(0).to_numpy() for name in names]).astype(np.int64)
    codes, _, of_group = fold(list(labels.T))
    classes, lead = codes.astype(np.int64), np.empty(len(codes), dtype=np.int64)
    lead[of_group[::-1]] = np.arange(len(of_group))[::-1]  # the first group of each class
    size = np.bincount(of_group, weights=solution.sizes, minlength=len(classes)).astype(np.float64)
    opened = is_open(solution)[lead]
    bits, of_class = np.zeros(len(names)), np.zeros((len(classes), len(names)))
    spread, widest = np.zeros(len(names)), np.zeros(len(names))
    adds, takes = np.zeros((len(classes), len(names))), np.zeros((len(classes), len(names)))
    kept = solution.group >= 0
    tuples, n_rows = problem.tuple_of_unit[kept], problem.rows_of_unit[kept]
    class_of_unit = of_group[solution.group[kept]]
    for j in range(len(names)):
        rows = np.bincount(classes[:, j], weights=size * opened[:, j]).astype(np.float64)
        with_it = rows[classes[:, j]]
        n_leaves = np.ones(len(rows))
        n_leaves[classes[:, j]] = _possible(problem, solution, j)[lead]
        ways = _log_partitions(rows, n_leaves)
        bits[j] = _log_multisets(rows, ways)
        of_class[:, j] = np.where(opened[:, j], ways[classes[:, j]], 0.0)
        most = _entropy(rows) - _even(rows, n_leaves)
        label = np.where(opened[:, j], classes[:, j], -1)[class_of_unit]
        spread[j] = _hidden_entropy(label, problem.codes[tuples, j], n_rows)
        widest[j] = most.sum()
        wide, rest = n_leaves[classes[:, j]], np.maximum(with_it - size, 0)
        alone = _entropy(with_it) - _entropy(rest) - _even(size, np.maximum(wide - 1, 1))
        full = np.ceil(rest / wide)
        uneven = _entropy(with_it) - (_even(rest, wide) - _entropy(full) + _entropy(full + size))
        adds[:, j] = np.where(opened[:, j], np.maximum(alone, 0.0), 0.0)
        takes[:, j] = np.where(opened[:, j], np.maximum(most[classes[:, j]] - uneven, 0.0), 0.0)
    return Freedom(bits, of_class, spread, widest, adds, takes, any(demand.criterion.about_rows for demand in problem.demands))


def _log_partitions(rows: NDArray[np.float64], n_leaves: NDArray[np.float64]) -> NDArray[np.float64]:
    """In how many ways the rows of each label may be divided among its values, in bits, if it does not matter which value is which."""
    table = _partitions()
    at = np.minimum(rows, MOST_COUNTED).astype(np.int64), np.minimum(n_leaves, MOST_COUNTED).astype(np.int64)
    return np.asarray(table[at], dtype=np.float64)


@cache
def _partitions() -> NDArray[np.float64]:
    """log2 of the number of partitions of m into at most l parts, at [m, l]; beyond the table there are more."""
    count = np.zeros((MOST_COUNTED + 1, MOST_COUNTED + 1))
    count[0, :] = 1.0
    for parts in range(1, MOST_COUNTED + 1):
        count[1:, parts] = count[1:, parts - 1]
        for m in range(parts, MOST_COUNTED + 1):
            count[m, parts] += count[m - parts, parts]
    return np.log2(np.maximum(count, 1.0))


def _log_multisets(rows: NDArray[np.float64], ways: NDArray[np.float64]) -> float:
    """How many sums labels can make at most, in bits: of labels with equally many rows and ways it does not matter which has which."""
    kinds, n_labels = np.unique(np.column_stack([rows, ways])[rows > 0], axis=0, return_counts=True)
    total = 0.0
    for (_, bits), n in zip(kinds.tolist(), n_labels.tolist(), strict=True):
        each = 2.0 ** min(bits, 900.0)
        total += sum(math.log2((each + i) / (i + 1)) for i in range(n))
    return total


def _hidden_entropy(label: NDArray[np.int64], value: NDArray[np.int32], rows: NDArray[np.int32]) -> float:
    """The entropy of the values among the rows of each open label, over all these rows, in bits. An entry stands for so many rows."""
    is_hidden = label >= 0
    if not is_hidden.any():
        return 0.0
    label, value, rows = label[is_hidden], value[is_hidden].astype(np.int64), rows[is_hidden]
    pair = rank_keys(label * (int(value.max()) + 1) + value)[2]
    return float(_entropy(np.bincount(label, weights=rows)).sum() - _entropy(np.bincount(pair, weights=rows)).sum())


def _entropy(count: NDArray[Any]) -> NDArray[np.float64]:
    """count · log2(count)."""
    return np.asarray(count * np.log2(np.maximum(count, 1)), dtype=np.float64)


def _even(rows: NDArray[np.float64], n_leaves: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of count · log2(count) where rows are spread over so many values as evenly as can be."""
    each, more = np.divmod(rows, n_leaves)
    return np.asarray((n_leaves - more) * _entropy(each) + more * _entropy(each + 1))


def is_open(solution: Solution) -> NDArray[np.bool_]:
    """Whether a reader sees that the cell of a group stands for several values: one row per group, one column per quasi-identifier.

    A label that is also the text of a value, such as 'Other' above 'Other', does not count: the release does not tell which of the two it is.
    """
    return once(solution, ("open",), lambda: _is_open(solution))


def _is_open(solution: Solution) -> NDArray[np.bool_]:
    found = np.zeros((solution.n_groups, solution.problem.n_columns), dtype=bool)
    for j, column in enumerate(solution.problem.columns):
        sets, tree = solution.sets[j], column.tree
        if sets is not None:
            found[:, j] = (np.diff(sets.start) > 1)[solution.nodes[:, j]]
            continue
        values = set(tree.labels[: tree.n_leaves])
        wide = np.array([n > 1 and label not in values for n, label in zip(tree.n_below.tolist(), tree.labels, strict=True)], dtype=bool)
        found[:, j] = wide[solution.nodes[:, j]]
    return found


def _widths(problem: Problem, solution: Solution, j: int) -> NDArray[np.int64]:
    """For how many values the cell of each group in a column stands."""
    sets = solution.sets[j]
    width = problem.columns[j].tree.n_below if sets is None else np.diff(sets.start)
    return np.asarray(width[solution.nodes[:, j]], dtype=np.int64)


def _possible(problem: Problem, solution: Solution, j: int) -> NDArray[np.int64]:
    """How many values the cell of each group may hide, as far as a reader can tell. For an interval these are all numbers on the column's own grid."""
    width, tree = _widths(problem, solution, j), problem.columns[j].tree
    if solution.sets[j] is not None or tree.bounds is None:
        return width
    numbers = np.unique(tree.bounds[: tree.n_leaves, 0])
    gap = np.diff(numbers[np.isfinite(numbers)]).min(initial=np.inf)
    span = (tree.bounds[:, 1] - tree.bounds[:, 0])[solution.nodes[:, j]] / gap
    return np.maximum(width, np.where(np.isfinite(span), np.minimum(span, MOST_POSSIBLE), 0)).astype(np.int64)


def has_namesakes(problem: Problem) -> bool:
    """Whether a label of some column names two sets: then what a cell has lost does not follow from its label."""
    trees = [column.tree for column in problem.columns if not column.free]
    return any(len(set(tree.labels)) < len(tree.labels) for tree in trees)


def round_up(value: float) -> float:
    """The least number of four significant digits that is not below.

    >>> round_up(1234.2), round_up(0.1), round_up(0.0), round_up(99999)
    (1235.0, 0.1, 0.0, 100000.0)
    """
    return _rounded(value, up=True)


def round_down(value: float) -> float:
    """The greatest number of four significant digits that is not above.

    >>> round_down(1234.9), round_down(0.1), round_down(2 / 3)
    (1234.0, 0.1, 0.6666)
    """
    return _rounded(value, up=False)


def _rounded(value: float, up: bool) -> float:
    near = Decimal(f"{value:.{DIGITS - 1}e}")
    if (float(near) < value) if up else (float(near) > value):
        near += (1 if up else -1) * Decimal(1).scaleb(Decimal(value).adjusted() - DIGITS + 1)
    return float(near)

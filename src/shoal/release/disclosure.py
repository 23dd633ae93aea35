"""How much of a figure may be published.

Nearly all that is published is a function of the release and the policy, and so tells nothing more. Losses and bounds are not: an entropy
depends on the values that the cells hide, and a bound above 0 says that some group is not of one value. On a small table such a
figure picks the original out of all tables that fit the release. So it is published only where the cells outside every single group leave
enough freedom to have made it whatever that group holds: at least a bit of freedom for each bit that is told. There a loss is rounded up
and a bound down, so that both stay true; four digits are at most 14 bits. Elsewhere the figure is left out, and the owner's record has it.

What decides this is counted from the released labels alone. The figures depend on the original by how often each value occurs in a column.
The m rows that show one label can hold at least m + 1 such counts, since an open label stands for two values or more, so they leave
log2(m + 1) bits or more; a label of ten values leaves several times that. ``docs/disclosure.md`` argues it figure by figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.problem import Problem, Solution
from shoal.table.text import as_text

DIGITS = 4
BITS = 14
"""What a figure of four digits tells at most: log2 of 9,000, and where its point is."""
TOO_FEW = "not published: so few cells are generalized outside some group that the figure would tell more than the release. The owner's record has it"
OF_PEOPLE = (
    "not published: rows of one person depend on each other, so the figure might tell more than the release. The owner's record has it"
)
"""Where k counts people: the freedom below is counted in rows, as if each could be exchanged by itself."""


@dataclass(frozen=True, eq=False)
class Freedom:
    """How freely the values of a release's open cells may be exchanged for others, in bits."""

    bits: NDArray[np.float64]
    """Of each quasi-identifier."""
    of_class: NDArray[np.float64]
    """How much of it each class of rows that look alike holds: one row a class, one column a quasi-identifier."""
    is_of_people: bool = False
    """Whether a person may have several rows: then nothing is known of their freedom, and nothing is told."""

    def hides(self, n_figures: int, columns: Sequence[int] | None = None) -> bool:
        """Whether so many figures about these columns (all, if none are named) may be told: whichever class is looked at, the others suffice."""
        if self.is_of_people:
            return False
        which = slice(None) if columns is None else list(columns)
        left = float(self.bits[which].sum() - self.of_class[:, which].sum(axis=1).max(initial=0.0))
        return left >= BITS * n_figures


def freedom(frame: pl.DataFrame, groups: NDArray[np.int32], problem: Problem, solution: Solution) -> Freedom:
    """Count it from the labels of the release and the rows that show each."""
    names = [column.name for column in problem.columns]
    first = np.zeros(solution.n_groups, dtype=np.int64)
    first[groups[::-1]] = np.arange(len(groups) - 1, -1, -1)
    shown = frame[names][first]
    labels = np.column_stack([as_text(shown[name]).rank("dense").fill_null(0).to_numpy() for name in names]).astype(np.int64)
    classes, lead, of_group = np.unique(labels, axis=0, return_index=True, return_inverse=True)
    size = np.bincount(of_group.reshape(-1), weights=np.bincount(groups, minlength=solution.n_groups), minlength=len(classes))
    opened = is_open(problem, solution)[lead]
    bits, of_class = np.zeros(len(names)), np.zeros((len(classes), len(names)))
    for j in range(len(names)):
        rows = np.bincount(classes[:, j], weights=size * opened[:, j])
        bits[j] = np.log2(1 + rows).sum()
        with_it = rows[classes[:, j]]
        of_class[:, j] = np.where(opened[:, j], np.log2(1 + with_it) - np.log2(np.maximum(1 + with_it - size, 1)), 0.0)
    return Freedom(bits, of_class, any(demand.criterion.about_rows for demand in problem.demands))


def is_open(problem: Problem, solution: Solution) -> NDArray[np.bool_]:
    """Whether a reader sees that the cell of a group stands for several values: one row a group, one column a quasi-identifier.

    A label that is also the text of a value, such as 'Other' above 'Other', is none: which of the two it is, the release does not tell.
    """
    found = np.zeros((solution.n_groups, problem.n_columns), dtype=bool)
    for j, column in enumerate(problem.columns):
        sets, tree = solution.sets[j], column.tree
        if sets is not None:
            found[:, j] = (np.diff(sets.start) > 1)[solution.nodes[:, j]]
            continue
        values = set(tree.labels[: tree.n_leaves])
        wide = np.array([n > 1 and label not in values for n, label in zip(tree.n_below.tolist(), tree.labels, strict=True)], dtype=bool)
        found[:, j] = wide[solution.nodes[:, j]]
    return found


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

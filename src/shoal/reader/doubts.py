"""When not to trust a reading: how much is hidden, and how much depends on what hides it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.reader.column import STEP, Column
from shoal.reader.sums import add_up

Floats = NDArray[np.float64]

MUCH = 0.05
"""From this share on, rows that would change their value are mentioned."""
MANY = 5
"""A column that shows fewer values is not taken to have others that are hidden always."""


def totals(column: Column, lean: int = 1) -> Floats:
    """The estimated count of each value."""
    return add_up(column.cells.leaf, column.shares[lean] * (column.listed[lean] * column.cells.n_rows)[column.of], column.n_values)


def moved(column: Column) -> float:
    """The share of the rows that would have another value with the other lean, and the same again to the other side."""
    low, high = totals(column, 0), totals(column, 2)
    return float(np.abs(high - low).sum() / 4 / max(column.cells.n_rows.sum(), 1))


def rarity(column: Column) -> float:
    """How much more often rare values are hidden than frequent ones, as far as the release shows it.

    Frequent are the values that, most frequent first, make up half of the rows.
    """
    total = totals(column)
    alone = column.is_exact
    exact = add_up(column.cells.leaf[column.cells.start[:-1][alone]], column.cells.n_rows[alone], column.n_values)
    order = np.argsort(-total, kind="stable")
    before = np.cumsum(total[order]) - total[order]
    frequent = np.zeros(column.n_values, dtype=bool)
    frequent[order[before < total.sum() / 2]] = True
    hidden = [1 - exact[some].sum() / max(total[some].sum(), 1e-9) for some in (~frequent, frequent)]
    return float(hidden[0] - hidden[1]) if total[~frequent].sum() > 0 else 0.0


def unread(name: str) -> str:
    """What is said of a column whose names nobody explained."""
    return (
        f"Column '{name}' may show names that stand for several values, by a list that was not published: what a cell of it means cannot be told. Give that hierarchy "
        f"(--hierarchies or --policy; hierarchies= in Python), or, if every cell shows its value, name the quasi-identifiers without it (--qi; quasi_identifiers= in Python)."
    )


def summary(columns: Mapping[str, Column]) -> pl.DataFrame:
    """A line for each generalized column: cells are exact, generalized or hidden as the reports count them."""
    rows = []
    for column in columns.values():
        if not column.is_generalized:
            continue
        n = column.cells.n_rows
        share = [float(n[part].sum() / max(n.sum(), 1)) for part in (column.is_exact, ~column.is_exact & ~column.is_starred)]
        rows.append((column.name, *share, max(0.0, 1 - sum(share)), rarity(column), moved(column), unresolved(column)))
    names = ["column", "exact", "generalized", "hidden", "rare_hidden_more", "doubtful", "unresolved"]
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.Float64) | {"column": pl.String}, orient="row")


def unresolved(column: Column) -> float:
    """The share of the cells whose label may stand for anything, because nobody said what it means."""
    return float(column.cells.n_rows[column.is_unresolved].sum() / max(column.cells.n_rows.sum(), 1))


def sentences(columns: Mapping[str, Column], lean: float) -> list[str]:
    """In words, the columns whose estimates depend on what the tool hides rather than on what the release shows."""
    vague = [name for name, column in columns.items() if unresolved(column) > 0]
    found = [_unexplained(vague)] if vague else []
    for name, exact, _, _, rare, doubtful, _ in summary(columns).iter_rows():
        if doubtful >= MUCH:
            why = f" Rare values seem to be hidden more often than frequent ones, by {100 * rare:.0f} points." if rare >= MUCH else ""
            found.append(
                f"Column '{name}': {100 * exact:.0f} % of its cells are exact; {100 * doubtful:.0f} % of the rows would change their value "
                f"if what is hidden depended more, or less, on how rare it is (lean {lean:g} ± {STEP:g}).{why}"
            )
    return [*found, *(_nowhere(column) for column in columns.values() if unseen(column) >= MUCH)]


def _unexplained(names: Sequence[str]) -> str:
    those = ", ".join(f"'{name}'" for name in names)
    return (
        f"Labels of {those} are not resolved: a word may be a value or the name of several, and nobody said which. They may stand for anything, so little is certain of these columns, "
        "and intervals are wider. Give the manifest (--manifest; manifest= in Python), the policy, or the hierarchies."
    )


def unseen(column: Column) -> float:
    """The share of the cells that hide a value which may be shown nowhere, in a column of more than a few values without an order."""
    is_many = int(column.is_exact.sum()) >= MANY and not column.is_line
    return float(column.cells.n_rows[column.is_open].sum() / max(column.cells.n_rows.sum(), 1)) if is_many else 0.0


def _nowhere(column: Column) -> str:
    return (
        f"Column '{column.name}': {100 * unseen(column):.0f} % of its cells hide a value that may be shown nowhere, because a value of fewer rows than a group is hidden always. If the table has "
        "many such values, counts of those that are shown come out too high, and their intervals miss the truth. A hierarchy that lists the values helps (--hierarchies)."
    )

"""What a proof is about: derived from the original and the policy. Nothing of it is taken from the proof.

Hierarchies come from the builders that the solver's come from, as it is the policy's text that says what they are; which
values a node holds and what it costs is worked out by the checker from the blocks of each level (:mod:`shoal.proof.prices`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import DataError, Refused
from shoal.hierarchies.encode import Encoded
from shoal.judge.criteria.judging import definition_of
from shoal.judge.criteria.reading import read_people, read_values
from shoal.measures.base import Measure
from shoal.policy.policy import Policy
from shoal.table import Table

Longs = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Ladder:
    """A column's hierarchy: the block of each value on each level, from the value itself up to everything."""

    name: str
    values: tuple[str | None, ...]
    """The values; None is a missing cell."""
    blocks: tuple[Longs, ...]
    """For each level, the block of each value."""
    ends: NDArray[np.float64] | None
    """For intervals of numbers: the lower and the upper end of each block, by the block's number; NaN where it has none."""
    count: Longs
    """How often each value occurs in the table."""
    weight: float
    starred: int | None = None
    """The value that is shown as a star whatever happens: a missing cell that is to be suppressed."""
    free: str | None = None
    """'interval' or 'subset' where a group shows its own interval or set; the blocks then only order the search for what it costs."""


@dataclass(frozen=True, eq=False)
class Different:
    """Every group must hold at least ``least`` different values of a sensitive column; tuple i may have ``values[start[i] : start[i + 1]]``."""

    least: int
    start: Longs
    values: Longs


@dataclass(frozen=True, eq=False)
class Case:
    """The claim to be proved: no release of a table, by these hierarchies and with groups of k, loses less than some number, whichever rows it leaves out of those it may."""

    k: int
    measure: Measure
    ladders: tuple[Ladder, ...]
    codes: Longs
    """The distinct tuples of the original, as numbers of values, shape (n_tuples, n_columns)."""
    rows: Longs
    """How many rows carry each tuple."""
    max_withheld: int = 0
    """How many rows a release may leave out at no loss."""
    deletion: bool = False
    """Whether it may leave out any row, at the loss of suppressing it whole."""
    different: Different | None = None
    """What the policy asks of sensitive values, as far as a proof may count on it."""


def case_of(before: Table, policy: Policy, built: Mapping[str, Encoded], measure: Measure, max_withheld: int) -> Case:
    """The case of a table: ``built`` are the hierarchies that the policy asks for, of every quasi-identifier."""
    names = [name for name in before.columns if name in built]
    free = [name for name in names if built[name].free is not None]
    if free and not measure.has_free_proofs:
        raise Refused(f"In '{measure.name}', columns that may show any interval or any subset ({', '.join(free)}) have no proof to check.")
    leaves = [_leaves(before, name, built[name]) for name in names]
    ladders = tuple(_ladder(policy, name, built[name], leaf) for name, leaf in zip(names, leaves, strict=True))
    codes, rows, tuple_of_row = fold(leaves)
    most = 0 if policy.deletion else max(min(max_withheld, before.n_rows - policy.k), 0)  # one group stays
    return Case(policy.k, measure, ladders, codes, rows, most, policy.deletion, different_values(before, policy, tuple_of_row))


def different_values(table: Table, policy: Policy, tuple_of_row: Longs) -> Different | None:
    """The different values that the policy asks every group to hold, or the people: of the column that must show most. A missing cell is not one.

    Where all rows together have too few, nothing is counted.
    """
    asked = [] if policy.person is None else [(policy.k, policy.person, read_people)]
    for criterion, name, parameters in policy.demands:
        key = definition_of(criterion).different
        asked += [(int(parameters[key]), name, read_values)] if key else []
    least, name, read = max(asked, default=(1, "", read_values), key=lambda one: one[0])
    if least < 2:
        return None
    coded = table.coded(name)
    reading = read(coded.values.to_list())
    value = np.array([*(-1 if place is None else place for place in reading.places), -1], dtype=np.int64)[coded.codes]
    there, n_values = value >= 0, reading.n_values + 1
    pairs = np.unique(tuple_of_row[there] * n_values + value[there])
    tuples, values = np.divmod(pairs, n_values)
    if len(np.unique(values)) < least:
        return None
    n_tuples = int(tuple_of_row.max(initial=-1)) + 1
    return Different(least, np.searchsorted(tuples, np.arange(n_tuples + 1)).astype(np.int64), values)


def _leaves(table: Table, name: str, made: Encoded) -> Longs:
    """The number of each row's value in the hierarchy."""
    coded = table.coded(name)
    if made.missing_code is None and coded.n_missing:
        raise DataError(f"Column '{name}' has missing cells, and its hierarchy has none.")
    of_value = np.append(made.code_of, -1 if made.missing_code is None else made.missing_code).astype(np.int64)
    return of_value[coded.codes]


def _ladder(policy: Policy, name: str, made: Encoded, leaf: Longs) -> Ladder:
    tree = made.tree
    blocks = tuple(tree.cut(level).astype(np.int64) for level in range(tree.height + 1))
    count = np.bincount(leaf, minlength=tree.n_leaves).astype(np.int64)
    starred = made.missing_code if policy.missing == "suppress" and made.free is None else None
    return Ladder(name, tree.labels[: tree.n_leaves], blocks, tree.bounds, count, policy.columns[name].counts, starred, made.free)


def fold(leaves: Sequence[Longs]) -> tuple[Longs, Longs, Longs]:
    """Equal rows as one: the distinct tuples, how many rows carry each, and the tuple of each row."""
    frame = pl.DataFrame({f"c{j}": leaf for j, leaf in enumerate(leaves)})
    names = frame.columns
    distinct = frame.group_by(names, maintain_order=True).agg(pl.len().alias("n_rows")).with_row_index("number")
    of_row = frame.join(distinct, on=names, how="left", maintain_order="left")["number"].to_numpy().astype(np.int64)
    codes = np.ascontiguousarray(distinct.select(names).to_numpy().astype(np.int64))
    return codes, distinct["n_rows"].to_numpy().astype(np.int64), of_row

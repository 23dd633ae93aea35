"""What a proof is about: derived from the original, the release and the policy. Nothing of it is taken from the proof.

Hierarchies come from the builders that the solver's come from, as it is the policy's text that says what they are; which
values a node holds and what it costs is worked out by the checker from the blocks of each level (:mod:`shoal.release.proof_prices`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal import registry
from shoal.errors import DataError, NotAnonymous, Refused
from shoal.hierarchies.encode import Encoded
from shoal.measures.base import Measure
from shoal.policy import Policy
from shoal.privacy import CATALOG
from shoal.privacy.meaning import people_of, scale_of
from shoal.release.proof_rows import may_be_released
from shoal.table import Table
from shoal.table.text import as_text

Longs = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Ladder:
    """A column's hierarchy: the block of each value on each level, from the value itself up to everything."""

    name: str
    values: tuple[str | None, ...]
    """The values; None is a missing cell."""
    blocks: tuple[Longs, ...]
    """For each level, the block of each value."""
    labels: Mapping[int, str | None]
    """What each block is called in a release."""
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
    """The claim to be proved: no release of the released rows, by these hierarchies and with groups of k, loses less than some number."""

    k: int
    measure: Measure
    ladders: tuple[Ladder, ...]
    codes: Longs
    """The distinct tuples that may have been released, as numbers of values, shape (n_tuples, n_columns)."""
    rows: Longs
    """How many rows of each tuple may have been released."""
    n_released: int
    surplus: tuple[tuple[int, Longs, Longs], ...] = ()
    """Where the release does not tell which rows were withheld: how many of some rows were, and these rows as tuples and their counts."""
    which: NDArray[np.bool_] | None = None
    """Which rows of the original may have been released."""
    different: Different | None = None
    """What the policy asks of sensitive values, as far as a proof may count on it."""

    @property
    def is_determined(self) -> bool:
        """Whether the release tells which rows were withheld, or at least which tuples."""
        return not self.surplus


def case_of(before: Table, after: Table, policy: Policy, built: Mapping[str, Encoded], measure: Measure) -> Case:
    """The case of a release: ``built`` are the hierarchies that the policy asks for, of every quasi-identifier."""
    names = [name for name in before.columns if name in built]
    free = [name for name in names if built[name].free is not None]
    if free and not measure.has_free_proofs:
        raise Refused(f"In '{measure.name}', columns that may show any interval or any subset ({', '.join(free)}) have no proof to check.")
    if after.n_rows > before.n_rows:
        raise NotAnonymous(f"The release has {after.n_rows} rows and its original only {before.n_rows}.")
    leaves = [_leaves(before, name, built[name]) for name in names]
    ladders = tuple(_ladder(policy, name, built[name], leaf) for name, leaf in zip(names, leaves, strict=True))
    if after.n_rows == before.n_rows:
        codes, rows, tuple_of_row = fold(leaves)
        different = different_values(before, policy, tuple_of_row, np.arange(before.n_rows))
        return Case(policy.k, measure, ladders, codes, rows, after.n_rows, different=different)
    keys, released_keys = _keys(before, after, names)
    shown = [as_text(after.column(name)) for name in names]
    which, surplus = may_be_released(leaves, ladders, shown, keys, released_keys)
    codes, rows, tuple_of_row = fold([leaf[which] for leaf in leaves])
    different = different_values(before, policy, tuple_of_row, np.flatnonzero(which))
    loose = _loose(surplus, tuple_of_row, keys[which]) if surplus else ()
    return Case(policy.k, measure, ladders, codes, rows, after.n_rows, loose, which, different)


def different_values(table: Table, policy: Policy, tuple_of_row: Longs, rows: Longs) -> Different | None:
    """The different values that the policy asks every group to hold, or the people: of the column that must show most. A missing cell is not one.

    Rows that may have been released all count, so that there are never too few values. Where all of them together have too few, nothing is counted.
    """
    asked = [] if policy.person is None else [(policy.k, policy.person, people_of)]
    for name in policy.named("sensitive"):
        for criterion, parameters in policy.columns[name].demands:
            key = registry.find(CATALOG, criterion, "criterion").different
            asked += [(int(parameters[key]), name, scale_of)] if key else []
    least, name, read = max(asked, default=(1, "", scale_of), key=lambda one: one[0])
    if least < 2:
        return None
    coded = table.coded(name)
    scale = read(coded.values.to_list())
    value = scale.codes(coded.codes[rows]).astype(np.int64)
    there = value != scale.missing
    pairs = np.unique(tuple_of_row[there] * (scale.missing + 1) + value[there])
    tuples, values = np.divmod(pairs, scale.missing + 1)
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
    labels = {int(block): tree.labels[block] for of_level in blocks for block in np.unique(of_level)}
    count = np.bincount(leaf, minlength=tree.n_leaves).astype(np.int64)
    starred = made.missing_code if policy.missing == "suppress" and made.free is None else None
    return Ladder(name, tree.labels[: tree.n_leaves], blocks, labels, tree.bounds, count, policy.columns[name].weight, starred, made.free)


def fold(leaves: Sequence[Longs]) -> tuple[Longs, Longs, Longs]:
    """Equal rows as one: the distinct tuples, how many rows carry each, and the tuple of each row."""
    frame = pl.DataFrame({f"c{j}": leaf for j, leaf in enumerate(leaves)})
    names = frame.columns
    distinct = frame.group_by(names, maintain_order=True).agg(pl.len().alias("n_rows")).with_row_index("number")
    of_row = frame.join(distinct, on=names, how="left", maintain_order="left")["number"].to_numpy().astype(np.int64)
    codes = np.ascontiguousarray(distinct.select(names).to_numpy().astype(np.int64))
    return codes, distinct["n_rows"].to_numpy().astype(np.int64), of_row


def _keys(before: Table, after: Table, names: Sequence[str]) -> tuple[Longs, Longs]:
    """A number for each row of both tables, the same for rows that agree in every other column that both have."""
    n = before.n_rows
    keys = np.zeros(n + after.n_rows, dtype=np.int64)
    for name in before.columns:
        if name in names or name not in after.columns:
            continue
        try:
            both = pl.concat([as_text(before.column(name)), as_text(after.column(name))])
        except DataError:
            continue  # a column that cannot be compared tells nothing
        values = (both.cast(pl.Categorical).to_physical().cast(pl.Int64) + 1).fill_null(0).to_numpy()
        _, keys = np.unique(keys * (int(values.max(initial=0)) + 1) + values, return_inverse=True)
    return keys[:n], keys[n:]


def _loose(surplus: Mapping[int, int], tuple_of_row: Longs, keys: Longs) -> tuple[tuple[int, Longs, Longs], ...]:
    """For each key with too many rows: how many, and the tuples of these rows with their counts."""
    found = []
    for key, n_withheld in surplus.items():
        tuples, counts = np.unique(tuple_of_row[keys == key], return_counts=True)
        found.append((n_withheld, tuples.astype(np.int64), counts.astype(np.int64)))
    return tuple(found)

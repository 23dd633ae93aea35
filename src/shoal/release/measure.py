"""What a release by any tool has lost: each released cell is read as the set of values it may stand for, and priced.

The figures are the verifier's: for a release of ours they are those of its manifest. Where rows cannot be matched, a label that has
several readings is read as the largest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from shoal import measures, registry
from shoal.encode import resolve
from shoal.errors import DataError, PolicyError
from shoal.policy import Policy
from shoal.release.cells import exact_text
from shoal.release.compare import Compared, compare, compare_unmatched, lexicon_of
from shoal.release.rows import match_in_order
from shoal.release.texts import Texts, as_rows, from_encoded
from shoal.table import Table
from shoal.table.headers import columns_in_words
from shoal.table.text import as_text


@dataclass(frozen=True)
class Measured:
    """Every measure of a release: totals, per cell, and per column."""

    n_rows: int
    n_released: int
    n_groups: int
    smallest_group: int
    is_matched: bool
    measures: Mapping[str, Mapping[str, float | None]]
    columns: Mapping[str, Mapping[str, float | None]]

    def to_dict(self) -> dict[str, Any]:
        return {**self.__dict__, "measures": dict(self.measures), "columns": dict(self.columns)}


def measure(
    original: Any,
    released: Any,
    *,
    quasi_identifiers: Iterable[str] | None = None,
    hierarchies: Mapping[str, Any] | str | Path | None = None,
    policy: Policy | str | Path | None = None,
) -> Measured:
    """Measure a release by any tool. Rows are matched by position where both tables have as many, else in their order."""
    read = registry.load("shoal.io:read")
    before, after = read(original), read(released)
    asked = registry.load("shoal.api:make_policy")(policy, quasi_identifiers=quasi_identifiers, hierarchies=hierarchies)
    return measure_tables(before, after, asked)


def measure_tables(before: Table, after: Table, policy: Policy) -> Measured:
    """Measure one table as a release of another."""
    names = policy.named("quasi-identifier")
    if not names:
        raise PolicyError("Name the quasi-identifiers with --qi (quasi_identifiers=[…] in Python).")
    for table in (before, after):
        absent = [name for name in names if name not in table.columns]
        if absent:
            raise DataError(f"{table.source} has no column {', '.join(map(repr, absent))}. {columns_in_words(table.frame)}")
    if after.n_rows > before.n_rows:
        raise DataError(f"The release has {after.n_rows} rows and its original only {before.n_rows}.")
    texts = {name: from_encoded(resolve(before, policy, name)[1]) for name in names}
    rows = _rows(before, after, names, texts)
    found = [_measure_column(before, after, name, texts[name], rows) for name in names]
    shown = pl.DataFrame([exact_text(after.column(name)).alias(f"c{j}") for j, name in enumerate(names)])
    sizes = shown.group_by(shown.columns).len()["len"].to_numpy()
    cells = max(after.n_rows * len(names), 1)
    totals: dict[str, dict[str, float | None]] = {}
    for name in measures.CATALOG:
        parts = [column.losses.get(name) for column in found]
        total = None if any(p is None for p in parts) else float(sum(p for p in parts if p is not None))
        totals[name] = {"total": total, "per_cell": None if total is None else total / cells}
    for name in measures.REPORTED:
        total = registry.find(measures.REPORTED, name).total(sizes, before.n_rows - after.n_rows, before.n_rows)
        totals[name] = {"total": total, "per_cell": total / cells}
    columns = {column.name: {key: column.losses.get(key) for key in measures.CATALOG} for column in found}
    smallest = int(sizes.min()) if len(sizes) else 0
    return Measured(before.n_rows, after.n_rows, len(sizes), smallest, rows is not None, totals, columns)


def _rows(before: Table, after: Table, names: list[str], texts: Mapping[str, Texts]) -> pl.Series | None:
    """Which row of the original each released row is, as far as that can be known."""
    if before.n_rows == after.n_rows:
        return pl.int_range(before.n_rows, eager=True)
    found = match_in_order(before.frame, after.frame, names, {name: as_rows(one) for name, one in texts.items()})
    return None if found is None else pl.Series(found)


def _measure_column(before: Table, after: Table, name: str, texts: Texts, rows: pl.Series | None) -> Compared:
    original = as_text(before.column(name))
    lexicon = lexicon_of(original, texts)
    shown = exact_text(after.column(name))
    found = compare(name, original.gather(rows), shown, lexicon) if rows is not None else compare_unmatched(name, shown, lexicon)
    if found.n_unread:
        raise DataError(
            f"Column '{name}': a released label can be read neither as a value, a node of the hierarchy, a set, an interval nor a mask. "
            "Give the hierarchy that the release was made with (--hierarchies)."
        )
    if found.n_wrong:
        raise DataError(f"Column '{name}': released cells do not cover their original ones; 'shoal verify' says where.")
    return found

"""What a release by any tool has lost: each released cell is read as the set of values it may stand for, and priced.

The figures are the verifier's: for a release of ours they are those of its manifest. Where rows cannot be matched, a label that has
several readings is read as the largest, and what needs each row's own value is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from shoal import measures, registry
from shoal.errors import DataError, NotAnonymous, PolicyError
from shoal.release.alignment import Aligner, Alignment
from shoal.release.compare import Compared, compare_unmatched
from shoal.release.losses import needs_originals, whole, without_own
from shoal.release.resolve import Hierarchies
from shoal.table import Table
from shoal.table.headers import no_such_columns


@dataclass(frozen=True)
class Measured:
    """Every measure of a release: totals, per cell, and per column."""

    n_rows: int
    n_released: int
    n_groups: int
    smallest_group: int
    is_matched: bool
    how: str | None
    """How rows were matched; None if they were not."""
    measures: Mapping[str, Mapping[str, float | None]]
    """Over the rows released; and ``…_all_rows``, where a row that was withheld is a row of which every cell is suppressed."""
    columns: Mapping[str, Mapping[str, float | None]]

    def to_dict(self) -> dict[str, Any]:
        return {**self.__dict__, "measures": dict(self.measures), "columns": dict(self.columns)}


def measure_tables(known: Hierarchies, after: Table) -> Measured:
    """Measure one table as a release of another: ``known`` is the original under a policy."""
    before, names = known.table, known.policy.named("quasi-identifier")
    if not names:
        raise PolicyError("Name the quasi-identifiers with --qi (quasi_identifiers=[…] in Python).")
    for table in (before, after):
        absent = [name for name in names if name not in table.columns]
        if absent:
            raise DataError(no_such_columns(table.frame, table.source, absent))
    if after.n_rows > before.n_rows:
        raise DataError(f"The release has {after.n_rows} rows and its original only {before.n_rows}.")
    kept = [name for name in after.columns if name in before.columns and name not in names]
    aligner = Aligner(before.frame, after.frame, names, {name: known.texts(name) for name in names}, kept)
    found, columns = _columns(aligner)
    shown = pl.DataFrame([cells.alias(f"c{j}") for j, cells in enumerate(aligner.shown)])
    sizes = shown.group_by(shown.columns).len()["len"].to_numpy()
    totals = {name: _totals(name, aligner, columns) for name in measures.CATALOG}
    for name in measures.REPORTED:
        total = registry.find(measures.REPORTED, name).total(sizes, before.n_rows - after.n_rows, before.n_rows)
        totals[name] = {"total": total, "per_cell": total / max(after.n_rows * len(names), 1)}
    return Measured(
        before.n_rows,
        after.n_rows,
        len(sizes),
        int(sizes.min()) if len(sizes) else 0,
        found is not None,
        None if found is None else found.how,
        totals,
        {column.name: {key: column.losses.get(key) for key in measures.CATALOG} for column in columns},
    )


def _columns(aligner: Aligner) -> tuple[Alignment | None, Sequence[Compared]]:
    """The quasi-identifiers, by rows that could be matched, or each label by itself."""
    try:
        found = aligner.find(reordered=True)
    except NotAnonymous:
        raise DataError("Released cells do not cover their original ones; 'shoal verify' says where.") from None
    if found.how is not None:
        columns = list(found.columns[: len(aligner.names)])
        if not found.is_unique:
            columns = [_without_own(column) for column in columns]
        return found, columns
    columns = [compare_unmatched(*one) for one in zip(aligner.names, aligner.shown, aligner.lexicons, strict=True)]
    unread = [column for column in columns if column.n_unread]
    if unread:
        raise DataError(
            f"Column '{unread[0].name}': a released label can be read neither as a value, a node of the hierarchy, a set, an interval nor a mask. "
            "Give the hierarchy that the release was made with (--hierarchies)."
        )
    return None, columns


def _without_own(column: Compared) -> Compared:
    """A column without the measures that depend on each row's own value."""
    return Compared(column.name, column.n_cells, losses=without_own(column.losses))


def _totals(name: str, aligner: Aligner, columns: Sequence[Compared]) -> dict[str, float | None]:
    """One measure over all quasi-identifiers, without weights."""
    n, m, q = aligner.original.height, aligner.released.height, len(columns)
    parts = [column.losses.get(name) for column in columns]
    total = None if any(part is None for part in parts) else float(sum(part for part in parts if part is not None))
    lost = sum(whole(lexicon, name) for lexicon in aligner.lexicons) * (n - m)
    of_all = None if total is None or (needs_originals(name) and n > m) else total + lost
    return {
        "total": total,
        "per_cell": None if total is None else total / max(m * q, 1),
        "total_all_rows": of_all,
        "per_cell_all_rows": None if of_all is None else of_all / max(n * q, 1),
    }

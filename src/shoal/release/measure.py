"""What a release by any tool has lost: each released cell is read as the set of values it may stand for, and priced.

The figures are the verifier's: for a release of ours they are those of its manifest. Where rows cannot be matched, a label that has
several readings is read as the largest, and what needs each row's own value is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from shoal import registry
from shoal.errors import DataError, NotAnonymous, PolicyError
from shoal.judge import measures
from shoal.judge.alignment import Aligner, Alignment
from shoal.judge.compare import Compared, compare_unmatched, largest
from shoal.judge.lexicon import Lexicon
from shoal.judge.losses import needs_originals, whole, without_own
from shoal.measures import a_posteriori
from shoal.release.resolve import Hierarchies
from shoal.table import Table
from shoal.text.headers import no_such_columns


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
    afterwards = {name: _afterwards(shown, lexicon) for name, shown, lexicon in zip(names, aligner.shown, aligner.lexicons, strict=True)}
    total = _sum(list(afterwards.values()))
    totals[a_posteriori.NAME] = {"total": total, "per_cell": None if total is None else total / max(after.n_rows * len(names), 1)}
    return Measured(
        before.n_rows,
        after.n_rows,
        len(sizes),
        int(sizes.min()) if len(sizes) else 0,
        found is not None,
        None if found is None else found.how,
        totals,
        {
            column.name: {
                **{name: column.losses.get(name) for name in measures.CATALOG},
                **{f"{name}_all_rows": _with_withheld(name, column, lexicon, before.n_rows - after.n_rows) for name in measures.CATALOG},
                a_posteriori.NAME: afterwards[column.name],
            }
            for column, lexicon in zip(columns, aligner.lexicons, strict=True)
        },
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


def _afterwards(shown: pl.Series, lexicon: Lexicon) -> float | None:
    """What a column's cells lack for somebody who has the original column in no order."""
    counted = shown.alias("s").value_counts(name="n")
    senses = [largest(lexicon, label) for label in counted["s"].to_list()]
    labels = [(lexicon.leaves_of(sense), n) for sense, n in zip(senses, counted["n"].to_list(), strict=True) if sense is not None]
    return a_posteriori.bits_left(labels, lexicon.count) if len(labels) == len(senses) else None


def _without_own(column: Compared) -> Compared:
    """A column without the measures that depend on each row's own value."""
    return Compared(column.name, column.n_cells, losses=without_own(column.losses))


def _totals(name: str, aligner: Aligner, columns: Sequence[Compared]) -> dict[str, float | None]:
    """One measure over all quasi-identifiers, without weights."""
    n, m, q = aligner.original.height, aligner.released.height, len(columns)
    total = _sum([column.losses.get(name) for column in columns])
    of_all = _sum([_with_withheld(name, *both, n - m) for both in zip(columns, aligner.lexicons, strict=True)])
    return {
        "total": total,
        "per_cell": None if total is None else total / max(m * q, 1),
        "total_all_rows": of_all,
        "per_cell_all_rows": None if of_all is None else of_all / max(n * q, 1),
    }


def _with_withheld(name: str, column: Compared, lexicon: Lexicon, n_withheld: int) -> float | None:
    """What a column has lost in a measure, rows that were left out counted as suppressed; None where that depends on which rows are which, and nobody knows."""
    if n_withheld == 0:
        return column.losses.get(name)
    lost = column.of_withheld.get(name) if needs_originals(name) else whole(lexicon, name) * n_withheld
    return _sum([column.losses.get(name), lost])


def _sum(parts: Sequence[float | None]) -> float | None:
    return None if any(part is None for part in parts) else float(sum(part for part in parts if part is not None))

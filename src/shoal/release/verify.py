"""Verification: a recount of the released cells as text, by itself.

It uses no code, kernel or Solution of the algorithms: only the two tables, the hierarchies as rows of text, and the promise.
A missing cell and ``*`` are values like any other: rows that show them are alike only with rows that show the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.errors import DataError, NotAnonymous, some
from shoal.privacy.base import Demand, histogram
from shoal.release.reading import is_suppressed, reader_of
from shoal.release.rows import match_in_order
from shoal.table.headers import columns_in_words
from shoal.table.text import as_text

Rows = Sequence[Sequence[str | None]]


@dataclass(frozen=True)
class Audit:
    """A bound that was proved to the checker, and the loss of the release measured beside it."""

    measure: str
    lower_bound: float
    loss: float | None
    """None where rows could not be matched and the measure needs that."""

    @property
    def ratio(self) -> float | None:
        if self.loss is None or (self.lower_bound <= 0 and self.loss > 1e-12):
            return None
        return self.loss / self.lower_bound if self.lower_bound > 0 else 1.0


@dataclass(frozen=True)
class Verdict:
    """What the recount found."""

    n_rows: int
    n_groups: int
    smallest_group: int
    sizes: tuple[int, ...]
    """Sizes of the groups, rising."""
    reached: Mapping[str, float]
    """For each demand, by its text, what the weakest group reaches."""
    has_checked_cells: bool
    """Whether each released cell was compared with its original."""
    quasi_identifiers: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """Columns of the release that nothing was asked of."""
    audit: Audit | None = None
    """What a proof proves, where one was checked."""


def verify(
    original: pl.DataFrame,
    released: pl.DataFrame,
    *,
    k: int,
    quasi_identifiers: Sequence[str],
    hierarchies: Mapping[str, Rows] | None = None,
    demands: Sequence[Demand] = (),
    rows: Sequence[int] | np.ndarray | None = None,
    untouched: Sequence[str] = (),
) -> Verdict:
    """Recount a release; raise :class:`NotAnonymous` where it breaks its promise.

    ``rows`` says which row of the original each released row is; without it, tables of equal length are matched by position, and a
    release with fewer rows in the original's order.
    ``untouched`` columns must be released exactly as they were.
    """
    _need_columns(original, quasi_identifiers, "The original")
    _need_columns(released, [*quasi_identifiers, *(d.column for d in demands)], "The release")
    shown = released.select(as_text(released[name]).alias(name) for name in quasi_identifiers)
    counted = shown.with_row_index("row").group_by(list(quasi_identifiers)).agg(pl.col("row"), pl.len().alias("size"))
    _check_sizes(counted, k)
    reached = {demand.text(): _check_demand(original, released, counted, demand) for demand in demands}
    source = _source(original, released, rows)
    if source is None and released.height:
        matched = match_in_order(original, released, quasi_identifiers, hierarchies or {})
        source = None if matched is None else pl.Series(matched)
    if source is not None:
        for name in quasi_identifiers:
            _check_cells(name, as_text(original[name])[source], shown[name], (hierarchies or {}).get(name))
        for name in untouched:
            _check_untouched(name, original[name][source], released[name])
    sizes = np.sort(counted["size"].to_numpy()) if counted.height else np.zeros(0, dtype=np.int64)
    return Verdict(
        n_rows=released.height,
        n_groups=counted.height,
        smallest_group=int(sizes[0]) if len(sizes) else 0,
        sizes=tuple(int(s) for s in sizes),
        reached=reached,
        has_checked_cells=source is not None,
        quasi_identifiers=tuple(quasi_identifiers),
        others=tuple(name for name in released.columns if name not in quasi_identifiers and name not in {d.column for d in demands}),
    )


def _need_columns(frame: pl.DataFrame, names: Sequence[str], which: str) -> None:
    absent = [name for name in dict.fromkeys(names) if name not in frame.columns]
    if absent:
        raise DataError(f"{which} has no column {', '.join(repr(name) for name in absent)}. {columns_in_words(frame)}")


def _check_sizes(counted: pl.DataFrame, k: int) -> None:
    small = counted.filter(pl.col("size") < k)
    if small.height:
        n_rows = int(small["size"].sum())
        first = sorted(int(r) + 1 for r in small["row"].list.first())
        raise NotAnonymous(
            f"Not {k}-anonymous: {small.height} of {counted.height} groups, with {n_rows} rows, have fewer than {k} rows "
            f"(the smallest has {int(counted['size'].to_numpy().min())}; such groups begin at released rows {some(first)})."
        )


def _source(original: pl.DataFrame, released: pl.DataFrame, rows: Sequence[int] | np.ndarray | None) -> pl.Series | None:
    if rows is not None:
        if len(rows) != released.height or len(np.unique(np.asarray(rows))) != len(rows):
            raise NotAnonymous("The release does not match its original row by row: a row is there twice or is not accounted for.")
        return pl.Series(np.asarray(rows, dtype=np.int64))
    if released.height > original.height:
        raise NotAnonymous(f"The release has {released.height} rows and its original only {original.height}.")
    if released.height == original.height:
        return pl.Series(np.arange(released.height))
    return None


def _check_cells(name: str, original: pl.Series, shown: pl.Series, rows: Rows | None) -> None:
    """Each released cell must cover the original one. Only distinct pairs are looked at."""
    pairs = pl.DataFrame({"original": original, "shown": shown}).with_row_index("row")
    pairs = pairs.group_by("original", "shown").agg(pl.len().alias("n"), pl.col("row").min())
    pairs = pairs.filter(~pl.col("original").eq_missing(pl.col("shown")) & (pl.col("shown") != "*").fill_null(True))
    if rows is not None and pairs.height:
        pairs = _without_covered_labels(pairs, rows)
    if not pairs.height:
        return
    tests = {text: reader_of(text) for text in pairs["shown"].unique().to_list() if text is not None}
    bad = [(row, n) for value, text, n, row in pairs.select("original", "shown", "n", "row").iter_rows() if not _covers(value, text, tests)]
    if bad:
        n_cells = sum(n for _, n in bad)
        raise NotAnonymous(
            f"Column '{name}': {n_cells} released cells do not cover their original ones, or cannot be read "
            f"(first at released rows {some(sorted(row + 1 for row, _ in bad))}). "
            "Rows are compared by their position. If the release uses labels of a hierarchy, give it with --hierarchies or --policy."
        )


def _without_covered_labels(pairs: pl.DataFrame, rows: Rows) -> pl.DataFrame:
    """Drop the pairs that the hierarchy explains; a label of the hierarchy is never read any other way."""
    width = max(len(row) for row in rows)
    columns = [[row[level] if level < len(row) else None for row in rows] for level in range(width)]
    leaf = pl.Series("original", columns[0], dtype=pl.String)
    labels = [pl.DataFrame({"original": leaf, "shown": pl.Series(column, dtype=pl.String)}) for column in columns]
    known = pl.concat(labels).unique()
    left = pairs.join(known, on=["original", "shown"], how="anti", nulls_equal=True)
    names = known["shown"].drop_nulls().unique()
    wrong = left.filter(pl.col("shown").is_in(names.implode()) & ~pl.col("shown").str.contains(r"^\*+$"))
    if wrong.height:
        left = left.with_columns(
            pl.when(pl.col("shown").is_in(wrong["shown"].implode())).then(None).otherwise(pl.col("shown")).alias("shown")
        )
    return left


def _covers(original: str | None, shown: str | None, tests: Mapping[str, object]) -> bool:
    if shown is None:
        return False
    if is_suppressed(shown):
        return True
    test = tests[shown]
    return original is not None and callable(test) and bool(test(original))


def _check_untouched(name: str, original: pl.Series, released: pl.Series) -> None:
    same = as_text(original).eq_missing(as_text(released))
    if not same.all():
        raise NotAnonymous(f"Column '{name}' was to be released as it is, and {int((~same).sum())} cells of it differ.")


def _check_demand(original: pl.DataFrame, released: pl.DataFrame, counted: pl.DataFrame, demand: Demand) -> float:
    """Count the sensitive values of each group anew and hold them to the demand."""
    _need_columns(original, [demand.column], "The original")
    table, given = as_text(original[demand.column]), as_text(released[demand.column])
    values = pl.concat([table, given]).unique()
    numbers = values.cast(pl.Float64, strict=False)
    order = numbers.arg_sort() if numbers.null_count() == 0 else values.arg_sort()
    rank = pl.DataFrame({"value": values[order]}).with_row_index("rank")
    ranks = [
        pl.DataFrame({"value": s}).join(rank, on="value", how="left", nulls_equal=True, maintain_order="left")["rank"]
        for s in (table, given)
    ]
    whole = np.bincount(ranks[0].to_numpy().astype(np.int64), minlength=len(values)).astype(np.int64)
    group = np.empty(released.height, dtype=np.int32)
    group[counted["row"].explode().to_numpy()] = np.repeat(np.arange(counted.height), counted["size"].to_numpy())
    counts = histogram(group, ranks[1].to_numpy().astype(np.int32), counted.height, whole)
    met = demand.is_met(counts)
    if not met.all():
        raise NotAnonymous(f"{int((~met).sum())} of {counted.height} groups break {demand.text()}.")
    return demand.criterion.worst(demand.reached(counts))

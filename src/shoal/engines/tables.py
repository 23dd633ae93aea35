"""What was counted as texts, whoever counted it, as a folded table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from shoal.judge.counts import N, Original, by_names, label
from shoal.table import Coded
from shoal.table.coded import code
from shoal.table.folded import Folded
from shoal.text.cells import as_text


def texts_by_label(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    return by_names(pl.DataFrame([as_text(frame[name]) for name in names]), names)


def summed(rows: pl.DataFrame) -> pl.DataFrame:
    """Equal rows counted together."""
    return rows.group_by([name for name in rows.columns if name != N]).agg(pl.col(N).sum())


def original_of(folded: Folded, names: Sequence[str]) -> Original:
    """What the judge is told of the original: the texts of these columns, and how many rows have each."""
    return Original(folded.n_rows, {name: _texts_of(folded.coded[name], folded.n_rows) for name in names})


def _texts_of(column: Coded, n_rows: int) -> pl.DataFrame:
    texts, counts = column.values.alias("value"), column.counts()
    if column.n_missing:
        texts = texts.extend_constant(None, 1)
        counts = np.append(counts, n_rows - int(counts.sum()))
    return pl.DataFrame([texts, pl.Series(N, counts)])


def folded_of(counted: pl.DataFrame, names: Sequence[str], columns: Sequence[str], source: str, where: Any) -> Folded:
    """What was counted as texts, in codes. ``where`` names the rows that hold some texts of a column."""
    rows = counted[N].to_numpy().astype(np.int64)
    coded: dict[str, Coded] = {}
    for j, name in enumerate(names):
        made = code(counted[label(j)].rename(name))
        coded[name] = replace(made, rows=rows, n_missing=int(rows[made.codes < 0].sum()))

    def places(column: str, codes: Sequence[int]) -> str:
        values = coded[column].values
        return str(where(column, [None if c < 0 else values[c] for c in codes]))

    return Folded(coded, rows, tuple(columns), source, places)

"""What was counted as texts, whoever counted it, as a folded table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from shoal.judge.counting import N, by_names, label
from shoal.table import Coded
from shoal.table.coded import code
from shoal.table.folded import Folded
from shoal.text.cells import as_text


def texts_by_label(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    return by_names(pl.DataFrame([as_text(frame[name]) for name in names]), names)


def summed(rows: pl.DataFrame) -> pl.DataFrame:
    """Equal rows counted together."""
    return rows.group_by([name for name in rows.columns if name != N]).agg(pl.col(N).sum())


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

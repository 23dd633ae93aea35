"""A column as its sorted values and a small integer for each row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.text.cells import as_text

Codes = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, eq=False)
class Coded:
    """Row i holds ``values[codes[i]]``, or nothing where its code is −1.

    Where rows are folded, an entry stands for several rows.
    """

    name: str
    values: pl.Series
    """The distinct texts that occur, sorted by code point."""
    codes: Codes
    """Of the smallest signed integer type that holds them."""
    n_missing: int
    rows: NDArray[np.int64] | None = None
    """How many rows each entry stands for; None where each is a row."""

    @property
    def n_values(self) -> int:
        return len(self.values)

    def counts(self) -> NDArray[np.int64]:
        """How often each value occurs."""
        is_there = slice(None) if self.n_missing == 0 else self.codes >= 0
        rows = None if self.rows is None else self.rows[is_there]
        return np.bincount(self.codes[is_there], weights=rows, minlength=self.n_values).astype(np.int64)

    def rows_of(self, codes: Iterable[int]) -> NDArray[np.int64]:
        """The rows that hold one of these codes (−1: that are missing), in their order: to name their lines."""
        wanted = np.zeros(self.n_values + 1, dtype=bool)
        wanted[np.fromiter(codes, dtype=np.int64)] = True
        return np.flatnonzero(wanted[self.codes])


def code(series: pl.Series) -> Coded:
    """Number a column's texts in sorted order."""
    text = as_text(series)
    values = text.drop_nulls().unique().sort().rename(series.name)
    codes = text.cast(pl.Enum(values)).to_physical() if len(values) else pl.zeros(len(text), dtype=pl.Int8, eager=True)
    signed = codes.cast(_smallest(len(values))).fill_null(-1) if len(values) else codes.cast(pl.Int8) - 1
    return Coded(series.name, values, signed.to_numpy(), text.null_count())


def _smallest(n_values: int) -> type[pl.DataType]:
    if n_values <= 2**7:
        return pl.Int8
    return pl.Int16 if n_values <= 2**15 else pl.Int32

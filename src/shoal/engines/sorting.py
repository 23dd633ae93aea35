"""Rows sorted by what they show, where they are too many for memory. That none was lost or changed on the way is checked by sums over all rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from shoal.engines.counter import Counter
from shoal.errors import WriteError
from shoal.io.target import as_told
from shoal.judge.counts import label
from shoal.text.cells import has_text
from shoal.text.exact import exact_text

SEEDS = (0x5105, 0xA1)
ROWS = 1 << 17


class RowSum:
    """A number that depends on the rows and not on their order: two tables with one sum have the same rows, but for a chance of one in 2^128."""

    def __init__(self) -> None:
        self.n_rows = 0
        self.sums = [0, 0]

    def add(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Count some rows in; gives them back."""
        self.n_rows += frame.height
        texts = as_told(frame)
        for i, seed in enumerate(SEEDS):
            hashed = texts.hash_rows(seed).to_numpy()
            self.sums[i] = (self.sums[i] + int(np.add.reduce(hashed, dtype=np.uint64))) % 2**64
        return frame

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowSum) and (self.n_rows, self.sums) == (other.n_rows, other.sums)

    __hash__ = None  # type: ignore[assignment]


def sorted_rows(counter: Counter, frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """All rows by their first column, then by the next, and so on; a missing cell last."""
    first = next(frames)
    if any(not has_text(dtype) for dtype in first.dtypes):
        raise WriteError("Rows with lists, bytes or durations are sorted in memory only. Take --engine memory, or --keep-order.")
    schema = first.schema
    names = [label(j) for j in range(first.width)]
    floats = [j for j, dtype in enumerate(first.dtypes) if dtype.is_float()]
    keys = [f"{key} NULLS LAST" for j, name in enumerate(names) for key in ([name, f"t{j}"] if j in floats else [name])]

    def labelled() -> Iterator[Any]:
        for frame in _chain(first, frames):
            columns = [column.alias(label(j)) for j, column in enumerate(frame.iter_columns())]
            yield pl.DataFrame([*columns, *(exact_text(columns[j]).alias(f"t{j}") for j in floats)])

    for made in counter.query(labelled(), f"SELECT {', '.join(names)} FROM rows ORDER BY {', '.join(keys)}", ROWS):
        yield pl.DataFrame([made[old].cast(dtype).alias(name) for old, (name, dtype) in zip(names, schema.items(), strict=True)])


def _chain(first: pl.DataFrame, rest: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    yield first
    yield from rest

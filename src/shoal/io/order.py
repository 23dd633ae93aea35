"""The order in which released rows are written: sorted by what they show, so that it tells nothing that the rows do not.

The order of the original is information: by name, by time of admission, by household. A shuffle from a known seed could be undone, and a random
shuffle would give other bytes each time. Sorting has neither problem: anybody who has the rows, in whatever order, can sort them too.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.text.exact import exact_text

LARGEST = 2**62


def arranged(frame: pl.DataFrame) -> pl.DataFrame:
    """The same rows, by their first column, then by the next, and so on. Only rows that are equal in all columns may change places."""
    place = np.zeros(frame.height, dtype=np.int64)
    n_places = 1
    for column in frame.iter_columns():
        for key in _keys(column):
            ranks, n = _ranks(key)
            if n_places * n >= LARGEST:
                place = np.unique(place, return_inverse=True)[1].reshape(-1)
                n_places = frame.height
            place, n_places = place * n + ranks, n_places * n
    return frame[pl.Series(np.argsort(place, kind="stable"))]


def _keys(column: pl.Series) -> list[pl.Series]:
    """What a column is sorted by: different cells never tie."""
    dtype = column.dtype
    if isinstance(dtype, pl.Categorical | pl.Enum):
        return [column.cast(pl.String)]
    if dtype.is_float():
        return [column, exact_text(column)]
    if dtype.is_nested() or dtype == pl.Object:
        return [pl.Series([None if cell is None else repr(cell) for cell in column.to_list()], dtype=pl.String)]
    return [column]


def _ranks(key: pl.Series) -> tuple[NDArray[np.int64], int]:
    """The place of each cell among the column's sorted values, a missing one last; and how many places there are."""
    if key.dtype == pl.String:
        values = key.drop_nulls().unique().sort()
        ranks = key.cast(pl.Enum(values)).to_physical() if len(values) else key.is_null()
    else:
        ranks = key.rank("dense") - 1 if key.dtype != pl.Null else key.is_null()
    n = int(ranks.cast(pl.Int64).max() or 0) + 1  # type: ignore[arg-type]
    return ranks.cast(pl.Int64).fill_null(n).to_numpy(), n + 1

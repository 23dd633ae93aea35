"""Rows whose order is looked at where all rows are too many: those at the beginning, and pieces from everywhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.release.telling import telling_columns
from shoal.table import Table

IN_ORDER, PIECE = 200_000, 4_000
"""So many rows at the beginning, and of so many a piece has."""


class OrderSample:
    """Rows that are put aside as all of them pass. A text that occurs often is kept once."""

    def __init__(self, hidden: Sequence[str], every: int) -> None:
        """``hidden``: columns that the release does not show as they are. ``every``: of so many stretches one gives a piece."""
        self.hidden, self.every = list(hidden), every
        self._categories = pl.Categories.random()
        self._rows: list[pl.DataFrame] = []

    def add(self, rows: pl.DataFrame, kept: NDArray[np.bool_], first: int, number: int) -> None:
        """Rows of the original, of the stretch with this number, before which there are ``first`` rows; and which of them are released."""
        if first < IN_ORDER or number % self.every == 0:
            looked = rows.select(self.hidden).filter(pl.Series(kept))
            self._rows.append(texts_once(looked if first < IN_ORDER else looked[:PIECE], self._categories))

    def telling(self, names: Sequence[str]) -> list[str]:
        """Of these columns, those whose cells go along with the order of the rows."""
        looked = Table(pl.concat(self._rows))
        return telling_columns(looked, np.arange(looked.n_rows), names)


def texts_once(rows: pl.DataFrame, categories: pl.Categories | None = None) -> pl.DataFrame:
    """Rows to keep for long: a text that occurs often is kept once, and the stretch that they are from is not."""
    return rows.with_columns(pl.col(pl.String).cast(pl.Categorical(categories or pl.Categories.random())))

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
PIECES = 50
"""Pieces are so many at most, and at least half as many where there are enough stretches."""


class OrderSample:
    """Rows that are put aside as all of them pass. A text that occurs often is kept once."""

    def __init__(self, hidden: Sequence[str]) -> None:
        """``hidden``: columns that the release does not show as they are."""
        self.hidden = list(hidden)
        self._categories = pl.Categories.random()
        self._rows: list[pl.DataFrame] = []
        self._pieces: list[pl.DataFrame] = []
        self._number, self._every = 0, 1

    def add(self, rows: pl.DataFrame, kept: NDArray[np.bool_], first: int) -> None:
        """Rows of the original, before which there are ``first`` rows; and which of them are released. Of a longer table, fewer stretches give a piece."""
        if first < IN_ORDER:
            self._rows.append(self._looked(rows, kept))
            return
        if self._number % self._every == 0:
            self._pieces.append(self._looked(rows, kept)[:PIECE])
            if len(self._pieces) > PIECES:
                self._pieces, self._every = self._pieces[::2], 2 * self._every
        self._number += 1

    def _looked(self, rows: pl.DataFrame, kept: NDArray[np.bool_]) -> pl.DataFrame:
        return texts_once(rows.select(self.hidden).filter(pl.Series(kept)), self._categories)

    def telling(self, names: Sequence[str]) -> list[str]:
        """Of these columns, those whose cells go along with the order of the rows."""
        looked = Table(pl.concat([*self._rows, *self._pieces]))
        return telling_columns(looked, np.arange(looked.n_rows), names)


def texts_once(rows: pl.DataFrame, categories: pl.Categories | None = None) -> pl.DataFrame:
    """Rows to keep for long: a text that occurs often is kept once, and the stretch that they are from is not."""
    return rows.with_columns(pl.col(pl.String).cast(pl.Categorical(categories or pl.Categories.random())))

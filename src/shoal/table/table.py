"""The table as it came."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import DataError, some
from shoal.table.coded import Coded, code
from shoal.text.cells import as_text, has_text

Kind = Literal["pandas", "polars", "pyarrow", "duckdb", "spark", "path"]
"""What was given, so that the same can be given back; a path gives polars."""


SMALL = 100_000
"""Rows of a table whose columns are coded once; of a larger one they are coded when they are asked for, because they
take memory.
"""


@dataclass(frozen=True, eq=False)
class Table:
    """Columns as they came, what they came from, and where each row stands in it."""

    frame: pl.DataFrame
    kind: Kind = "polars"
    source: str = "the table"
    """Its name in messages: the file's name, or 'the table'."""
    lines: NDArray[np.int64] | range | None = None
    """The line of its file on which each row begins; None where rows have no lines (Parquet, dataframes)."""
    notes: tuple[str, ...] = ()
    """What reading had to assume, in words for the user."""
    delimiter: str = ","
    """The delimiter of its file: a release is written with the same one unless asked otherwise."""
    given: object = field(default=None, repr=False)
    """The dataframe that was given, for giving back its index and its types."""
    _known: dict[str, Coded] = field(default_factory=dict, init=False, repr=False)
    """Columns that are coded already; a table that is made of this one knows none."""

    @property
    def n_rows(self) -> int:
        return self.frame.height

    @property
    def columns(self) -> list[str]:
        return self.frame.columns

    def line_of(self, row: int) -> int:
        """The line of the file on which a row begins (the header is line 1), or the row's number from 1 where there are
        no lines.
        """
        return row + 1 if self.lines is None else int(self.lines[row])

    def where(self, rows: Iterable[int], most: int = 5) -> str:
        """Name some rows for a message: ``'lines 7, 19'`` of a file, else ``'rows 6, 18'``."""
        chosen = list(rows)
        numbers = [self.line_of(int(row)) for row in chosen[:most]]
        word = "row" if self.lines is None else "line"
        return f"{word}{'' if len(chosen) == 1 else 's'} {some([*numbers, *chosen[most:]], most)}"

    def column(self, name: str) -> pl.Series:
        """A column as it came."""
        if name not in self.frame.columns:
            from shoal.text.headers import no_such_columns

            raise DataError(no_such_columns(self.frame, self.source, [name]))
        return self.frame.get_column(name)

    def with_missing(self, marks: Sequence[str], columns: Iterable[str]) -> Table:
        """The table with every cell of these columns that is one of the marks missing."""
        there = [name for name in columns if name in self.frame.columns and has_text(self.frame.schema[name])]
        if not marks or not there:
            return self
        cells = [
            pl.when(as_text(self.frame[name]).is_in(list(marks)).fill_null(False))
            .then(None)
            .otherwise(pl.col(name))
            .alias(name)
            for name in there
        ]
        return replace(self, frame=self.frame.with_columns(cells))

    def over(self, rows: NDArray[np.int64]) -> Table:
        """The table of these rows, in which a row may stand several times."""
        lines = None if self.lines is None else np.asarray(self.lines)[rows]
        return replace(self, frame=self.frame[rows.tolist()], lines=lines)

    def coded(self, column: str) -> Coded:
        """A column as sorted texts and codes; −1 for a missing cell."""
        known = self._known.get(column)
        if known is None:
            known = code(self.column(column))
            if self.n_rows <= SMALL:
                self._known[column] = known
        return known

    def remember(self, coded: Mapping[str, Coded]) -> None:
        """Keep columns that were coded, for a table of which much will be asked: a million rows take seconds to
        code.
        """
        self._known.update(coded)

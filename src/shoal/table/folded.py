"""A table as its different rows over some columns, and how many rows of each there are: all that choosing a release
needs to know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from shoal.table.coded import Coded
from shoal.table.fold import fold
from shoal.table.table import Table


class Places(Protocol):
    """Names the rows that hold some values, for a message."""

    def __call__(self, column: str, codes: Sequence[int]) -> str:
        """``'lines 7, 19'``: the rows of the table that hold one of these values of the column; code −1 is a missing
        cell.
        """
        ...


@dataclass(frozen=True, eq=False)
class Folded:
    """Each entry is a *kind* of row: a value of every column that was asked for."""

    coded: Mapping[str, Coded]
    """The columns; their codes have an entry for each kind."""
    rows: NDArray[np.int64]
    """How many rows there are of each kind."""
    columns: tuple[str, ...]
    """All columns of the table, those that were not asked for too."""
    source: str
    where: Places

    @property
    def n_rows(self) -> int:
        return int(self.rows.sum())

    @property
    def n_kinds(self) -> int:
        return len(self.rows)


def fold_table(table: Table, names: Sequence[str]) -> tuple[Folded, NDArray[np.int32]]:
    """A table in memory folded over some columns, and the kind of each row. Kinds are in the order of their values."""
    by_row = {name: table.coded(name) for name in names}
    kinds, rows, kind_of_row = fold([column.codes for column in by_row.values()])
    coded = {
        name: replace(column, codes=kinds[:, j].astype(column.codes.dtype), rows=rows)
        for j, (name, column) in enumerate(by_row.items())
    }

    def where(column: str, codes: Sequence[int]) -> str:
        return table.where(by_row[column].rows_of(codes))

    return Folded(coded, rows, tuple(table.columns), table.source, where), kind_of_row

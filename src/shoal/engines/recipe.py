"""How every row becomes its released row, wherever it is: its texts name its kind, the plan names its group, and the group shows its texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.encode import Encoding
from shoal.errors import DataError
from shoal.problem import Ints, Solution
from shoal.release.decode import shown_by_groups
from shoal.table import Coded
from shoal.table.folded import Folded
from shoal.text.cells import as_text

CHANGED = "The input changed while it was read: rows are there now that were not there before. Nothing was written; run it again when nobody writes to it."
Deal = Callable[[pl.DataFrame], tuple[pl.DataFrame, NDArray[np.bool_]]]


@dataclass(frozen=True, eq=False)
class Recipe:
    """All that an engine needs in order to write a release."""

    folded: Folded
    encoding: Encoding
    solution: Solution
    dropped: frozenset[str]
    """Columns that are not released."""
    reported: tuple[str, ...] = ()
    """Columns that a report counts, in the original too; empty where none was asked for."""

    @cached_property
    def shown(self) -> pl.DataFrame:
        """What each group shows, as texts: a row for each group, a column for each quasi-identifier."""
        return shown_by_groups(self.solution)

    @cached_property
    def kind_finder(self) -> KindFinder:
        return KindFinder(list(self.folded.coded.values()))

    @property
    def columns(self) -> list[str]:
        """The columns of the release."""
        return [name for name in self.folded.columns if name not in self.dropped]

    def dealer(self) -> Deal:
        """A function that is called with the rows, one stretch of the input after the other, and gives the released ones, and which were kept."""
        deal = self.solution.plan.dealer()
        names = list(self.folded.coded)

        def released(rows: pl.DataFrame) -> tuple[pl.DataFrame, NDArray[np.bool_]]:
            entry = self.kind_finder.find([as_text(rows[name]) for name in names])
            try:
                group = deal(self.encoding.kinds[entry])
            except ValueError:
                raise DataError(CHANGED) from None
            kept = group >= 0
            return self.in_groups(rows if kept.all() else rows.filter(pl.Series(kept)), group[kept]), kept

        return released

    def in_groups(self, rows: pl.DataFrame, group: Ints) -> pl.DataFrame:
        """Rows with the texts of their groups."""
        which = pl.Series(group)
        return pl.DataFrame([self.shown[name].gather(which) if name in self.shown.columns else rows[name] for name in self.columns])


class KindFinder:
    """Finds the entry of a folded table that a row is of, from the row's texts."""

    def __init__(self, columns: Sequence[Coded]) -> None:
        self.types = [pl.Enum(column.values) for column in columns]
        self.spans = [column.n_values + 1 for column in columns]
        self.steps: list[NDArray[np.int64]] = []
        """Where the number of a row grows beyond 63 bits, what it is so far is replaced by its rank among these."""
        self.cuts: list[int] = []
        key, radix = np.zeros(len(columns[0].codes), dtype=np.int64), 1
        for j, column in enumerate(columns):
            if radix * self.spans[j] >= 2**63:
                ranks, key = np.unique(key, return_inverse=True)
                self.steps.append(ranks)
                self.cuts.append(j)
                radix = len(ranks)
            key = key * self.spans[j] + column.codes + 1
            radix *= self.spans[j]
        self.order = np.argsort(key, kind="stable")
        self.keys = key[self.order]

    def find(self, texts: Sequence[pl.Series]) -> NDArray[np.int64]:
        """The entry of each row."""
        key, steps = np.zeros(len(texts[0]), dtype=np.int64), iter(self.steps)
        for j, cells in enumerate(texts):
            if j in self.cuts:
                key = _places(next(steps), key)
            key = key * self.spans[j] + self._codes(j, cells) + 1
        return self.order[_places(self.keys, key)]

    def _codes(self, j: int, cells: pl.Series) -> NDArray[np.integer[Any]]:
        codes = cells.cast(self.types[j], strict=False).to_physical()
        if codes.null_count() != cells.null_count():
            raise DataError(CHANGED)
        return codes.cast(pl.Int64).fill_null(-1).to_numpy()


def _places(known: NDArray[np.int64], keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each key stands among the known ones, which are sorted."""
    if not len(keys):
        return np.zeros(0, dtype=np.int64)
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    if not np.array_equal(known[place], keys):
        raise DataError(CHANGED)
    return place

"""The different rows of the original over some columns, counted as the rows pass: what a report says of the table before. It is put aside in a private folder where it grows large."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.engines.counter import FULL, Counter
from shoal.engines.tables import summed
from shoal.errors import WriteError
from shoal.io.targets.parquet import ParquetTarget
from shoal.judge.counts import N, by_names, label
from shoal.release.counted import KEPT
from shoal.text.cells import as_text
from shoal.text.exact import exact_text

HELD = 500_000
"""Different rows that are held in memory; more are put aside."""


class Tally:
    """Counts of the rows so far, by our own names (``c0``, ``c1``, …), with ``kept`` (whether they are released) and ``n``."""

    def __init__(self, names: Sequence[str], quasi_identifiers: Collection[str], folder: Path, counter: Counter) -> None:
        self.names, self.quasi_identifiers = tuple(names), frozenset(quasi_identifiers)
        self.folder, self.counter = folder, counter
        self._held: list[pl.DataFrame] = []
        self._aside: list[ParquetTarget] = []

    def add(self, rows: pl.DataFrame, kept: NDArray[np.bool_]) -> None:
        """Count rows of the original, and which of them are released."""
        cells = [(as_text if name in self.quasi_identifiers else exact_text)(rows[name]) for name in self.names]
        texts = by_names(pl.DataFrame(cells), self.names)
        counted = texts.with_columns(pl.Series(KEPT, kept)).group_by(pl.all()).agg(pl.len().cast(pl.Int64).alias(N))
        self._held.append(counted)
        if sum(part.height for part in self._held) > HELD:
            whole = summed(pl.concat(self._held))
            self._held = [whole]
            if whole.height > HELD // 2:
                self._put_aside(whole)

    def _put_aside(self, counted: pl.DataFrame) -> None:
        aside = ParquetTarget(self.folder / f"tally{len(self._aside)}.parquet")
        try:
            aside.write(iter([counted]))
        except WriteError:
            raise WriteError(FULL) from None
        self._aside.append(aside)
        self._held = []

    def counted(self) -> pl.DataFrame:
        """All of it."""
        columns = [*(label(j) for j in range(len(self.names))), KEPT]
        empty = pl.DataFrame(schema={**dict.fromkeys(columns, pl.String), KEPT: pl.Boolean, N: pl.Int64})
        if not self._aside:
            return summed(pl.concat([empty, *self._held]))
        sql = f"SELECT {', '.join(columns)}, CAST(sum({N}) AS BIGINT) AS {N} FROM rows GROUP BY ALL"
        return pl.concat([empty, *self.counter.query(self._parts(), sql)])

    def _parts(self) -> Iterator[pl.DataFrame]:
        for aside in self._aside:
            yield from aside.rows()
        yield from self._held

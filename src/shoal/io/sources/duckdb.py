"""A table or a query of a DuckDB file, at one moment: all statements are of one transaction. By a connection that is open, each sees what that connection sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import polars as pl

from shoal.disk.spill import Spill
from shoal.errors import DataError
from shoal.io.addresses import Uri
from shoal.io.ahead import ahead
from shoal.io.paths import check_input
from shoal.io.source import Source, Stretch
from shoal.io.sql import duckdb

SAMPLE = 1000


class DuckdbSource(Source):
    """By an address, or by a connection that is open. With a limit of ``memory``, what does not fit goes to a private folder; without one, nothing is put on a disk."""

    def __init__(self, uri: Uri, connection: Any = None, memory: int | None = None) -> None:
        self.uri, self.name, self._is_own = uri, uri.name, connection is None
        self._open = ExitStack()
        try:
            with duckdb.told(uri, DataError):
                self._connection = self._connected(memory) if connection is None else connection
                self._origin = duckdb.source_of(self._connection, uri)
                self._cells = duckdb.cells_from(self._relation(), uri.name)
        except BaseException:
            self.close()
            raise

    def _connected(self, memory: int | None) -> Any:
        path, folder = check_input(self.uri.path), None
        if memory is not None:
            spill = Spill()
            self._open.callback(spill.remove)
            folder = spill.folder
        own = duckdb.connect(path, read_only=True, folder=folder, memory=memory)
        self._open.callback(own.close)
        own.execute("BEGIN")
        return own

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self._cells)

    def _relation(self) -> Any:
        return self._connection.sql(f"SELECT * FROM {self._origin} AS asked")

    def _read(self, names: Sequence[str] | None, most: int | None) -> Iterator[Stretch]:
        found = self._stretches(self.columns if names is None else names, most)
        yield from ahead(found) if self._is_own else found

    def _stretches(self, names: Sequence[str], most: int | None) -> Iterator[Stretch]:
        first = 0
        with duckdb.told(self.uri, DataError):
            asked = self._relation().project(", ".join(self._cells[name] for name in names))
            for frame in duckdb.frames_of(asked if most is None else asked.limit(most)):
                if frame.height:
                    yield Stretch(frame, first)
                    first += frame.height
        if first == 0:
            raise DataError(f"{self.name} has no rows.")

    def n_bytes(self) -> float | None:
        """What the file says, without reading it."""
        if not self._is_own:
            return None
        with duckdb.told(self.uri, DataError):
            sample = pl.concat(stretch.frame for stretch in self.stretches(most=SAMPLE))
            if sample.height < SAMPLE:
                return float(sample.estimated_size())
            known = self._connection.execute("SELECT estimated_size FROM duckdb_tables() WHERE table_name = ?", [self.uri.table]).fetchall()
            n_rows = float(known[0][0]) if known else Path(self.uri.path).stat().st_size / 4
            return sample.estimated_size() / SAMPLE * n_rows

    def close(self) -> None:
        with duckdb.told(self.uri, DataError):
            self._open.close()

"""Counting different rows of texts: here as long as they fit, and then in DuckDB, which spills to a private folder where they are too many for memory.

Its messages may hold cells and are never passed on.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl

from shoal.engines.row_keys import RowKeys
from shoal.errors import DataError, WriteError
from shoal.judge.counts import N, label
from shoal.kernels.threads import n_threads

LEAST = 256 << 20
"""Bytes of memory below which it cannot work."""
FULL = "There is no room left for temporary files. Free some space, or name another folder by the variable TMPDIR."


def check_library() -> None:
    """Raise if the database is not installed. It is loaded only where it is needed."""
    if find_spec("duckdb") is None:
        raise DataError("Tables larger than memory need the library 'duckdb', which is not installed: pip install 'shoal[files]'.")


class Counter:
    """A database in memory that nobody else sees, made for each question: what it keeps is gone with the answer."""

    def __init__(self, folder: Path, memory: int) -> None:
        check_library()
        self.folder, self.memory = folder, memory

    @cached_property
    def duckdb(self) -> Any:
        import duckdb

        return duckdb

    def _connect(self) -> Any:
        connection = self.duckdb.connect(
            config={
                "memory_limit": f"{max(self.memory, LEAST) >> 20}MiB",
                "temp_directory": str(self.folder),
                "threads": n_threads(),
                "preserve_insertion_order": "false",
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
            }
        )
        connection.execute("SET enable_progress_bar = false")  # it would be drawn into standard output
        return connection

    def fold(self, frames: Iterator[pl.DataFrame], n_columns: int) -> pl.DataFrame:
        """The different rows of frames of texts, which have our own names for their columns, and how many there are of each.

        As long as they fit into numbers and memory they are counted here; if not, the database goes on.
        """
        held = RowKeys(n_columns, self.memory)
        for frame in frames:
            if not held.add(frame):
                return self._fold_more(held, chain([frame], frames), n_columns)
        return held.rows()

    def _fold_more(self, held: RowKeys, frames: Iterator[pl.DataFrame], n_columns: int) -> pl.DataFrame:
        """The same, for rows of which some are counted."""
        names = [label(j) for j in range(n_columns)]
        empty = pl.DataFrame(schema={**dict.fromkeys(names, pl.String), N: pl.Int64})
        once = (frame.select(*names, pl.lit(1, pl.Int64).alias(N)) for frame in frames)
        sql = f"SELECT {', '.join(names)}, CAST(sum({N}) AS BIGINT) AS {N} FROM rows GROUP BY ALL"
        return pl.concat([empty, *self.query(chain([held.rows()], once), sql)])

    def query(self, frames: Iterator[pl.DataFrame], sql: str, n_rows: int = 1 << 17) -> Iterator[pl.DataFrame]:
        """What a query gives of frames, which it calls ``rows``, in stretches. An error of the frames themselves comes through as it is."""
        import pyarrow as pa

        first = next(frames, None)
        if first is None:
            return
        schema = first.to_arrow(compat_level=pl.CompatLevel.oldest()).schema
        failed: list[BaseException] = []

        def batches() -> Iterator[Any]:
            try:
                frame: pl.DataFrame | None = first
                while frame is not None:
                    yield from frame.to_arrow(compat_level=pl.CompatLevel.oldest()).cast(schema).to_batches()
                    frame = next(frames, None)
            except BaseException as error:
                failed.append(error)
                raise ValueError("stopped") from None

        connection = self._connect()
        try:
            connection.register("rows", pa.RecordBatchReader.from_batches(schema, batches()))
            for batch in connection.sql(sql).to_arrow_reader(n_rows):
                yield pl.DataFrame(pl.from_arrow(pa.Table.from_batches([batch])))
        except (self.duckdb.Error, pa.ArrowException, OSError) as error:
            if failed:
                raise failed[0] from None
            raise _told(self.duckdb, error) from None
        finally:
            connection.close()


def _told(duckdb: Any, error: Exception) -> DataError | WriteError:
    """The error in our own words."""
    if isinstance(error, duckdb.OutOfMemoryException):
        return DataError("There are too many different rows to count in this memory. Give more (--memory), or fewer quasi-identifiers.")
    if isinstance(error, duckdb.IOException | OSError):
        return WriteError(FULL)
    return DataError(f"The rows could not be counted ({type(error).__name__}). Please report this.")

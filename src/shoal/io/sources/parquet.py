"""Parquet files, with their types: one, a folder of them, or all that a pattern names. They have one schema and are read one after the other."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import DataError
from shoal.io.paths import check_input, name_of, unreadable
from shoal.io.source import ROWS, FileSource, Stretch
from shoal.io.sources.folders import is_many, parts_of
from shoal.io.unpacking import check_parquet, check_texts

MAGIC = b"PAR1"
UNREADABLE = "'{}' is a Parquet file but cannot be read: it is damaged or encrypted. Write it again."
EMPTY = "'{}' has no rows. There is nothing to anonymize; check how it was exported."
TOO_WIDE = "'{}' is a Parquet file with numbers of more than 64 bits, which are not read. Write them as texts or decimals."
GROWS = 5
"""Bytes of text for each byte of such a file, about."""


class ParquetSource(FileSource):
    """Rows by their row groups."""

    def __init__(self, path: str | os.PathLike[str], name: str | None = None) -> None:
        """``name`` is what the file is called in messages, where it is not the path."""
        place = os.fspath(path)
        super().__init__(name or name_of(path), parts_of(place) if is_many(place) else [check_input(path)])
        self.given = Path(place)

    def n_bytes(self) -> float:
        return GROWS * float(sum(path.stat().st_size for path in self.files))

    @property
    def columns(self) -> tuple[str, ...]:
        return self._about[0]

    @cached_property
    def _about(self) -> tuple[tuple[str, ...], int]:
        """The columns and the number of rows, as the files say."""
        n_rows, schema = 0, None
        for path in self.files:
            shown = self._shown(path)
            try:
                check_magic(path, shown)
            except OSError as error:
                raise unreadable(shown, error) from None
            file = _opened(path, shown)
            check_parquet(file.metadata, path.stat().st_size, shown)
            _check_texts(path, shown)
            n_rows += file.metadata.num_rows
            if schema is not None and not file.schema_arrow.equals(schema):
                raise DataError(f"'{shown}' has other columns or types than '{self.files[0]}'. Files that are read together must be alike.")
            schema = schema or file.schema_arrow
        if n_rows == 0 or not schema:
            raise DataError(EMPTY.format(self.name))
        if len({*schema.names}) < len(schema.names):
            raise DataError(UNREADABLE.format(self.name))
        return tuple(schema.names), n_rows

    def _shown(self, path: Path) -> str:
        return self.name if len(self.files) == 1 else str(path)

    def _read(self, names: Sequence[str] | None, most: int | None) -> Iterator[Stretch]:
        first, n_rows = 0, self._about[1]
        for path in self.files:
            for frame in _frames(_opened(path, self._shown(path)), self._shown(path), names):
                yield Stretch(frame, first, done=(first + frame.height) / n_rows)
                first += frame.height


def check_magic(place: Path, name: str) -> None:
    """Raise if a file does not begin and end as a Parquet file does."""
    size = place.stat().st_size
    if size == 0:
        raise DataError(f"'{name}' is empty. A table needs a header and at least one row.")
    with place.open("rb") as file:
        head = file.read(4)
        file.seek(max(size - 4, 0))
        tail = file.read(4)
    if head != MAGIC:
        raise DataError(f"'{name}' ends in .parquet but is not a Parquet file. If it is text, rename it to end in .csv.")
    if tail != MAGIC:
        raise DataError(f"'{name}' is a Parquet file cut short. Copy or write it again.")


def _check_texts(path: Path, name: str) -> None:
    """The texts of a file, before its stretches are read: these hold each text as often as a cell shows it."""
    try:
        check_texts(pl.scan_parquet(path, glob=False), path.stat().st_size, name)
    except DataError:
        raise
    except (Exception, pl.exceptions.PanicException):
        raise DataError(UNREADABLE.format(name)) from None


def _opened(path: Path, name: str) -> Any:
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path, pre_buffer=False)
        _ = file.schema_arrow
    except NotImplementedError:
        raise DataError(TOO_WIDE.format(name)) from None
    except Exception:
        raise DataError(UNREADABLE.format(name)) from None
    return file


def _frames(file: Any, name: str, names: Sequence[str] | None) -> Iterator[pl.DataFrame]:
    """The rows of a file; the library's errors may hold cells."""
    import pyarrow as pa

    batches = file.iter_batches(batch_size=ROWS, columns=None if names is None else list(names), use_threads=False)
    while True:
        try:
            batch = next(batches, None)
            frame = None if batch is None else pl.DataFrame(pl.from_arrow(pa.Table.from_batches([batch])))
        except (Exception, pl.exceptions.PanicException):
            raise DataError(UNREADABLE.format(name)) from None
        if frame is None:
            return
        yield frame if names is None else frame[list(names)]

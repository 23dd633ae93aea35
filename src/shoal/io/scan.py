"""A table read one stretch of rows after the other, as often as needed: text files by the strict reader of :mod:`shoal.io.csv`, Parquet files and folders of them.

Whatever is wrong with a file is the same error as when it is read whole. Errors of the Parquet library are said again without its words.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal import kernels
from shoal.errors import DataError
from shoal.io import csv
from shoal.io.endings import form_of
from shoal.io.folders import is_many, parts_of
from shoal.io.parquet import EMPTY, UNREADABLE, check_magic
from shoal.io.plain import plain_text
from shoal.io.source import check_input, name_of, unreadable
from shoal.io.unpacking import check_parquet, check_texts
from shoal.io.windows import CHANGED, Windows
from shoal.kernels.records import CountedRecords
from shoal.table.table import Table

ROWS = 1 << 16
"""Rows of a stretch at most."""
BYTES = 1 << 25
"""Bytes of text of a stretch, about."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """Some rows that follow each other."""

    frame: pl.DataFrame
    first: int
    """How many rows come before."""
    lines: NDArray[np.int64] | None
    """The line of its file on which each row begins; None where rows have no lines."""
    done: float
    """The share of the input that is read when this stretch is."""


class Scan(ABC):
    """A table that can be read in stretches."""

    name: str
    """In messages."""
    columns: tuple[str, ...]
    notes: tuple[str, ...] = ()
    delimiter: str = ","
    n_bytes: int
    n_stretches: int
    """About so many there will be."""
    _stamps: list[tuple[int, ...]]

    def stretches(self, columns: Sequence[str] | None = None) -> Iterator[Stretch]:
        """All rows, in their order; of these columns only, where some are named. An error if a file is not what it was when it was first looked at."""
        self.check_unchanged()
        try:
            yield from self._read(columns)
        except Exception:
            self.check_unchanged()  # that is then the reason
            raise
        self.check_unchanged()

    @abstractmethod
    def _read(self, columns: Sequence[str] | None) -> Iterator[Stretch]: ...

    @abstractmethod
    def files(self) -> list[Path]:
        """The files that are read."""

    def stamps(self) -> list[tuple[int, ...]]:
        """What tells a file from one that was changed or exchanged: its number, its size, and when it was changed."""
        return [(s.st_dev, s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns) for s in (path.stat() for path in self.files())]

    def content_stamps(self) -> list[list[int]]:
        """The same without what copying or renaming a file changes: to compare with another day."""
        return [[stamp[2], stamp[3]] for stamp in self._stamps]

    def check_unchanged(self) -> None:
        """Raise if a file was changed since it was first looked at."""
        try:
            same = self.stamps() == self._stamps
        except OSError:
            same = False
        if not same:
            raise DataError(CHANGED.format(self.name))


def scan(path: str | os.PathLike[str], folder: Path, *, delimiter: str | None = None, encoding: str | None = None) -> Scan:
    """A file by its ending, a folder of Parquet files, or all files that a pattern such as ``people/*.parquet`` names. ``folder`` is private, for what must be unpacked."""
    name = os.fspath(path)
    if is_many(name):
        return ParquetScan(name, parts_of(name))
    form = form_of(name)
    if form.kind == "parquet":
        return ParquetScan(name, [check_input(path)])
    return TextScan(path, folder, delimiter, encoding)


class TextScan(Scan):
    """Delimited text."""

    def __init__(
        self, path: str | os.PathLike[str], folder: Path, delimiter: str | None = None, encoding: str | None = None, name: str | None = None
    ) -> None:
        """``name`` is what the file is called in messages, and whose ending says what it is, where it is not the path."""
        self.name, self._path = name or name_of(path), os.fspath(path)
        self._stamps = [] if self._path == "-" else self.stamps()
        self.plain = plain_text(path, folder, encoding)
        self._stamps = self._stamps or self.stamps()
        text = self.plain.open()
        named = form_of(name or self._path).delimiter
        named = named if named and text.find(named.encode(), self.plain.start) >= 0 else None
        beginning = text.head()
        self.head = csv.read_header(beginning, self.name, delimiter or named, self.plain.start)
        self.columns, self.delimiter = tuple(self.head.names), self.head.mark
        self.n_bytes = len(text)
        self.notes = self.plain.notes
        self._most, self._reach = self._rows_of_a_stretch(beginning)
        self.n_stretches = self.n_bytes // self._reach + 1

    def _rows_of_a_stretch(self, text: csv.Text) -> tuple[int, int]:
        """How many rows to read at once, and how many bytes these are, about."""
        sample = kernels.measure_records(text, self.head.mark, self.head.stop, most=1000)
        width = max((sample.stop - self.head.stop) // max(sample.n_records, 1), 1)
        most = int(min(max(BYTES // width, 64), ROWS))
        return most, width * most

    def files(self) -> list[Path]:
        return [self.plain.path if self._path == "-" else check_input(self._path)]

    def _read(self, columns: Sequence[str] | None) -> Iterator[Stretch]:
        head, line, first = self.head, self.head.line, 0
        total: CountedRecords | None = None
        with Windows(self.plain.path, self.name, head.stop, self._reach + self._reach // 4) as text:
            while total is None or not text.is_over:
                found = text.next_records(head.mark, line, len(head.names), self._most)
                total = _added(total, found)
                fields: list[Any] = []
                lines = None
                if not (total.n_odd or total.unclosed or total.stray) and found.n_records:
                    fields, lines = kernels.fill_records(text.text, head.mark, found, text.at, line)
                text.pass_on(found.stop)
                line = found.line
                if fields:
                    yield Stretch(self._frame(fields, found.n_records, columns), first, lines, text.done)
                    first += found.n_records
                if found.unclosed or found.stray:
                    break
        csv.refuse_broken(total, self.name, head.mark)
        csv.refuse_no_rows(total.n_records, self.name)
        self.notes = (*self.plain.notes, *csv.empty_lines_note(total.n_empty_lines, self.name))

    def _frame(self, fields: list[Any], n: int, columns: Sequence[str] | None) -> pl.DataFrame:
        wanted = self.head.names if columns is None else columns
        place = {name: j for j, name in enumerate(self.head.names)}
        return pl.DataFrame([csv.as_column(name, fields[place[name]], n) for name in wanted])


def _added(total: CountedRecords | None, found: CountedRecords) -> CountedRecords:
    """What was found so far and in one more stretch."""
    if total is None:
        return found
    return replace(
        found,
        n_records=total.n_records + found.n_records,
        n_odd=total.n_odd + found.n_odd,
        odd=(*total.odd, *found.odd)[:20],
        n_empty_lines=total.n_empty_lines + found.n_empty_lines,
    )


class ParquetScan(Scan):
    """Parquet files of one schema, one after the other."""

    def __init__(self, name: str, paths: list[Path]) -> None:
        self.name, self.paths = name, paths
        self._stamps = self.stamps()
        self.n_bytes = sum(p.stat().st_size for p in paths)
        self.n_rows, schema = 0, None
        for path in paths:
            shown = name if len(paths) == 1 else str(path)
            try:
                check_magic(path, shown)
            except OSError as error:
                raise unreadable(shown, error) from None
            file = _opened(path, shown)
            check_parquet(file.metadata, path.stat().st_size, shown)
            _check_texts(path, shown)
            self.n_rows += file.metadata.num_rows
            if schema is not None and not file.schema_arrow.equals(schema):
                raise DataError(f"'{shown}' has other columns or types than '{paths[0]}'. Files that are read together must be alike.")
            schema = schema or file.schema_arrow
        self.n_stretches = self.n_rows // ROWS + 1
        if self.n_rows == 0 or not schema:
            raise DataError(EMPTY.format(name))
        self.columns = tuple(schema.names)
        if len(set(self.columns)) < len(self.columns):
            raise DataError(UNREADABLE.format(name))

    def files(self) -> list[Path]:
        return self.paths

    def _read(self, columns: Sequence[str] | None) -> Iterator[Stretch]:
        first = 0
        for path in self.paths:
            file = _opened(path, str(path))
            for frame in _frames(file, str(path), columns):
                yield Stretch(frame, first, None, (first + frame.height) / self.n_rows)
                first += frame.height


def read_parts(name: str) -> Table:
    """The table in a folder of Parquet files, or in those that a pattern names."""
    stretches = ParquetScan(name, parts_of(name)).stretches()
    return Table(pl.concat([stretch.frame for stretch in stretches]).rechunk(), "path", name, given=Path(name))


def _opened(path: Path, name: str) -> Any:
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path, pre_buffer=False)
    except Exception:
        raise DataError(UNREADABLE.format(name)) from None


def _check_texts(path: Path, name: str) -> None:
    """The texts of a file, before its stretches are read: these hold each text as often as a cell shows it."""
    try:
        check_texts(pl.scan_parquet(path, glob=False), path.stat().st_size, name)
    except DataError:
        raise
    except (Exception, pl.exceptions.PanicException):
        raise DataError(UNREADABLE.format(name)) from None


def _frames(file: Any, name: str, columns: Sequence[str] | None) -> Iterator[pl.DataFrame]:
    """The rows of a file; the library's errors may hold cells."""
    import pyarrow as pa

    batches = file.iter_batches(batch_size=ROWS, columns=None if columns is None else list(columns), use_threads=False)
    while True:
        try:
            batch = next(batches, None)
            frame = None if batch is None else pl.DataFrame(pl.from_arrow(pa.Table.from_batches([batch])))
        except (Exception, pl.exceptions.PanicException):
            raise DataError(UNREADABLE.format(name)) from None
        if frame is None:
            return
        yield frame if columns is None else frame[list(columns)]

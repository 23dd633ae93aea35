"""Delimited text, by a strict reader: every cell as it stood, every row with its line. Only a window of the text is in memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from shoal import kernels
from shoal.disk.spill import Spill
from shoal.io.endings import form_of
from shoal.io.paths import check_input, name_of
from shoal.io.source import ROWS, FileSource, Stretch
from shoal.io.text import records
from shoal.io.text.plain import PlainText, plain_text
from shoal.io.text.windows import Windows
from shoal.kernels.records import CountedRecords

BYTES = 1 << 25
"""Bytes of text of a stretch, about."""
PACKED = 7
"""Bytes of text for each byte of a file that is packed, about."""


class TextSource(FileSource):
    """One text: a file, a pipe, or standard input."""

    def __init__(
        self, path: str | os.PathLike[str], delimiter: str | None = None, encoding: str | None = None, name: str | None = None
    ) -> None:
        """``name`` is what the file is called in messages, and whose ending says what it is, where it is not the path."""
        self._path, self._mark, self._encoding = os.fspath(path), delimiter, encoding
        self._form = form_of(name or self._path)
        self._spill: Spill | None = None
        place = None if self._path == "-" else check_input(path)
        super().__init__(name or name_of(path), [place] if place is not None and place.is_file() else [])
        self.given = place

    def n_bytes(self) -> float | None:
        size = sum(path.stat().st_size for path in self.files)
        return float(size * (PACKED if self._form.compressed else 1))

    @cached_property
    def _plain(self) -> PlainText:
        found = plain_text(self._path, self._folder, self._encoding)
        self.notes = found.notes
        return found

    def _folder(self) -> Path:
        if self._spill is None:
            self._spill = Spill()
        return self._spill.folder

    @cached_property
    def _head(self) -> tuple[records.TextHeader, int, int]:
        """What stands above the rows; how many rows are read at once, and how many bytes these are, about."""
        text, start = self._plain.open(), self._plain.start
        named = self._form.delimiter
        named = named if named and text.find(named.encode(), start) >= 0 else None
        beginning = text.head()
        head = records.read_header(beginning, self.name, self._mark or named, start)
        sample = kernels.measure_records(beginning, head.mark, head.stop, most=1000)
        width = max((sample.stop - head.stop) // max(sample.n_records, 1), 1)
        most = int(min(max(BYTES // width, 64), ROWS))
        self.delimiter = head.mark
        return head, most, width * most

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self._head[0].names)

    def _read(self, names: Sequence[str] | None, most: int | None) -> Iterator[Stretch]:
        head, at_once, reach = self._head
        line, first = head.line, 0
        total: CountedRecords | None = None
        with Windows(self._plain.path, self.name, head.stop, reach + reach // 4) as text:
            while total is None or not text.is_over:
                found = text.next_records(head.mark, line, len(head.names), at_once)
                total = _added(total, found)
                fields: list[Any] = []
                if not (total.n_odd or total.unclosed or total.stray) and found.n_records:
                    fields, lines = kernels.fill_records(text.text, head.mark, found, text.at, line)
                text.pass_on(found.stop)
                line = found.line
                if fields:
                    yield Stretch(self._frame(fields, found.n_records, names), first, lines, text.done)
                    first += found.n_records
                if found.unclosed or found.stray:
                    break
        records.refuse_broken(total, self.name, head.mark)
        records.refuse_no_rows(total.n_records, self.name)
        self.notes = (*self._plain.notes, *records.empty_lines_note(total.n_empty_lines, self.name))

    def _frame(self, fields: list[Any], n: int, names: Sequence[str] | None) -> pl.DataFrame:
        columns = self._head[0].names
        place = {name: j for j, name in enumerate(columns)}
        return pl.DataFrame([records.as_column(name, fields[place[name]], n) for name in (columns if names is None else names)])

    def close(self) -> None:
        if self._spill is not None:
            self._spill.remove()


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

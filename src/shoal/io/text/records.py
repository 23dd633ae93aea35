"""Delimited text: every cell as it stood, every row with its line.

Cells are texts: ``007`` stays ``007``. An empty cell is missing; an empty cell in quotes is the empty text. Quoted cells may
hold delimiters, doubled quotes and line ends. Empty lines are skipped, except in a table of one column, where they are rows
whose cell is missing. Every row must have as many cells as the header.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal import kernels
from shoal.errors import DataError, some
from shoal.text.cells import as_text

if TYPE_CHECKING:
    from shoal.kernels.records import CountedRecords, Field

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
SAMPLE = 500
ANNOUNCED = re.compile(rb"sep=([,;|\t])(?:\r\n|\n|\r)")
"""A first line that some spreadsheets write to say which delimiter follows."""
FILLED = re.compile(rb"[^\r\n]")
Text = bytes | bytearray


@dataclass(frozen=True)
class TextHeader:
    """What stands above the rows of a text."""

    names: list[str]
    mark: str
    """The delimiter."""
    stop: int
    """Where the rows begin, and on which line."""
    line: int


def read_header(text: Text, name: str, delimiter: str | None = None, start: int = 0) -> TextHeader:
    """The header of a text in UTF-8, and the delimiter."""
    start, line = _first_line(text, name, start)
    announced = ANNOUNCED.match(text, start) if delimiter is None else None
    if announced:
        start, line, delimiter = announced.end(), line + 1, announced[1].decode()
    mark = _check_delimiter(delimiter) if delimiter is not None else detect(text, start)
    head = kernels.measure_records(text, mark, start, line, most=1)
    refuse_broken(head, name, mark)
    head = kernels.measure_records(text, mark, start, line, n_fields=head.n_fields, most=1)
    names = _header(kernels.fill_records(text, mark, head, start, line)[0], name, line)
    return TextHeader(names, mark, head.stop, head.line)


def frame_of(text: Text, name: str) -> pl.DataFrame:
    """The rows of a text with commas that is in memory, and is whole."""
    head = read_header(text, name, ",")
    body = kernels.measure_records(text, head.mark, head.stop, head.line, n_fields=len(head.names))
    refuse_broken(body, name, head.mark)
    fields, _ = kernels.fill_records(text, head.mark, body, head.stop, head.line)
    return pl.DataFrame([as_column(column, fields.pop(0), body.n_records) for column in head.names])


def refuse_no_rows(n_records: int, name: str) -> None:
    if n_records == 0:
        raise DataError(f"'{name}' has a header and no rows. There is nothing to anonymize; check how it was exported.")


def empty_lines_note(n_empty: int, name: str) -> tuple[str, ...]:
    return (f"{n_empty} empty lines of '{name}' were skipped.",) if n_empty > 1 else ()


def detect(text: Text, start: int = 0) -> str:
    """The delimiter that splits the first rows most evenly; a comma for a table of one column."""
    best, found = (0.0, 1), ","
    for mark in DELIMITERS:
        sample = kernels.measure_records(text, mark, start, most=SAMPLE)
        even = 1 - sample.n_odd / max(sample.n_records, 1)
        score = (0.0 if sample.stray or sample.unclosed else even, sample.n_fields)
        if sample.n_fields > 1 and score > best:
            best, found = score, mark
    return found


def _check_delimiter(delimiter: str) -> str:
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0':
        raise DataError("A delimiter is one character, such as a comma, a semicolon, a tab or a pipe.")
    return delimiter


def _first_line(text: Text, name: str, at: int) -> tuple[int, int]:
    """Where the header begins, and its line: empty lines before it are passed over."""
    found = FILLED.search(text, at)
    if found is None:
        raise DataError(f"'{name}' is empty. A table needs a header and at least one row.")
    before = bytes(text[at : found.start()]).replace(b"\r\n", b"\n")
    return found.start(), 1 + len(before)


def _header(fields: list[Field], name: str, line: int) -> list[str]:
    names = [f.data.tobytes().decode() for f in fields]
    unnamed = [j for j, column in enumerate(names, start=1) if not column.strip()]
    if unnamed:
        who = f"column {unnamed[0]} has" if len(unnamed) == 1 else f"columns {some(unnamed)} have"
        raise DataError(
            f"'{name}', line {line}: {who} no name in the header. "
            "Name every column; an unnamed first one is often a row number to leave out when exporting."
        )
    places: dict[str, list[int]] = {}
    for j, column in enumerate(names, start=1):
        places.setdefault(column, []).append(j)
    twice = [f"columns {some(where)}" for where in places.values() if len(where) > 1]
    if twice:
        raise DataError(f"'{name}', line {line}: {some(twice)} of the header share a name. Give each column a name of its own.")
    return names


def refuse_broken(measured: CountedRecords, name: str, delimiter: str) -> None:
    """Raise if records are not whole, or of another width than the header."""
    if measured.unclosed:
        raise DataError(unclosed(name, measured.unclosed))
    if measured.stray > measured.stray_from:
        raise DataError(
            f"'{name}', line {measured.stray_from}: a quoted cell begins here, and text follows the quote that ends it in line {measured.stray}. "
            "Was the first quote never closed? Close or remove it, and double the quotes inside a quoted cell."
        )
    if measured.stray:
        raise DataError(
            f"'{name}', line {measured.stray}: text follows a closing quote. Double the quotes inside a quoted cell, "
            "or give the delimiter if it is not a " + DELIMITERS.get(delimiter, "character like this") + "."
        )
    if measured.n_odd:
        found = ", ".join(f"line {line} has {fields}" for line, fields in measured.odd[:5])
        more = f" and {measured.n_odd - 5} more lines differ" if measured.n_odd > 5 else ""
        raise DataError(
            f"'{name}': {measured.n_odd} of {measured.n_records} rows do not have the header's {measured.n_fields} cells: "
            f"{found}{more}. Quote cells that hold a {DELIMITERS.get(delimiter, 'delimiter')}, or give the delimiter if it is another."
        )


def unclosed(name: str, line: int) -> str:
    return f"'{name}', line {line}: a quoted cell begins here and never ends. Close or remove the quote."


def as_column(name: str, field: Field, n: int) -> pl.Series:
    """One field of every record as a column."""
    import pyarrow as pa

    buffers = [pa.py_buffer(field.valid), pa.py_buffer(field.offset), pa.py_buffer(field.data)]
    return pl.Series(ArrowArray(pa.Array.from_buffers(pa.large_string(), n, buffers))).alias(name)


@dataclass(frozen=True)
class ArrowArray:
    """An array by Arrow's C interface alone. Given one of pyarrow's own, polars would load its functions, which takes a tenth of a second."""

    array: Any

    def __arrow_c_array__(self, requested_schema: object = None) -> Any:
        return self.array.__arrow_c_array__(requested_schema)


def render(frame: pl.DataFrame) -> pl.DataFrame:
    """All columns as the texts that a file gets."""
    columns = []
    for column in frame.iter_columns():
        if isinstance(column.dtype, pl.Duration):
            columns.append(column.dt.to_string("iso"))
        else:
            columns.append(as_text(column))
    return pl.DataFrame(columns)

"""How much a packed file may hold. A file of a few megabytes can be made that unpacks to more than any memory: what is unpacked is counted, and refused beyond a limit."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import polars as pl

from shoal.errors import DataError
from shoal.io import arrow_size, sheets

PIECE = 1 << 22
LEAST, RATIO = 1 << 26, 100
"""A packed file may hold so many bytes (a Parquet file so many cells), and so many for each byte of it. Tables pack to a tenth; 1,000 is the most that gzip can."""
LEAST_TEXT, TEXT_RATIO = 1 << 30, 1000
"""The same for texts of which a file holds each once: they take no room in memory either, until they are written."""
DAMAGED = "'{}' is packed with gzip but damaged or cut short. Copy it again, or unpack it by hand to see."
BEYOND = "'{}' holds more than {} times what its size is: tables do not pack as well as that. If it is one, unpack it, or write it anew as CSV, and name that."


def most(n_bytes: int) -> int:
    """What a packed file of so many bytes may hold."""
    return LEAST + RATIO * n_bytes


def refuse_beyond(found: int, n_bytes: int, name: str) -> None:
    """Raise if a file of so many bytes holds more than it may."""
    if found > most(n_bytes):
        raise DataError(BEYOND.format(name, RATIO))


def unpacked(packed: IO[bytes], n_bytes: int, name: str) -> Iterator[bytes]:
    """What is packed with gzip, piece by piece."""
    found = 0
    try:
        with gzip.open(packed, "rb") as text:
            while piece := text.read(PIECE):
                found += len(piece)
                refuse_beyond(found, n_bytes, name)
                yield piece
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise DataError(DAMAGED.format(name)) from None


def check_workbook(place: Path, name: str) -> None:
    """Raise if a workbook that is a zip archive holds more than it may: unpacked, or when cells that are said once are repeated.

    What it says of its parts' sizes is not believed: all of it is unpacked.
    """
    if not zipfile.is_zipfile(place):
        return
    n_bytes, found = place.stat().st_size, 0
    parts: dict[str, bytes] = {}
    with zipfile.ZipFile(place) as book:
        for part in book.infolist():
            pieces = []
            with book.open(part) as text:  # ends where the part says that it ends; then its sum is wrong if there is more
                while piece := text.read(PIECE):
                    found += len(piece)
                    refuse_beyond(found, n_bytes, name)
                    pieces.append(piece)
            if part.filename.endswith(".xml"):
                parts[part.filename] = b"".join(pieces)
    refuse_beyond(sheets.held_by(parts), n_bytes, name)


def check_parquet(metadata: Any, n_bytes: int, name: str) -> None:
    """Raise if a Parquet file holds more cells or more bytes than it may: a column of one value takes no room, however many rows there are."""
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    refuse_beyond(max(metadata.num_rows, 0) * metadata.num_columns, n_bytes, name)
    refuse_beyond(sum(group.total_byte_size for group in groups), n_bytes, name)
    refuse_beyond(sum(group.column(j).num_values for group in groups for j in range(group.num_columns)), n_bytes, name)


def check_arrow(place: Path, name: str) -> None:
    """Raise if a file or stream of Arrow holds more than it may."""
    n_rows, found = arrow_size.held_by(place, name)
    refuse_beyond(n_rows, place.stat().st_size, name)
    refuse_beyond(found, place.stat().st_size, name)


def check_texts(rows: pl.LazyFrame, n_bytes: int, name: str) -> None:
    """Raise if the texts of all rows are longer than they may be: a long text that stands in the file once can be the cell of every row."""
    kinds = {column: kind for column, kind in rows.collect_schema().items() if kind in (pl.String, pl.Binary, pl.Categorical, pl.Enum)}
    if not kinds:
        return
    asked = [_length(column, kind).cast(pl.Int64).sum() for column, kind in kinds.items()]
    if sum(rows.select(asked).collect(engine="streaming").row(0)) > LEAST_TEXT + TEXT_RATIO * n_bytes:
        raise DataError(BEYOND.format(name, TEXT_RATIO))


def _length(column: str, kind: pl.DataType) -> pl.Expr:
    """The bytes of each cell of a column of texts."""
    cells = pl.col(column)
    if kind == pl.String:
        return cells.str.len_bytes()
    return cells.bin.size() if kind == pl.Binary else cells.cat.len_bytes()

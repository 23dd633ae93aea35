"""Parquet files: types as they are."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl

from shoal.errors import DataError
from shoal.io.source import check_input, name_of, unreadable
from shoal.io.unpacking import check_parquet, check_texts
from shoal.table.table import Table

MAGIC = b"PAR1"
UNREADABLE = "'{}' is a Parquet file but cannot be read: it is damaged or encrypted. Write it again."
EMPTY = "'{}' has no rows. There is nothing to anonymize; check how it was exported."


def read_parquet(path: str | os.PathLike[str]) -> Table:
    """The table in a Parquet file."""
    place, name = check_input(path), name_of(path)
    try:
        check_magic(place, name)
    except OSError as error:
        raise unreadable(name, error) from None
    from pyarrow.parquet import read_metadata

    try:
        about = read_metadata(place)
    except Exception:
        raise DataError(UNREADABLE.format(name)) from None
    check_parquet(about, place.stat().st_size, name)
    try:
        frame = pl.read_parquet(place)
    except (Exception, pl.exceptions.PanicException):
        raise DataError(UNREADABLE.format(name)) from None
    check_texts(frame.lazy(), place.stat().st_size, name)
    if frame.width == 0 or frame.height == 0:
        raise DataError(EMPTY.format(name))
    return Table(frame, "path", name, given=place)


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

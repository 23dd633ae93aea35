"""The gate: a verdict carries the fingerprint of the frame that was verified, and a writer compares it with what it is about to write.

The fingerprint tells apart whatever a reader of the written file could: names, their order, types, every cell, null from NaN,
0.0 from −0.0, an empty text from a missing one.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import InitVar, dataclass
from typing import Any

import numpy as np
import polars as pl

from shoal.errors import NotAnonymous

KEY = object()
"""Only the verifiers pass this; a test in ``tests/`` checks that nobody else does."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Verified:
    """A verdict on one frame. It is made by recounting, and by nothing else: ``dataclasses.replace`` is refused."""

    fingerprint: str
    """Of the frame that was verified."""
    key: InitVar[object] = None

    def __post_init__(self, key: object) -> None:
        if key is not KEY:
            raise NotAnonymous("A verdict is made by verifying: use shoal.verify or shoal.anonymize.")


def check(frame: pl.DataFrame, verdict: object) -> pl.DataFrame:
    """A copy of the frame, to be written, if it is the one that was verified; else an error. Nobody else can change the copy."""
    if not isinstance(frame, pl.DataFrame) or not isinstance(verdict, Verified):
        raise NotAnonymous("Only what was verified is written, and this was not. Write a Release or a Clustering with its own write().")
    mine = frame.clone()
    if fingerprint(mine) != verdict.fingerprint:
        raise NotAnonymous("This is not the table that was verified: it was changed or exchanged since. Nothing was written.")
    return mine


def fingerprint(frame: pl.DataFrame) -> str:
    """The SHA-256 over the columns' names and types and all cells."""
    total = hashlib.sha256(b"shoal-frame-1")
    total.update(struct.pack("<QQ", frame.width, frame.height))
    for column in frame.iter_columns():
        total.update(_column(column))
    return total.hexdigest()


def _column(column: pl.Series) -> bytes:
    told = hashlib.sha256()
    _feed(told, column.name.encode(), repr(column.dtype).encode())
    _cells(told, column)
    return told.digest()


def _feed(told: Any, *parts: bytes) -> None:
    """Add texts with their lengths, so that no two lists of texts look alike."""
    for part in parts:
        told.update(struct.pack("<Q", len(part)))
        told.update(part)


def _cells(told: Any, column: pl.Series) -> None:
    """Where cells are missing, then what the others hold."""
    dtype = column.dtype
    told.update(np.packbits(column.is_null().to_numpy()).tobytes() if column.null_count() else b"full")
    if dtype == pl.Null:
        return
    if isinstance(dtype, pl.Enum):
        _feed(told, *(str(value).encode() for value in dtype.categories))
    if dtype == pl.String or isinstance(dtype, pl.Categorical | pl.Enum):
        _lengths_and_bytes(told, column.cast(pl.String), "")
    elif dtype == pl.Binary:
        _lengths_and_bytes(told, column, b"")
    elif isinstance(dtype, pl.Struct):
        for field in column.struct.fields:
            told.update(_column(column.struct.field(field)))
    elif isinstance(dtype, pl.List | pl.Array):
        _lists(told, column if isinstance(dtype, pl.List) else column.arr.to_list())
    elif dtype.is_decimal():
        _lengths_and_bytes(told, column.cast(pl.String), "")
    elif dtype == pl.Object or not (dtype.is_numeric() or dtype.is_temporal() or dtype == pl.Boolean):
        raise NotAnonymous(f"Column '{column.name}' holds {dtype}, of which no fingerprint can be taken. Turn it into text, or drop it.")
    else:
        plain = column.cast(pl.UInt8) if dtype == pl.Boolean else column.to_physical()
        told.update(np.ascontiguousarray(plain.fill_null(0).to_numpy()).data)


def _lists(told: Any, column: pl.Series) -> None:
    told.update(np.ascontiguousarray(column.list.len().fill_null(0).to_numpy()).data)
    _cells(told, column.explode())


def _lengths_and_bytes(told: Any, column: pl.Series, empty: str | bytes) -> None:
    """Texts without gaps: where each ends, and all of them end to end."""
    array = (column.fill_null(empty) if column.null_count() else column).rechunk().to_arrow()
    _, ends, data = array.buffers()
    edges = np.frombuffer(ends, dtype=np.int64)[array.offset : array.offset + len(array) + 1] if len(array) else np.zeros(1, dtype=np.int64)
    told.update(np.ascontiguousarray(edges - edges[0]).data)
    if data is not None:
        told.update(memoryview(data)[int(edges[0]) : int(edges[-1])])


__all__ = ["KEY", "Verified", "check", "fingerprint"]

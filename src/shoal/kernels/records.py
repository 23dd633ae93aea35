"""Records of delimited text: measured first, then taken apart into one buffer per field."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import ffi, lib, longs

ROOM = 20
"""How many odd records are noted one by one."""


@dataclass(frozen=True)
class Measured:
    """What a first pass over some records found."""

    n_records: int
    n_fields: int
    n_odd: int
    """Records with another number of fields."""
    odd: tuple[tuple[int, int], ...]
    """Line and number of fields of the first few of them."""
    n_empty_lines: int
    unclosed: int
    """Line on which a quoted field begins that never ends; 0 for none."""
    stray: int
    """Line on which text follows a closing quote; 0 for none."""
    stop: int
    line: int
    size: NDArray[np.int64]
    """Bytes of each field, over all records."""


@dataclass(frozen=True, eq=False)
class Field:
    """One field of every record: ``data[offset[i]:offset[i + 1]]`` for record i, where bit i of ``valid`` is set."""

    data: NDArray[np.uint8]
    offset: NDArray[np.int64]
    valid: NDArray[np.uint8]


def measure_records(
    text: bytes | memoryview, delimiter: str, start: int = 0, line: int = 1, n_fields: int = 0, most: int = 2**62
) -> Measured:
    """Read records from ``start``, which is on ``line``, and count; with ``n_fields`` 0 the first record says how many fields there are."""
    size = np.zeros(max(n_fields, 1), dtype=np.int64)
    odd_line, odd_fields = np.zeros(ROOM, dtype=np.int64), np.zeros(ROOM, dtype=np.int64)
    found = np.zeros(8, dtype=np.int64)
    lib.shoal_records_measure(
        ffi.from_buffer("uint8_t[]", text),
        len(text),
        _inside(start, text),
        line,
        ord(delimiter),
        n_fields,
        most,
        longs(size),
        longs(odd_line),
        longs(odd_fields),
        ROOM,
        longs(found),
    )
    records, fields, n_odd, empty, unclosed, stray, stop, at = found.tolist()
    odd = tuple(zip(odd_line[:n_odd].tolist(), odd_fields[:n_odd].tolist(), strict=True))
    return Measured(records, fields, n_odd, odd, empty, unclosed, stray, stop, at, size[:n_fields])


def fill_records(
    text: bytes | memoryview, delimiter: str, measured: Measured, start: int = 0, line: int = 1
) -> tuple[list[Field], NDArray[np.int64]]:
    """The fields of records that were measured from the same place with ``n_fields`` given, and the line on which each record begins."""
    if measured.n_odd or measured.unclosed or measured.stray or len(measured.size) != measured.n_fields:
        raise ValueError("only records that were measured and found even can be taken apart")
    n = measured.n_records
    fields = [
        Field(np.empty(size, dtype=np.uint8), np.empty(n + 1, dtype=np.int64), np.zeros((n + 7) // 8, dtype=np.uint8))
        for size in measured.size.tolist()
    ]
    lines = np.empty(n, dtype=np.int64)
    done = lib.shoal_records_fill(
        ffi.from_buffer("uint8_t[]", text),
        len(text),
        _inside(start, text),
        line,
        ord(delimiter),
        measured.n_fields,
        n,
        longs(measured.size),
        ffi.new("uint8_t *[]", [ffi.from_buffer("uint8_t[]", f.data) for f in fields]),
        ffi.new("int64_t *[]", [ffi.from_buffer("int64_t[]", f.offset) for f in fields]),
        ffi.new("uint8_t *[]", [ffi.from_buffer("uint8_t[]", f.valid) for f in fields]),
        longs(lines),
    )
    if not done:
        raise ValueError("these are not the records that were measured")
    return fields, lines


def _inside(start: int, text: bytes | memoryview) -> int:
    if not 0 <= start <= len(text):
        raise IndexError("records start inside their text")
    return start

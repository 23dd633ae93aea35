"""Records of delimited text: measured first, then taken apart into one buffer per field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import check, ffi, lib, longs, octets

ROOM = 20
"""How many odd records are noted one by one."""


@dataclass(frozen=True)
class CountedRecords:
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
    stray_from: int
    """Line on which that quoted field begins."""
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
    text: bytes | bytearray, delimiter: str, start: int = 0, line: int = 1, n_fields: int = 0, most: int = 2**62
) -> CountedRecords:
    """Read records from ``start``, which is on ``line``, and count; with ``n_fields`` 0 the first record says how many
    fields there are.
    """
    size = np.zeros(max(n_fields, 1), dtype=np.int64)
    odd_line, odd_fields = np.zeros(ROOM, dtype=np.int64), np.zeros(ROOM, dtype=np.int64)
    out = ffi.new("shoal_measured *", (longs(size), ROOM, longs(odd_line), longs(odd_fields)))
    lib.shoal_records_measure(_text(text, start, line, delimiter, n_fields), most, out)
    odd = tuple(zip(odd_line[: out.odd].tolist(), odd_fields[: out.odd].tolist(), strict=True))
    found = (
        out.records,
        out.fields,
        out.odd,
        odd,
        out.empty,
        out.unclosed,
        out.stray,
        out.stray_from,
        out.stop,
        out.stop_line,
    )
    return CountedRecords(*found, size[:n_fields])


def fill_records(
    text: bytes | bytearray, delimiter: str, measured: CountedRecords, start: int = 0, line: int = 1
) -> tuple[list[Field], NDArray[np.int64]]:
    """The fields of records that were measured from the same place with ``n_fields`` given, and the line on which each
    record begins.
    """
    if measured.n_odd or measured.unclosed or measured.stray or len(measured.size) != measured.n_fields:
        raise ValueError("only records that were measured and found even can be taken apart")
    n = measured.n_records
    fields = [
        Field(np.empty(size, dtype=np.uint8), np.empty(n + 1, dtype=np.int64), np.zeros((n + 7) // 8, dtype=np.uint8))
        for size in measured.size.tolist()
    ]
    lines = np.empty(n, dtype=np.int64)
    data = ffi.new("uint8_t *[]", [octets(f.data) for f in fields])
    offset = ffi.new("int64_t *[]", [longs(f.offset) for f in fields])
    valid = ffi.new("uint8_t *[]", [octets(f.valid) for f in fields])
    out = ffi.new("shoal_fields *", (longs(measured.size), data, offset, valid, longs(lines)))
    done = lib.shoal_records_fill(_text(text, start, line, delimiter, measured.n_fields), n, out)
    check(done, "the records", "these are not the records that were measured")
    return fields, lines


def _text(text: bytes | bytearray, start: int, line: int, delimiter: str, n_fields: int) -> Any:
    if not 0 <= start <= len(text):
        raise IndexError("records start inside their text")
    return ffi.new(
        "shoal_text *", (ffi.from_buffer("uint8_t[]", text), len(text), start, line, ord(delimiter), n_fields)
    )

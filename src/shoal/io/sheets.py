"""How much the cells of a workbook hold once it is read. A cell far from all others makes a sheet large; a text, a cell or a row that is said once may be repeated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import accumulate

CELL = re.compile(rb"<(?:\w+:)?c\b([^>]*)>(?:\s*<(?:\w+:)?v>\s*(\d{1,9}))?")
PLACE = re.compile(rb"""\br=["']([A-Za-z]{1,3})(\d{1,7})["']""")
IS_SHARED = re.compile(rb"""\bt=["']s["']""")
SHARED = re.compile(rb"<(?:\w+:)?si\b[^>]*>(.*?)</(?:\w+:)?si>", re.DOTALL)
ROW = re.compile(rb"<table:table-row\b([^>]*)>(.*?)</table:table-row>", re.DOTALL)
ROW_CELL = re.compile(rb"<table:(?:covered-)?table-cell\b([^>]*?)(?:/>|>(.*?)</table:(?:covered-)?table-cell>)", re.DOTALL)
TIMES = re.compile(rb"""number-(?:rows|columns)-repeated=["'](\d{1,10})""")
OF_A_CELL = 2
"""Bytes that a cell of a sheet counts for, empty or not."""


def held_by(parts: Mapping[str, bytes]) -> int:
    """Bytes of all cells of a workbook, about, from the texts of its XML parts."""
    shared = [len(found[1]) for found in SHARED.finditer(parts.get("xl/sharedStrings.xml", b""))]
    sheets = (text for name, text in parts.items() if name.startswith("xl/worksheets/"))
    return sum(_of_sheet(text, shared) for text in sheets) + _of_document(parts.get("content.xml", b""))


def _of_sheet(text: bytes, shared: list[int]) -> int:
    """A sheet of Excel: all cells up to the farthest, and the shared texts, each as often as a cell shows it."""
    rows = columns = texts = 0
    for cell in CELL.finditer(text):
        if place := PLACE.search(cell[1]):
            columns, rows = max(columns, _column(place[1])), max(rows, int(place[2]))
        if cell[2] and int(cell[2]) < len(shared) and IS_SHARED.search(cell[1]):
            texts += shared[int(cell[2])]
    return OF_A_CELL * rows * columns + texts


def _column(letters: bytes) -> int:
    """The number of a column.

    >>> _column(b"A"), _column(b"XFD")
    (1, 16384)
    """
    *_, number = accumulate(letters.upper(), lambda so_far, letter: 26 * so_far + letter - 64, initial=0)
    return number


def _of_document(text: bytes) -> int:
    """A sheet of OpenDocument: what its cells say, each as often as it and its row are repeated. Empty cells at the end are nothing."""
    return sum(_times(row[1]) * sum(_times(cell[1]) * said for cell, said in _said(row[2])) for row in ROW.finditer(text))


def _said(row: bytes) -> Iterator[tuple[re.Match[bytes], int]]:
    return ((cell, len(cell[2] or b"")) for cell in ROW_CELL.finditer(row))


def _times(about: bytes) -> int:
    found = TIMES.search(about)
    return int(found[1]) if found else 1

"""Hierarchy files in ARX's form: found, read, and made into text.

No header, ``;`` between fields (``,`` and tab are understood too), one line per leaf, the leaf first, each further
field one level up, the last one ``*``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from os import PathLike
from pathlib import Path

from shoal.errors import HierarchyError, some
from shoal.hierarchies.rows import check_rows, rows_of, tree_from_rows
from shoal.hierarchies.tree import Tree

__all__ = ["find", "read_lines", "read_rows", "read_tree", "rows_of", "text_of"]

Rows = list[list[str]]
_NEEDS_QUOTES = re.compile(r'[;"\r\n]|^\ufeff')


def read_lines(path: str | PathLike[str]) -> tuple[Rows, list[int]]:
    """The fields of every line that is not empty, and the lines' numbers.

    It is only checked that the file can be read.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise HierarchyError(f"There is no hierarchy file {path}.") from None
    except UnicodeDecodeError:
        raise HierarchyError(f"{path}: the file is not UTF-8. Save it as UTF-8.") from None
    except OSError as error:
        raise HierarchyError(f"{path}: the file cannot be read ({error.strerror}).") from None
    rows: Rows = []
    lines: list[int] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    try:
        start = 1
        for row in reader:
            if row:
                rows.append(row)
                lines.append(start)
            start = reader.line_num + 1
    except csv.Error as error:
        raise HierarchyError(f"{path}, line {reader.line_num}: {error}. Check the quotation marks.") from None
    return rows, lines


def _delimiter(text: str) -> str:
    """The first of ``;``, tab and ``,`` that cuts the first line into several fields."""
    return next((mark for mark in ";\t," if any(len(row) > 1 for row in islice(_records(text, mark), 1))), ";")


def _records(text: str, mark: str) -> Iterator[list[str]]:
    """The lines that are not empty; none if they cannot be cut."""
    with suppress(csv.Error):
        yield from filter(None, csv.reader(io.StringIO(text, newline=""), delimiter=mark))


def read_rows(path: str | PathLike[str]) -> Rows:
    """The rows of a file, checked: as many fields in each, no value twice, no label with two parents; with ``*`` as the
    last field.
    """
    rows, lines = read_lines(path)
    try:
        check_rows(rows, lines)
        tree_from_rows(rows, lines)
    except HierarchyError as error:
        raise HierarchyError(f"{path}: {error}") from None
    return rows if len({row[-1] for row in rows}) == 1 and len(rows[0]) > 1 else [[*row, "*"] for row in rows]


def read_tree(path: str | PathLike[str]) -> Tree:
    """The tree in a file."""
    return tree_from_rows(read_rows(path))


def find(directory: str | PathLike[str], column: str) -> Path | None:
    """The file of a column: ``<column>.csv`` or ``<anything>_hierarchy_<column>.csv``; None if there is none."""
    folder = Path(directory)
    if not folder.is_dir():
        raise HierarchyError(f"There is no folder {folder} with hierarchies.")
    names = [entry.name for entry in folder.iterdir() if entry.is_file()]
    hits = sorted(n for n in names if n == f"{column}.csv" or n.endswith(f"_hierarchy_{column}.csv"))
    if len(hits) > 1:
        raise HierarchyError(
            f"Column '{column}': {folder} holds {len(hits)} hierarchies for it ({some(hits)}). Keep one of them."
        )
    return folder / hits[0] if hits else None


def text_of(rows: Sequence[Sequence[str]]) -> str:
    """Rows as the text of a file.

    >>> text_of([["a", "a; b", "*"]])
    'a;"a; b";*\\n'
    """
    return "".join(";".join(map(_quoted, row)) + "\n" for row in rows)


def _quoted(field: str) -> str:
    return '"' + field.replace('"', '""') + '"' if _NEEDS_QUOTES.search(field) else field

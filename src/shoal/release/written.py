"""The file that a release was written to, as a report speaks of it: its name without folders, and what ``shoal verify`` must be told of it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class WrittenFile:
    """A file with a release in it; nameless where it went to standard output, to a database, or nowhere yet."""

    name: str | None = None
    flags: str = ""
    """Options of ``shoal verify``."""
    is_table: bool = False
    """Whether it is a table of a database, or of Spark, and no file: its SHA-256 is then of its rows."""


def written_file(path: Any, form: str = "labels", spreadsheet_safe: bool = False, **how: Any) -> WrittenFile:
    """What was written, by the path and the options that it was written with. An address of a database is no name: it may hold a password."""
    flags = (f" --form {form}" if form != "labels" else "") + (" --spreadsheet-safe" if spreadsheet_safe else "")
    is_path = isinstance(path, str | os.PathLike)
    is_table = is_path and "://" in os.fspath(path)
    is_file = is_path and not is_table and os.fspath(path) != "-"
    return WrittenFile(os.path.basename(os.fspath(path)) if is_file else None, flags, is_table)

"""The file that a release was written to, as a report speaks of it: its name without folders, and what ``shoal verify`` must be told of it."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from shlex import quote
from typing import Any

TAB, WRITTEN_TAB = "\t", "\\t"
FOUND_OUT = ",;\t|"
"""Delimiters that every command finds out by itself."""


@dataclass(frozen=True)
class WrittenFile:
    """A file with a release in it; nameless where it went to standard output, to a database, or nowhere yet."""

    name: str | None = None
    flags: str = ""
    """Options of ``shoal verify``."""
    again: str = ""
    """Options by which ``shoal anonymize`` reads the original again, and writes as it did."""
    beside: str = ""
    """Options by which ``shoal verify`` reads both files."""
    alone: str = ""
    """Options by which a command reads the release alone."""
    is_table: bool = False
    """Whether it is a table of a database, or of Spark, and no file: its SHA-256 is then of its rows."""


def written_file(path: Any, form: str = "labels", spreadsheet_safe: bool = False, **how: Any) -> WrittenFile:
    """What was written, by the path and the options that it was written with. An address of a database is no name: it may hold a password."""
    flags = (f" --form {form}" if form != "labels" else "") + (" --spreadsheet-safe" if spreadsheet_safe else "")
    is_path = isinstance(path, str | os.PathLike)
    is_table = is_path and "://" in os.fspath(path)
    is_file = is_path and not is_table and os.fspath(path) != "-"
    return WrittenFile(os.path.basename(os.fspath(path)) if is_file else None, flags, is_table=is_table)


def with_reading(file: WrittenFile, delimiter: str | None, encoding: str | None, output_delimiter: str | None) -> WrittenFile:
    """The same file, and what commands must be told to read it and its original, where the run was told so too or a delimiter cannot be found out."""
    original = _option("--delimiter", delimiter) + _option("--encoding", encoding)
    own = delimiter if output_delimiter is None else output_delimiter
    differs = output_delimiter is not None and (delimiter is not None or output_delimiter not in FOUND_OUT)
    return replace(
        file,
        again=original + _option("--output-delimiter", output_delimiter),
        beside=original + (_option("--release-delimiter", output_delimiter) if differs else ""),
        alone=_option("--delimiter", own) if own is not None and own not in FOUND_OUT else "",
    )


def _option(name: str, value: str | None) -> str:
    return "" if value is None else f" {name} {quote(value.replace(TAB, WRITTEN_TAB))}"

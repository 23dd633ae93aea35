"""Files of other programs, each read whole by a library: Excel, SPSS, Stata, SAS, JSON lines and Arrow. They are read, never written.

What reads one is a file beside this with a function ``load``, and a line in :data:`READERS`. Some need a library that is not installed by default; the message says which.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

import polars as pl

from shoal.errors import DataError
from shoal.io.paths import check_input, name_of
from shoal.io.source import FileSource, Stretch

SHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
READERS = {
    **dict.fromkeys(SHEETS, "workbooks"),
    **dict.fromkeys((".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt"), "statistics"),
    **dict.fromkeys((".jsonl", ".ndjson"), "json_lines"),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), "arrow_files"),
}
"""The file beside this that reads an ending."""
EXTRAS = {"fastexcel": "excel", "pyreadstat": "stats"}


def is_foreign(path: str | os.PathLike[str]) -> bool:
    """Whether a file's name says that it is of another program."""
    return ending_of(split(path)[0]) in READERS


def ending_of(name: str) -> str:
    return os.path.splitext(name.lower())[1]


def split(path: str | os.PathLike[str]) -> tuple[str, str | None]:
    """A path, and the sheet that is named behind it: ``people.xlsx#May``.

    >>> split("people.xlsx#May"), split("people.xlsx"), split("c#.csv")
    (('people.xlsx', 'May'), ('people.xlsx', None), ('c#.csv', None))
    """
    name = os.fspath(path)
    book, mark, sheet = name.partition("#")
    return (book, sheet) if mark and ending_of(book) in SHEETS and not os.path.exists(name) else (name, None)


def extra(module: str, name: str) -> Any:
    """A library that is not installed by default."""
    try:
        return import_module(module)
    except ImportError:
        raise DataError(
            f"'{name}' needs the library {module}, which is not installed: pip install 'shoal[{EXTRAS[module]}]', or pip install {module}."
        ) from None


class WholeFile(FileSource):
    """One stretch."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        file, self._sheet = split(path)
        super().__init__(name_of(file), [check_input(file)])
        self.given = self.files[0]

    @cached_property
    def _frame(self) -> pl.DataFrame:
        ending = ending_of(self.name)
        try:
            frame: pl.DataFrame = import_module(f"shoal.io.sources.{READERS[ending]}").load(self.files[0], self.name, self._sheet)
        except (DataError, MemoryError, KeyboardInterrupt):
            raise
        except (Exception, pl.exceptions.PanicException) as error:
            raise DataError(
                f"'{self.name}' ends in {ending} but cannot be read as that ({type(error).__name__}): it is damaged, protected or something else. "
                "Save it again, or export the table as CSV."
            ) from None
        if frame.width == 0 or frame.height == 0:
            raise DataError(f"'{self.name}' has no rows. There is nothing to anonymize; check how it was exported.")
        return frame

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self._frame.columns)

    def _read(self, names: Sequence[str] | None, most: int | None) -> Iterator[Stretch]:
        yield Stretch(self._frame if names is None else self._frame.select(names), 0, done=1.0)

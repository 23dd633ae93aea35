"""A table that is read: its rows in stretches, always the same ones in the same order.

A table that is in memory is one stretch. What reads a format is a file of its own in ``sources/``; whoever uses a :class:`Source` need not know which.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import DataError
from shoal.table.table import Kind, Table

ROWS = 1 << 16
"""Rows of a stretch at most."""
CHANGED = "'{}' was changed while it was read. Nothing was written; run it again when nobody writes to it."
Any_Source = TypeVar("Any_Source", bound="Source")


@dataclass(frozen=True, eq=False)
class Stretch:
    """Some rows that follow each other."""

    frame: pl.DataFrame
    first: int
    """How many rows come before."""
    lines: NDArray[np.int64] | None = None
    """The line of its file on which each row begins; None where rows have no lines."""
    done: float = 0.0
    """The share of the input that is read when this stretch is, where that is known."""


class Source(ABC):
    """A table: the same rows in the same order each time it is asked, or an error that says that it was changed."""

    name: str
    """In messages."""
    kind: Kind = "path"
    """What was given, so that the same can be given back."""
    given: object = None
    """What a target may know of the types of columns."""
    delimiter: str = ","
    """What a text that is made of this is written with, unless another is asked for."""
    notes: tuple[str, ...] = ()
    """What reading had to assume, in words for the user; all of them after the first pass."""

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """All columns, in their order."""

    def stretches(self, names: Sequence[str] | None = None, most: int | None = None) -> Iterator[Stretch]:
        """All rows, or the first ones; of these columns, or of all."""
        self.check_unchanged()
        try:
            for stretch in self._read(names, most):
                if most is not None and stretch.first + stretch.frame.height >= most:
                    yield _first_of(stretch, most - stretch.first)
                    return
                yield stretch
        except Exception:
            self.check_unchanged()  # that is then the reason
            raise
        self.check_unchanged()

    @abstractmethod
    def _read(self, names: Sequence[str] | None, most: int | None) -> Iterator[Stretch]:
        """The rows, at least ``most`` of them if so many are there; an error if there are none."""

    def counted(self, names: Sequence[str]) -> Iterator[pl.DataFrame] | None:
        """The different rows as texts, and how many there are of each, where they are counted elsewhere just as texts."""
        return None

    def held(self) -> Table:
        """All rows in memory: the stretches joined."""
        parts = list(self.stretches())
        frame = parts[0].frame if len(parts) == 1 else pl.concat([part.frame for part in parts], rechunk=True)
        lines = [part.lines for part in parts if part.lines is not None]
        return Table(
            frame, self.kind, self.name, _compact(np.concatenate(lines)) if lines else None, self.notes, self.delimiter, self.given
        )

    def n_bytes(self) -> float | None:
        """About how many bytes of text the rows are, told before they are read; None where they are in memory, or soon will be."""
        return None

    def stamps(self) -> list[list[int]] | None:
        """What tells the files from files that were changed, also on another day; None where there are no files."""
        return None

    def sha256(self) -> str | None:
        """Of the file, if it is one."""
        return None

    def check_unchanged(self) -> None:  # noqa: B027 (what sees one moment cannot change)
        """Raise if it is not what it was when it was first looked at."""

    def close(self) -> None:  # noqa: B027 (nothing to give back is the usual case)
        """It is not needed any more."""

    def __enter__(self: Any_Source) -> Any_Source:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()


def _first_of(stretch: Stretch, n: int) -> Stretch:
    return replace(stretch, frame=stretch.frame[:n], lines=None if stretch.lines is None else stretch.lines[:n])


def _compact(lines: NDArray[np.int64]) -> NDArray[np.int64] | range:
    """A range where every row is one line, as nearly always."""
    if int(lines[-1] - lines[0]) == len(lines) - 1:
        return range(int(lines[0]), int(lines[-1]) + 1)
    return lines


class FileSource(Source):
    """One file or several, which must stay what they were when they were first looked at."""

    def __init__(self, name: str, files: list[Path]) -> None:
        self.name, self.files = name, files
        self._seen = self._looked_at()

    def _looked_at(self) -> list[tuple[int, ...]]:
        """What tells a file from one that was changed or exchanged: its number, its size, and when it was changed."""
        return [(s.st_dev, s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns) for s in (path.stat() for path in self.files)]

    def stamps(self) -> list[list[int]]:
        """Without what copying or renaming a file changes."""
        return [[seen[2], seen[3]] for seen in self._seen]

    def check_unchanged(self) -> None:
        try:
            same = self._looked_at() == self._seen
        except OSError:
            same = False
        if not same:
            raise DataError(CHANGED.format(self.name))

    def sha256(self) -> str | None:
        if len(self.files) != 1:
            return None
        told = file_sha256(self.files[0])
        self.check_unchanged()
        return told


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

"""Tables of databases that are not read whole: rows pass in stretches, out of one table and into another.

A :class:`TableSource` gives the same rows in the same order each time it is asked: it sees one moment. A :class:`TableTarget` writes where nobody sees it, gives back what the database holds, and
lets it appear under its name in one step. Each database has one of both in a file of its own (:data:`shoal.io.databases.ROWS`).
"""

from __future__ import annotations

import hashlib
import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from shoal.errors import DataError, NotAnonymous
from shoal.io.csv import render
from shoal.text.cells import has_text

STRETCH = 1 << 16
"""Rows that pass at a time."""
Rows = Iterator[pl.DataFrame]
OTHER_ROWS = "The database gives back other rows than were written. Nothing was released; please report this."


@dataclass(frozen=True)
class Room:
    """What a run may use."""

    folder: Path
    """A private folder for what does not fit into memory; for a target, on the disk of its place."""
    memory: int


class TableSource(ABC):
    """A table or a query, at one moment."""

    name: str
    columns: tuple[str, ...]
    given: object = None
    """What a target of the same kind may know of the columns' types."""

    @abstractmethod
    def rows(self, names: Sequence[str], most: int | None = None) -> Rows:
        """All rows in stretches of one schema, always in the same order; or the first ones."""

    def counted(self, names: Sequence[str]) -> Rows | None:
        """The different rows as texts, and how many there are of each, where the database counts them just as texts; else None."""
        return None

    @abstractmethod
    def close(self) -> None:
        """It is not needed any more."""


class TableTarget(ABC):
    """The place of a release."""

    @abstractmethod
    def write(self, rows: Rows, shown: Sequence[str], given: object) -> None:
        """A new table that nobody sees. ``shown`` are the columns whose cells are texts of groups; ``given`` what the source knows of the others."""

    @abstractmethod
    def rows(self) -> Rows:
        """What was written, as the database gives it back, in the order in which it was written and with the types of that."""

    def counted(self, names: Sequence[str]) -> Rows | None:
        """What was written, counted by the database over some columns, where it counts them just as texts; else None."""
        return None

    @abstractmethod
    def sort(self, arranged: Callable[[Rows], Rows]) -> None:
        """Put what was written in the order of what it shows; ``arranged`` does that for rows which this process has. No trace of the old order is left."""

    @abstractmethod
    def publish(self, sha256: str) -> None:
        """Give the new table, whose rows have this SHA-256 (:class:`RowHash`), its name. Rows that are copied once more must have it too."""

    @abstractmethod
    def close(self) -> None:
        """What is not published is given up."""


class RowHash:
    """The SHA-256 of rows as plain CSV, as they pass."""

    def __init__(self) -> None:
        self.sha256, self.is_first = hashlib.sha256(), True

    def add(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Count some rows in; gives them back."""
        render(frame).write_csv(stream := io.BytesIO(), include_header=self.is_first)
        self.sha256.update(stream.getbuffer())
        self.is_first = False
        return frame

    def hexdigest(self) -> str:
        return self.sha256.hexdigest()


def told_of(rows: Rows) -> str:
    """The SHA-256 of all rows."""
    told = RowHash()
    for frame in rows:
        told.add(frame)
    return told.hexdigest()


def check_told(rows: Rows, told: str) -> None:
    """These must be the very rows that have this SHA-256."""
    if told_of(rows) != told:
        raise NotAnonymous(OTHER_ROWS)


def check_plain(frame: pl.DataFrame, what: str) -> None:
    """Refuse columns whose cells have no text: they cannot be compared as they pass."""
    odd = [name for name, dtype in frame.schema.items() if not has_text(dtype)]
    if odd:
        raise DataError(
            f"{what}: column '{odd[0]}' holds lists, bytes or the like, and such columns are released from memory only. "
            "Leave it out with query=, or take --engine memory."
        )

"""A place for a release: it is written where nobody sees it, read back, and published in one step, or it is gone.

What writes a format is a file of its own in ``targets/``; whoever uses a :class:`Target` need not know which.
"""

from __future__ import annotations

import hashlib
import io
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import TypeVar

import polars as pl

from shoal.errors import NotAnonymous
from shoal.io.text.records import render
from shoal.text.cells import has_text

Rows = Iterator[pl.DataFrame]
Any_Target = TypeVar("Any_Target", bound="Target")
OTHER_ROWS = "What was written is not what is there: other rows come back. Nothing was released; please report this."
SEED = 0x5105


class Target(ABC):
    """A file or a table that is going to be there."""

    name: str

    @abstractmethod
    def check(self, inputs: Iterable[object] = ()) -> None:
        """Raise what writing would raise, as far as that is known before the work begins. ``inputs`` are paths and addresses of what is read."""

    @abstractmethod
    def write(self, rows: Rows, shown: Sequence[str] = (), given: object = None) -> None:
        """All rows, where nobody sees them. ``shown`` are the columns whose cells are texts of groups; ``given`` is what the source knows of the others."""

    @abstractmethod
    def rows(self) -> Rows:
        """What was written, as the place gives it back, in the order in which it was written."""

    def counted(self, names: Sequence[str]) -> Rows | None:
        """The different rows of what was written as texts, and how many there are of each, where the place counts them just as texts."""
        return None

    def sha256(self) -> str | None:
        """Of the bytes that were written, as they passed; None where only rows have one (:class:`RowHash`)."""
        return None

    @abstractmethod
    def publish(self, sha256: str | None) -> None:
        """Let it appear under its name if it is still what has this SHA-256; None if it was written just now."""

    @abstractmethod
    def close(self) -> None:
        """What is not published is gone."""

    def __enter__(self: Any_Target) -> Any_Target:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()


class RowHash:
    """The SHA-256 of rows as plain CSV, as they pass. A list, or what else has no text, is hashed by itself first."""

    def __init__(self) -> None:
        self.sha256, self.is_first = hashlib.sha256(), True
        self.columns: tuple[str, ...] = ()

    def add(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Count some rows in; gives them back."""
        as_told(frame).write_csv(stream := io.BytesIO(), include_header=self.is_first)
        self.sha256.update(stream.getbuffer())
        if self.is_first:
            self.is_first, self.columns = False, tuple(frame.columns)
        return frame

    def hexdigest(self) -> str:
        return self.sha256.hexdigest()


def as_told(frame: pl.DataFrame) -> pl.DataFrame:
    """Every cell as its text, or as a number that tells it from others."""
    plain = [c if has_text(c.dtype) or isinstance(c.dtype, pl.Duration) else _hashed(c) for c in frame.iter_columns()]
    return render(pl.DataFrame(plain))


def _hashed(column: pl.Series) -> pl.Series:
    return without_categories(column).to_frame().hash_rows(SEED).alias(column.name)


def without_categories(column: pl.Series) -> pl.Series:
    """Categories as texts, also inside lists: a type must not tell what the rows do not."""
    dtype = _without(column.dtype)
    return column if dtype == column.dtype else column.cast(dtype)


def _without(dtype: pl.DataType) -> pl.DataType:
    if isinstance(dtype, pl.Categorical | pl.Enum):
        return pl.String()
    if isinstance(dtype, pl.List):
        return pl.List(_without(_type(dtype.inner)))
    if isinstance(dtype, pl.Array) and len(dtype.shape) == 1:
        return pl.Array(_without(_type(dtype.inner)), dtype.shape[0])
    if isinstance(dtype, pl.Struct):
        return pl.Struct({field.name: _without(_type(field.dtype)) for field in dtype.fields})
    return dtype


def _type(dtype: object) -> pl.DataType:
    return pl.Series(dtype=dtype).dtype  # type: ignore[arg-type]


def told_of(rows: Iterable[pl.DataFrame]) -> str:
    """The SHA-256 of all rows."""
    told = RowHash()
    for frame in rows:
        told.add(frame)
    return told.hexdigest()


def check_told(rows: Rows, sha256: str) -> None:
    """These must be the very rows that have this SHA-256."""
    if told_of(rows) != sha256:
        raise NotAnonymous(OTHER_ROWS)

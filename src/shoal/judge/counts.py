"""The counts that a verdict is made of, whoever counted them: the texts of the original, what was released, and pairs of both.

Counts that contradict each other are an error: an engine that loses rows, or an input that changes, is noticed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from shoal.errors import DataError

N = "n"
"""The column with the number of rows; all others have names of our own (:func:`label`), so that none can collide with a user's."""
CHANGED = "The input changed while it was read, or rows were lost: what was counted before and after does not agree. Nothing was released; run it again."

OTHER_COLUMNS = "The release does not have the columns that it was to have. Nothing is released; please report this."


def label(j: int) -> str:
    """Our name for the j-th column of what is counted."""
    return f"c{j}"


@dataclass(frozen=True, eq=False)
class Original:
    """What is known of the original: how many rows it has, and the texts of its columns."""

    n_rows: int
    columns: Mapping[str, pl.DataFrame]
    """For each column that something is asked of the different texts, ``value`` (null for a missing cell), and how many rows have each: ``n``."""


@dataclass(frozen=True, eq=False)
class Counted:
    """What was written, folded over some columns."""

    rows: pl.DataFrame
    """The different rows as texts, in columns :func:`label` (0), (1), …, and how many there are of each, in ``n``."""
    columns: tuple[str, ...]
    """All columns of what was written."""
    fingerprint: str
    """Of the very thing that was counted: the engine compares it with what it is about to publish."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """What was written beside the original, row by row."""

    columns: Mapping[str, pl.DataFrame]
    """For each quasi-identifier the different pairs of an original text ``o`` and a released one ``s``, and how many rows have each: ``n``."""
    differing: Mapping[str, int]
    """For each column that must be as it was, how many cells are not."""
    n_before: int
    """Rows of the original that were read for this."""


def check_margin(found: pl.DataFrame, known: pl.DataFrame, by: str, lacking: int) -> None:
    """Two ways of counting one column agree; so many rows may be lacking from what was found."""
    both = found.join(known, on=by, how="full", nulls_equal=True, suffix="_known")
    more = both[f"{N}_known"].fill_null(0).cast(pl.Int64) - both[N].fill_null(0).cast(pl.Int64)
    if bool((more < 0).any()) or int(more.sum()) != lacking:
        raise DataError(CHANGED)


def by_names(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """The same frame with our own names for its columns."""
    return pl.DataFrame([frame[name].alias(label(j)) for j, name in enumerate(names)])

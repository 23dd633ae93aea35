"""Frames, given back in the kind that came in."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.io.sources.frames import has_plain_index
from shoal.table.table import Kind

if TYPE_CHECKING:
    import pandas as pd


def to_kind(
    frame: pl.DataFrame,
    kind: Kind,
    *,
    given: object = None,
    rows: NDArray[np.integer[Any]] | None = None,
    untouched: Collection[str] = (),
    keep_index: bool = False,
) -> Any:
    """A frame as the kind that came in.

    With the pandas table that was ``given`` and the ``rows`` of it that are in the frame, ``untouched`` columns keep the
    types that they had. Rows are numbered again where some were left out or moved, because gaps in the index would tell which. An index
    that does more than count rows may name people and is left out. ``keep_index`` asks for the index that was given, with its gaps.
    """
    trimmed = trim(frame)
    if kind == "pyarrow":
        return trimmed.to_arrow()
    if kind == "duckdb":
        from shoal.io.sql.names import library

        return library("duckdb").from_arrow(trimmed.to_arrow())
    if kind == "spark":
        return given.sparkSession.createDataFrame(trimmed.to_arrow(compat_level=pl.CompatLevel.oldest()))  # type: ignore[attr-defined]
    if kind == "pandas":
        return _to_pandas(trimmed, given, rows, untouched, keep_index)
    return trimmed


def trim(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with its enumerations cut down to the values that occur: a type must not tell what the rows do not."""
    cut = {column.name: _cut(column) for column in frame.iter_columns()}
    changed = {name: dtype for name, dtype in cut.items() if dtype != frame.schema[name]}
    return frame.cast(changed) if changed else frame  # type: ignore[arg-type]


def _cut(column: pl.Series) -> pl.DataType:
    """The type of a column with no more categories than its cells use, also inside lists and structs."""
    dtype = column.dtype
    if isinstance(dtype, pl.Enum):
        used = set(column.unique().drop_nulls().cast(pl.String))
        return pl.Enum([value for value in dtype.categories if value in used])
    if isinstance(dtype, pl.List):
        return pl.List(_cut(column.explode()))
    if isinstance(dtype, pl.Array):
        return pl.Array(_cut(column.explode()), dtype.shape[0]) if len(dtype.shape) == 1 else dtype
    if isinstance(dtype, pl.Struct):
        return pl.Struct({field.name: _cut(column.struct.field(field.name)) for field in dtype.fields})
    return dtype


def _to_pandas(
    frame: pl.DataFrame, given: Any, rows: NDArray[np.integer[Any]] | None, untouched: Collection[str], keep_index: bool
) -> pd.DataFrame:
    made = frame.to_pandas()
    if given is None or rows is None:
        return made
    if len(rows) != frame.height:
        raise ValueError("one row number for each row of the frame")
    kept = given.iloc[rows]
    if keep_index or (has_plain_index(given) and np.array_equal(rows, np.arange(len(given)))):
        made.index = kept.index
    position = {str(name): j for j, name in enumerate(given.columns)}
    for name in made.columns:
        if name in untouched:
            column = kept.iloc[:, position[name]]
            made[name] = (column.cat.remove_unused_categories() if hasattr(column, "cat") else column).set_axis(made.index)
    made.columns = [given.columns[position[name]] if name in position else name for name in made.columns]
    return made

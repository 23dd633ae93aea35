"""Dataframes taken as they are, and given back in kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import DataError
from shoal.io.uris import Uri
from shoal.table.table import Kind, Table

if TYPE_CHECKING:
    import pandas as pd


def take(data: object) -> Table:
    """A Table over a dataframe of pandas, polars or pyarrow, a relation of DuckDB, a DataFrame of Spark, or anything that exports the Arrow stream."""
    root = type(data).__module__.partition(".")[0]
    if isinstance(data, pl.LazyFrame):
        frame, kind = _collect(data), "polars"
    elif isinstance(data, pl.DataFrame):
        frame, kind = data, "polars"
    elif root == "pandas" and hasattr(data, "iloc") and hasattr(data, "columns"):
        frame, kind = _from_pandas(data), "pandas"
    elif root in ("duckdb", "_duckdb") and hasattr(data, "project"):
        frame, kind = _from_duckdb(data), "duckdb"
    elif root == "pyspark" and hasattr(data, "toArrow"):
        frame, kind = _from_spark(data), "spark"
    elif hasattr(data, "__arrow_c_stream__"):
        frame, kind = _from_arrow(data), "pyarrow" if root == "pyarrow" else "polars"
    else:
        raise DataError(
            f"shoal reads a path, a dataframe of pandas, polars or pyarrow, a relation of DuckDB, a DataFrame of Spark, or a connection by shoal.source(connection, table='people'), not a {type(data).__name__}."
        )
    if frame.width == 0 or frame.height == 0:
        raise DataError("The table has no rows. There is nothing to anonymize.")
    return Table(frame, kind, notes=_notes(data, kind), given=data)  # type: ignore[arg-type]


def _notes(data: Any, kind: str) -> tuple[str, ...]:
    if kind != "pandas" or has_plain_index(data):
        return ()
    return ("The table's index is not released. If it matters, make it a column with reset_index() and give that a role.",)


def _collect(data: pl.LazyFrame) -> pl.DataFrame:
    try:
        return data.collect()
    except (Exception, pl.exceptions.PanicException) as error:
        raise DataError(f"The lazy table could not be collected ({type(error).__name__}). Collect it yourself to see why.") from None


def _from_duckdb(data: Any) -> pl.DataFrame:
    from shoal.io import duckdb

    with duckdb.told(Uri("the relation", scheme="duckdb"), DataError):
        return duckdb.frame_of(data, "the relation")


def _from_spark(data: Any) -> pl.DataFrame:
    try:
        rows = data.toArrow()
    except Exception as error:  # its message may hold cells
        raise DataError(f"Spark could not compute the table ({type(error).__name__}). Its own log says why.") from None
    return _from_arrow(rows)


def _from_arrow(data: Any) -> pl.DataFrame:
    _check_names([str(name) for name in getattr(getattr(data, "schema", None), "names", ())])
    try:
        return pl.DataFrame(data)
    except (Exception, pl.exceptions.PanicException) as error:
        raise DataError(
            f"The table could not be taken through Arrow ({type(error).__name__}). Convert it to pandas, polars or pyarrow first."
        ) from None


def _from_pandas(data: Any) -> pl.DataFrame:
    """Column by column, so that one that cannot be taken is named."""
    if getattr(data.columns, "nlevels", 1) > 1:
        raise DataError("The table's columns have names of several levels. Join them into one name each.")
    names = [str(name) for name in data.columns]
    _check_names(names)
    columns = []
    for j, name in enumerate(names):
        try:
            columns.append(pl.Series(name, pl.from_pandas(data.iloc[:, j])))
        except (Exception, pl.exceptions.PanicException):
            raise DataError(
                f"Column '{name}' mixes kinds of values or holds objects. Make it one kind, for example with .astype(str)."
            ) from None
    return pl.DataFrame(columns)


def _check_names(names: list[str]) -> None:
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise DataError(f"The table has the column '{twice[0]}' more than once. Give each column a name of its own.")
    if any(not name.strip() for name in names):
        raise DataError("A column of the table has no name. Name every column.")


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
        from shoal.io.databases import library

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


def has_plain_index(given: Any) -> bool:
    """Whether a pandas table's rows are merely counted."""
    return type(given.index).__name__ == "RangeIndex" and given.index.name is None

"""Dataframes, taken as they are: one stretch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from shoal.errors import DataError
from shoal.io.addresses import Uri
from shoal.io.source import Source, Stretch
from shoal.table.table import Table


class TableSource(Source):
    """A table that is in memory."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.name, self.kind, self.given, self.notes, self.delimiter = table.source, table.kind, table.given, table.notes, table.delimiter

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self._table.columns)

    def _read(self, names: Sequence[str] | None, most: int | None) -> Iterator[Stretch]:
        frame, lines = self._table.frame, self._table.lines
        yield Stretch(frame if names is None else frame.select(names), 0, None if lines is None else np.asarray(lines), 1.0)

    def held(self) -> Table:
        return self._table


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
    from shoal.io.sql import duckdb

    with duckdb.told(Uri("the relation", scheme="duckdb"), DataError):
        cells = duckdb.cells_from(data, "the relation").values()
        return pl.DataFrame(pl.from_arrow(data.project(", ".join(cells)).to_arrow_table()))


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


def has_plain_index(given: Any) -> bool:
    """Whether a pandas table's rows are merely counted."""
    return type(given.index).__name__ == "RangeIndex" and given.index.name is None

"""Cells as text: the one way in which a value of any type is read, compared and released.

Whole numbers are decimal. Floats are the shortest text that gives them back (``39.0``, and ``0.0`` for both zeros). Booleans are
``true`` and ``false``. Dates (``2024-01-31``) and times of a day are ISO. A moment is ISO with a ``T``; at midnight it is the date
alone, because many libraries keep dates as moments. Texts and categories are themselves. Missing and NaN are missing.
"""

from __future__ import annotations

import polars as pl

from shoal.errors import DataError


def has_text(dtype: pl.DataType) -> bool:
    """Whether values of a type have a text: lists, structs, bytes and durations have none."""
    return not (dtype.is_nested() or dtype in (pl.Binary, pl.Object) or isinstance(dtype, pl.Duration))


def as_text(series: pl.Series) -> pl.Series:
    """The cells of a column as texts; null where a cell is missing."""
    dtype = series.dtype
    if dtype == pl.String:
        return series
    if dtype == pl.Null or dtype.is_integer() or dtype.is_decimal() or isinstance(dtype, pl.Categorical | pl.Enum):
        return series.cast(pl.String)
    if dtype.is_float():
        number = series.fill_nan(None)
        return number.set(number == 0, 0.0).cast(pl.String)
    if dtype == pl.Boolean:
        yes_no = pl.when(series).then(pl.lit("true")).when(~series).then(pl.lit("false"))
        return pl.select(yes_no.alias(series.name)).to_series()
    if dtype == pl.Date:
        return series.dt.strftime("%Y-%m-%d")
    if dtype == pl.Time:
        return series.dt.strftime("%H:%M:%S%.f")
    if isinstance(dtype, pl.Datetime):
        return _moments(series, dtype)
    raise DataError(
        f"Column '{series.name}' holds {dtype}, which cannot be generalized. Turn it into text, numbers or dates, or give it no role."
    )


def _moments(series: pl.Series, dtype: pl.Datetime) -> pl.Series:
    """ISO with the zone where there is one and no more digits than needed; midnight as the date alone."""
    zone = "%:z" if dtype.time_zone else ""
    midnight = series.dt.time() == pl.time(0)
    text = pl.when(midnight).then(series.dt.strftime("%Y-%m-%d")).otherwise(series.dt.strftime("%Y-%m-%dT%H:%M:%S%.f" + zone))
    return pl.select(text.alias(series.name)).to_series()

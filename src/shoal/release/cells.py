"""Released cells as texts that differ wherever a reader of the file could tell the cells apart."""

from __future__ import annotations

import polars as pl

from shoal.errors import DataError
from shoal.table.text import as_text


def exact_text(series: pl.Series) -> pl.Series:
    """As :func:`shoal.table.text.as_text`, but NaN is not missing and −0.0 is not 0.0."""
    return series.cast(pl.String) if series.dtype.is_float() else as_text(series)


def marks(series: pl.Series) -> pl.Series:
    """A text for each cell, used only to tell cells of one column apart. When clocks are set back, one local time occurs twice: these are two texts."""
    return series.to_physical().cast(pl.String) if _has_zone(series) else exact_text(series)


def _has_zone(series: pl.Series) -> bool:
    return isinstance(series.dtype, pl.Datetime) and series.dtype.time_zone is not None


def differing(original: pl.Series, released: pl.Series) -> pl.Series:
    """Which cells of a column that was to stay as it is are not what they were."""
    if _has_zone(original) and original.dtype == released.dtype:
        return ~original.eq_missing(released)
    try:
        shown = exact_text(released)
        same = exact_text(original).eq_missing(shown)
        if original.dtype.is_float() and released.dtype == pl.String:  # a text file has only one zero and cannot show NaN
            same |= as_text(original).eq_missing(shown)
    except DataError:  # lists, structs and the like have no text
        if original.dtype != released.dtype:
            return pl.Series([True] * len(released), dtype=pl.Boolean)
        same = _written(original).eq_missing(_written(released))
    return ~same


def _written(series: pl.Series) -> pl.Series:
    """Cells that hold floats somewhere inside, as texts in which both zeros and NaN look as they are."""
    return pl.Series([repr(cell) for cell in series.to_list()], dtype=pl.String) if series.dtype.is_nested() else series

"""Released cells as texts that differ wherever a reader of the file could tell the cells apart."""

from __future__ import annotations

import polars as pl

from shoal.errors import DataError
from shoal.table.text import as_text


def exact_text(series: pl.Series) -> pl.Series:
    """As :func:`shoal.table.text.as_text`, but NaN is not missing and −0.0 is not 0.0."""
    return series.cast(pl.String) if series.dtype.is_float() else as_text(series)


def differing(original: pl.Series, released: pl.Series) -> pl.Series:
    """Which cells of a column that was to stay as it is are not what they were."""
    try:
        shown = exact_text(released)
        same = exact_text(original).eq_missing(shown)
        if original.dtype.is_float() and released.dtype == pl.String:  # a text file has one zero, and no cell for what is no number
            same |= as_text(original).eq_missing(shown)
    except DataError:  # lists, structs and the like have no text
        if original.dtype != released.dtype:
            return pl.Series([True] * len(released), dtype=pl.Boolean)
        same = original.eq_missing(released)
    return ~same

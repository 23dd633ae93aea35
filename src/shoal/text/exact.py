"""Released cells as texts that differ wherever a reader of the file could tell the cells apart."""

from __future__ import annotations

import polars as pl

from shoal.errors import DataError
from shoal.text.cells import as_text


def exact_text(series: pl.Series) -> pl.Series:
    """As :func:`shoal.text.cells.as_text`, but NaN is not missing and −0.0 is not 0.0."""
    return series.cast(pl.String) if series.dtype.is_float() else as_text(series)


def marks(series: pl.Series) -> pl.Series:
    """A text for each cell, used only to tell cells of one column apart. When clocks are set back, one local time occurs twice: these are two texts."""
    return series.to_physical().cast(pl.String) if _has_zone(series) else exact_text(series)


def _has_zone(series: pl.Series) -> bool:
    return isinstance(series.dtype, pl.Datetime) and series.dtype.time_zone is not None


def differing(original: pl.Series, released: pl.Series) -> pl.Series:
    """Which cells of a column that was to stay as it is are not what they were."""
    return min(forms_that_differ(original, released), key=lambda found: int(found.sum()))


def forms_that_differ(original: pl.Series, released: pl.Series) -> list[pl.Series]:
    """The same for each form in which a file may show the column; all stretches of a column are in one of them."""
    if _has_zone(original) and original.dtype == released.dtype:
        return [~original.eq_missing(released)]
    try:
        shown = exact_text(released)
        forms = _forms_in_text(original) if original.dtype.is_float() and released.dtype == pl.String else [exact_text(original)]
        return [~form.eq_missing(shown) for form in forms]
    except DataError:  # lists, structs and the like have no text
        if original.dtype != released.dtype:
            return [pl.Series([True] * len(released), dtype=pl.Boolean)]
        return [~_written(original).eq_missing(_written(released))]


def _forms_in_text(numbers: pl.Series) -> list[pl.Series]:
    """The ways in which a text file may show a column of floats: NaN as a text or as an empty cell, and -0.0 as it is or as 0.0. A column has one of each."""
    unsigned = numbers.set(numbers == 0, 0.0)
    return [exact_text(column) for side in (numbers, unsigned) for column in (side, side.fill_nan(None))]


def _written(series: pl.Series) -> pl.Series:
    """Cells that hold floats somewhere inside, as texts in which both zeros and NaN look as they are."""
    if not series.dtype.is_nested():
        return series
    return pl.Series([repr(cell) for cell in series.cast(_in_numbers(series.dtype)).to_list()], dtype=pl.String)


def _in_numbers(dtype: pl.DataType) -> pl.DataType:
    """A type with whole numbers in place of times, whose last digits Python's own do not show."""
    if isinstance(dtype, pl.Datetime | pl.Duration | pl.Time):
        return pl.Int64()
    if isinstance(dtype, pl.List):
        return pl.List(_in_numbers(pl.Series(dtype=dtype.inner).dtype))
    if isinstance(dtype, pl.Array):
        return pl.Array(_in_numbers(pl.Series(dtype=dtype.inner).dtype), dtype.size)
    if isinstance(dtype, pl.Struct):
        return pl.Struct({field.name: _in_numbers(pl.Series(dtype=field.dtype).dtype) for field in dtype.fields})
    return dtype

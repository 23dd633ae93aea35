"""Files of SPSS, Stata and SAS. Value labels take the place of the codes that they explain, where all or some of a column's values have one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from shoal.io.sources.whole import ending_of, extra

FUNCTIONS = {
    ".sav": "read_sav", ".zsav": "read_sav", ".por": "read_por", ".dta": "read_dta", ".sas7bdat": "read_sas7bdat", ".xpt": "read_xport",
}  # fmt: skip


def load(place: Path, name: str, sheet: str | None) -> pl.DataFrame:
    read = getattr(extra("pyreadstat", name), FUNCTIONS[ending_of(name)])
    frame, about = read(place, output_format="polars")
    return _labelled(whole_numbers(frame), about.variable_value_labels)


def whole_numbers(frame: pl.DataFrame) -> pl.DataFrame:
    """These programs keep every number as a float: those that are all whole become whole numbers again."""
    is_whole = [
        c.name for c in frame.iter_columns() if c.dtype.is_float() and bool(((c.fill_nan(None).drop_nulls() % 1) == 0).all()) and _fits(c)
    ]
    return frame.with_columns(pl.col(name).fill_nan(None).cast(pl.Int64) for name in is_whole)


def _fits(column: pl.Series) -> bool:
    return column.fill_nan(None).null_count() < len(column) and bool((column.fill_nan(None).drop_nulls().abs() < 2**53).all())


def _labelled(frame: pl.DataFrame, labels: Mapping[str, Mapping[Any, str]]) -> pl.DataFrame:
    """Codes as the words that explain them; a code without a word stays as it is."""
    made = []
    for name, words in labels.items():
        if name not in frame.columns or not words:
            continue
        text = {_code(code): str(word) for code, word in words.items()}
        codes = frame[name].cast(pl.String)
        made.append(codes.replace_strict(list(text), list(text.values()), default=codes, return_dtype=pl.String).alias(name))
    return frame.with_columns(made)


def _code(code: Any) -> str:
    return str(int(code)) if isinstance(code, float) and code == int(code) else str(code)

"""A release as an ordinary dataframe: every cell one value, drawn by how likely it is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import DataError
from shoal.reader.column import Column
from shoal.reader.together import ALIKE

Longs = NDArray[np.int64]
LEANS = (1, 0, 2)
"""Drawings use the chosen, the lower and the higher lean in turn, so that their differences show how uncertain it is."""


def imputed(frame: pl.DataFrame, columns: Mapping[str, Column], group: Longs, times: int, seed: int) -> pl.DataFrame:
    """The released table with values drawn for the cells that do not show one."""
    if times < 1:
        raise DataError("Draw at least once.")
    drawn = [_once(frame, columns, group, np.random.default_rng([seed, t]), LEANS[t % 3], times == 1) for t in range(times)]
    if times == 1:
        return drawn[0]
    return pl.concat([one.insert_column(0, pl.Series("imputation", np.full(one.height, t + 1))) for t, one in enumerate(drawn)])


def _once(
    frame: pl.DataFrame, columns: Mapping[str, Column], group: Longs, rng: np.random.Generator, lean: int, says_exact: bool
) -> pl.DataFrame:
    made: list[pl.Series] = []
    for name in frame.columns:
        column = columns[name]
        if not column.is_generalized:
            made.append(frame[name])
            continue
        made.append(typed(column, draw(column, group, rng, lean)))
        if says_exact:
            made.append(pl.Series(f"{name}_exact", (np.diff(column.cells.start) == 1)[column.kind]))
    names = [series.name for series in made]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise DataError(f"The release has a column '{min(twice)}' already. Rename it first.")
    return pl.DataFrame(made)


def draw(column: Column, group: Longs, rng: np.random.Generator, lean: int) -> Longs:
    """A value for each row. Rows of a group draw together as often as they are alike, so that sums vary as much as they are uncertain."""
    n_groups = int(group.max(initial=-1)) + 1
    together = rng.random(len(group)) < np.sqrt(ALIKE)
    u = np.where(together, rng.random(n_groups)[group], rng.random(len(group)))
    ends = np.cumsum(column.shares[lean])
    ends[column.cells.start[1:] - 1] = np.arange(1, len(column.cells.size) + 1)  # the shares of a kind add up to 1, rounding or not
    at = np.searchsorted(ends, column.kind + u, side="right")
    return column.cells.leaf[np.clip(at, column.cells.start[column.kind], column.cells.start[column.kind + 1] - 1)]


def one(column: Column, row: int, rng: np.random.Generator) -> int:
    """A value for one row."""
    kind = int(column.kind[row])
    start, end = int(column.cells.start[kind]), int(column.cells.start[kind + 1])
    at = int(np.searchsorted(np.cumsum(column.shares[1][start:end]), rng.random(), side="right"))
    return int(column.cells.leaf[min(start + at, end - 1)])


def typed(column: Column, value: Longs) -> pl.Series:
    """Values as numbers, dates or texts."""
    kept = [typed_value(column, i) for i in range(column.n_values)]
    return pl.Series(column.name, kept, strict=False).gather(pl.Series(value))


def typed_value(column: Column, i: int) -> Any:
    """One value as a number, a date or a text."""
    text, place = column.words.values[i], column.words.place[i]
    if text is None or not column.is_line:
        return text
    if column.words.is_date:
        return date.fromordinal(int(place)) if place == int(place) else text
    return int(place) if _is_whole(column) else float(place)


def _is_whole(column: Column) -> bool:
    place = column.words.place[~np.isnan(column.words.place)]
    return bool((place == np.round(place)).all() and (np.abs(place) < 2**53).all())

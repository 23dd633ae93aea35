"""Rows sorted outside of memory, and the sum that says that they are the same rows."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import polars as pl
import pytest

from shoal.engines.counter import Counter
from shoal.engines.sorting import RowSum, sorted_rows
from shoal.errors import WriteError
from shoal.io.order import arranged

FRAME = pl.DataFrame(
    {
        "n": [10, 9, None, 9, 10, -1],
        "t": ["b", "ä", "", None, "B", "b"],
        "f": [0.5, 0.0, 1.5, -0.0, None, 2.0],
        "day": [dt.date(2024, 1, d) for d in (3, 1, 2, 6, 5, 4)],
        "yes": [True, False, None, True, False, True],
        "c": pl.Series(["z", "a", "z", "a", None, "m"], dtype=pl.Categorical),
    }
)


@pytest.fixture
def counter(tmp_path: Path) -> Counter:
    return Counter(tmp_path, 0)


@pytest.mark.parametrize("column", FRAME.columns)
def test_the_order_is_that_of_tables_in_memory(column: str, counter: Counter) -> None:
    names = [column, *(name for name in FRAME.columns if name != column)]
    table = FRAME.select(names).with_columns(pl.col("c").cast(pl.String))
    made = pl.concat(list(sorted_rows(counter, table.iter_slices(2))))
    assert made.equals(arranged(table))
    assert made.schema == table.schema


def test_rows_that_have_no_order_are_refused(counter: Counter) -> None:
    with pytest.raises(WriteError, match="--engine memory"):
        list(sorted_rows(counter, iter([pl.DataFrame({"l": [[1]]})])))


def of(frame: pl.DataFrame, stretch: int = 2) -> RowSum:
    total = RowSum()
    for part in frame.iter_slices(stretch):
        total.add(part)
    return total


def test_the_sum_depends_on_rows_and_not_on_their_order_or_stretches() -> None:
    assert of(FRAME) == of(FRAME.reverse(), 5)
    assert of(FRAME) != of(FRAME[1:])
    assert of(FRAME) != of(pl.concat([FRAME[1:], FRAME[1:2]]))
    assert of(FRAME) != of(FRAME.with_columns(t=pl.Series(["b", "ä", None, None, "B", "b"])))
    swapped = FRAME.with_columns(n=pl.Series([9, 10, None, 9, 10, -1]))
    assert of(FRAME) != of(swapped)

"""Dataframes given back in the kind that came in."""

from __future__ import annotations

import datetime as d

import numpy as np
import pandas as pd
import polars as pl
import pytest

from shoal.io import read, to_kind
from tests.io.sources.test_frames import made_of_pandas
from tests.io.verified import write

FRAME = pl.DataFrame({"age": [34, None, 36], "city": ["Köln", "Bonn", None], "born": [d.date(1990, 1, 2), None, d.date(1988, 5, 4)]})


def test_pandas_comes_back_with_its_types():
    pandas_table = made_of_pandas()
    table = read(pandas_table.reset_index(drop=True))
    rows = np.array([0, 2])
    released = table.frame[rows].with_columns(age=pl.lit("[30, 40)"))
    back = to_kind(released, "pandas", given=table.given, rows=rows, untouched=["city", "seen", "ward", "count"])
    assert list(back.columns) == list(pandas_table.columns)
    assert list(back["age"]) == ["[30, 40)"] * 2
    assert list(back.index) == [0, 1]  # gaps would tell which rows were left out
    kept = ["city", "seen", "count"]
    pd.testing.assert_frame_equal(back[kept], table.given.iloc[rows][kept].reset_index(drop=True))
    assert back["ward"].cat.ordered
    assert table.notes == ()


def test_an_index_that_may_name_people_is_left_out():
    pandas_table = made_of_pandas()
    table = read(pandas_table)
    assert "index is not released" in table.notes[0]
    rows = np.array([0, 2])
    back = to_kind(table.frame[rows], "pandas", given=table.given, rows=rows, untouched=table.columns)
    assert list(back.index) == [0, 1]
    assert back.index.name is None
    assert list(back["city"]) == ["Köln", "Bonn"]


def test_types_do_not_tell_what_the_rows_do_not(tmp_path):
    pandas_table = made_of_pandas()
    """A value that only a withheld row had is not in the list of categories either."""
    table = read(pandas_table)
    back = to_kind(table.frame[[0]], "pandas", given=table.given, rows=np.array([0]), untouched=["ward"])
    assert list(back["ward"].cat.categories) == ["b"]
    frame = pl.DataFrame({"ward": pl.Series(["b", "Zaphod", "a"], dtype=pl.Enum(["b", "Zaphod", "a", "z"]))})
    kept = frame[[2, 0]]
    assert to_kind(kept, "polars").schema == {"ward": pl.Enum(["b", "a"])}
    assert to_kind(kept, "polars")["ward"].to_list() == ["a", "b"]
    assert "Zaphod" not in str(to_kind(kept, "pyarrow").column("ward").chunk(0).dictionary)
    write(kept, tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet").frame.schema == {"ward": pl.String}


def test_pandas_without_what_was_given_has_a_plain_index():
    back = to_kind(FRAME, "pandas")
    assert list(back.index) == [0, 1, 2]
    assert list(back.columns) == FRAME.columns
    with pytest.raises(ValueError):
        to_kind(FRAME, "pandas", given=back, rows=np.array([0]))


def test_pandas_numbers_as_column_names_come_back_as_numbers():
    frame = pd.DataFrame({0: ["x", "y"], 1: [1, 2]})
    table = read(frame)
    assert table.columns == ["0", "1"]
    back = to_kind(table.frame, "pandas", given=table.given, rows=np.arange(2), untouched=["1"])
    pd.testing.assert_frame_equal(back, frame)

"""Dataframes of every kind, taken and given back."""

from __future__ import annotations

import datetime as d

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from shoal.errors import DataError
from shoal.io import read, to_kind
from tests.io.verified import write

FRAME = pl.DataFrame({"age": [34, None, 36], "city": ["Köln", "Bonn", None], "born": [d.date(1990, 1, 2), None, d.date(1988, 5, 4)]})


def test_polars_is_taken_as_it_is():
    table = read(FRAME)
    assert table.frame is FRAME
    assert (table.kind, table.source) == ("polars", "the table")
    assert read(FRAME.lazy()).frame.equals(FRAME)
    assert to_kind(table.frame, table.kind) is FRAME


def test_pyarrow_is_taken_and_given_back():
    arrow = FRAME.to_arrow()
    table = read(arrow)
    assert table.kind == "pyarrow"
    assert table.frame.equals(FRAME)
    back = to_kind(table.frame, table.kind)
    assert isinstance(back, pa.Table)
    assert pl.DataFrame(back).equals(FRAME)


def test_anything_with_an_arrow_stream_is_taken():
    class Foreign:
        def __arrow_c_stream__(self, requested_schema=None):
            return FRAME.__arrow_c_stream__(requested_schema)

    table = read(Foreign())
    assert table.kind == "polars"
    assert table.frame.equals(FRAME)


@pytest.fixture
def pandas_table():
    return pd.DataFrame(
        {
            "age": [34.0, np.nan, 36.0],
            "city": ["Köln", None, "Bonn"],
            "seen": pd.to_datetime(["2024-01-31", None, "2024-02-01 07:30"], format="ISO8601"),
            "ward": pd.Categorical(["b", "a", None], categories=["b", "a", "z"], ordered=True),
            "count": pd.array([1, None, 3], dtype="Int16"),
        },
        index=pd.Index(["p", "q", "r"], name="key"),
    )


def test_pandas_is_taken_with_its_missing_cells(pandas_table):
    table = read(pandas_table)
    assert table.kind == "pandas"
    assert table.columns == list(pandas_table.columns)
    assert table.coded("age").values.to_list() == ["34.0", "36.0"]
    assert table.coded("seen").values.to_list() == ["2024-01-31", "2024-02-01T07:30:00"]
    assert table.coded("ward").values.to_list() == ["a", "b"]
    assert table.coded("count").values.to_list() == ["1", "3"]
    assert [table.coded(c).n_missing for c in table.columns] == [1] * 5


def test_pandas_comes_back_with_its_types(pandas_table):
    table = read(pandas_table.reset_index(drop=True))
    rows = np.array([0, 2])
    released = table.frame[rows].with_columns(age=pl.lit("[30, 40)"))
    back = to_kind(released, "pandas", given=table.given, rows=rows, untouched=["city", "seen", "ward", "count"])
    assert list(back.columns) == list(pandas_table.columns)
    assert list(back["age"]) == ["[30, 40)"] * 2
    assert list(back.index) == [0, 1]  # Gaps would tell which rows were left out
    kept = ["city", "seen", "count"]
    pd.testing.assert_frame_equal(back[kept], table.given.iloc[rows][kept].reset_index(drop=True))
    assert back["ward"].cat.ordered
    assert table.notes == ()


def test_an_index_that_may_name_people_is_left_out(pandas_table):
    table = read(pandas_table)
    assert "index is not released" in table.notes[0]
    rows = np.array([0, 2])
    back = to_kind(table.frame[rows], "pandas", given=table.given, rows=rows, untouched=table.columns)
    assert list(back.index) == [0, 1]
    assert back.index.name is None
    assert list(back["city"]) == ["Köln", "Bonn"]


def test_types_do_not_tell_what_the_rows_do_not(pandas_table, tmp_path):
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
    assert read(tmp_path / "t.parquet").frame.schema == {"ward": pl.Enum(["b", "a"])}


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


MARKER = "Zaphod"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (pd.DataFrame({"a": [1, MARKER, b"x", [2]]}), "Column 'a' mixes kinds of values"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "the column 'a' more than once"),
        (pd.DataFrame([[1, 2]], columns=["a", " "]), "has no name"),
        (pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])), "names of several levels"),
        (pd.DataFrame({"a": []}), "no rows"),
        (pl.DataFrame({"a": []}), "no rows"),
        (pl.DataFrame(), "no rows"),
        (pa.table([[1], [2]], names=["a", "a"]), "the column 'a' more than once"),
        (pl.DataFrame({"a": [MARKER]}).lazy().select(pl.col("a").cast(pl.Int64)), "could not be collected"),
        ([{"a": MARKER}], "not a list"),
        (7, "not a int"),
    ],
)
def test_what_cannot_be_taken_is_refused_without_cells(data, message):
    with pytest.raises(DataError, match=message) as caught:
        read(data)
    assert MARKER not in str(caught.value)
    assert caught.value.__cause__ is None

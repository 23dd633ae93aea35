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


def made_of_pandas() -> pd.DataFrame:
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


def test_pandas_is_taken_with_its_missing_cells():
    pandas_table = made_of_pandas()
    table = read(pandas_table)
    assert table.kind == "pandas"
    assert table.columns == list(pandas_table.columns)
    assert table.coded("age").values.to_list() == ["34.0", "36.0"]
    assert table.coded("seen").values.to_list() == ["2024-01-31", "2024-02-01T07:30:00"]
    assert table.coded("ward").values.to_list() == ["a", "b"]
    assert table.coded("count").values.to_list() == ["1", "3"]
    assert [table.coded(c).n_missing for c in table.columns] == [1] * 5


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

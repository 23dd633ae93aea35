"""A table's columns as sorted values and codes, and its rows by line."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from shoal.errors import DataError
from shoal.table import Table
from shoal.table.table import SMALL


def test_rows_are_named_by_line_in_a_file_and_by_number_elsewhere():
    frame = pl.DataFrame({"a": ["x", "y", "z"]})
    assert Table(frame, lines=np.array([2, 4, 9])).where([1, 2]) == "lines 4, 9"
    assert Table(frame, lines=range(2, 5)).line_of(0) == 2
    assert Table(frame).where([1]) == "row 2"
    assert Table(frame).where(range(3), most=2) == "rows 1, 2 and 1 more"


def test_a_column_that_is_not_there_is_refused():
    with pytest.raises(DataError, match=r"The table has no column 'b'\. Its columns are: a\."):
        Table(pl.DataFrame({"a": [1]})).coded("b")


def test_columns_that_were_coded_are_remembered_by_this_table_and_by_no_other():
    """A table that is made of another has other cells: what was coded of the first is nothing to it.

    Of a large table nothing is kept unasked.
    """
    table = Table(pl.DataFrame({"a": ["x", "NA", "y"], "b": ["1", "2", "3"]}))
    made = table.coded("a")
    assert table.coded("a") is made
    assert table.coded("b").values.to_list() == ["1", "2", "3"]
    assert table.with_missing((), ["a"]).coded("a") is made
    assert table.with_missing(("NA",), ["a"]).coded("a").values.to_list() == ["x", "y"]
    assert replace(table, frame=table.frame.head(1)).coded("a").values.to_list() == ["x"]
    assert table.coded("a") is made
    large = Table(pl.DataFrame({"a": pl.repeat("x", SMALL + 1, eager=True)}))
    coded = large.coded("a")
    assert large.coded("a") is not coded
    large.remember({"a": coded})
    assert large.coded("a") is coded

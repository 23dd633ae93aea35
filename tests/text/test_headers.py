"""A file without a header: its first row is somebody's, and is not shown."""

import polars as pl
import pytest

from shoal.errors import DataError
from shoal.text.headers import columns_in_words, is_headerless, need_header, no_such_columns

ROW = pl.DataFrame({"34": ["36", "34"], "nurse": ["nurse", "cook"], "Ada Byron": ["Ben", "Cem"]})
TABLE = pl.DataFrame({"age": ["36", "34"], "job": ["nurse", "cook"], "name": ["Ben", "Cem"]})


def test_names_that_occur_among_their_own_values_are_a_row():
    assert is_headerless(ROW)
    assert not is_headerless(TABLE)
    assert not is_headerless(TABLE.head(0))


def test_no_message_shows_that_row():
    assert "Ada" not in columns_in_words(ROW)
    assert "does the file have one?" in columns_in_words(ROW)
    with pytest.raises(DataError, match="does the file have one") as told:
        need_header(ROW, "people.csv")
    assert "nurse" not in str(told.value)


def test_a_header_is_named():
    assert columns_in_words(TABLE) == "Its columns are: age, job, name."
    need_header(TABLE, "people.csv")


def test_a_name_in_another_case_or_with_a_slip_is_offered():
    assert no_such_columns(TABLE, "t.csv", ["Age"]) == "t.csv has no column 'Age'. Its columns are: age, job, name. Did you mean 'age'?"
    assert no_such_columns(TABLE, "t.csv", ["jbo", "x"]).startswith("t.csv has no columns 'jbo', 'x'.")
    assert "Did you mean" not in no_such_columns(ROW, "t.csv", [ROW.columns[0].upper()])

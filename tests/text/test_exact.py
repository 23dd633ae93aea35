"""Cells that a reader of the file can tell apart are told apart here."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.text.exact import differing


@pytest.mark.parametrize(
    ("one", "other"), [([None, None, 1.0, 1.0], [float("nan"), None, 1.0, 1.0]), ([0.0, 0.0, 1.0, 1.0], [-0.0, 0.0, 1.0, 1.0])]
)
def test_what_a_reader_of_parquet_tells_apart(one, other, tmp_path):
    """NaN and null, and the two zeros, were counted as alike, in groups and in columns that are kept."""
    before, after = (pl.DataFrame({"q": pl.Series(cells, dtype=pl.Float64), "x": ["a"] * 4}) for cells in (one, other))
    before.write_parquet(tmp_path / "o.parquet")
    after.write_parquet(tmp_path / "r.parquet")
    shoal.verify(tmp_path / "o.parquet", tmp_path / "o.parquet", k=2, quasi_identifiers=["q"])
    with pytest.raises(shoal.NotAnonymous, match="fewer than 2 rows"):
        shoal.verify(tmp_path / "o.parquet", tmp_path / "r.parquet", k=2, quasi_identifiers=["q"])
    with pytest.raises(shoal.NotAnonymous, match="'q' is in both tables"):
        shoal.verify(tmp_path / "o.parquet", tmp_path / "r.parquet", k=2, quasi_identifiers=["x"])


def test_a_column_that_stays_is_compared_cell_by_cell():
    before = pl.Series(["a", None, "", "1"])
    assert differing(before, pl.Series(["a", None, "", "1"])).to_list() == [False] * 4
    assert differing(before, pl.Series(["A", "", None, "1.0"])).to_list() == [True] * 4


def test_a_text_file_has_one_zero_and_no_cell_for_what_is_no_number():
    """Written as CSV and read back, −0.0 is the text of 0 and NaN an empty cell: that is no change of the table."""
    before = pl.Series([0.0, float("nan"), 1.5])
    assert differing(before, pl.Series(["0.0", None, "1.5"])).to_list() == [False] * 3
    assert differing(before, pl.Series(["0.0", None, "1.6"])).to_list() == [False, False, True]
    assert differing(before, pl.Series([-0.0, None, 1.5])).to_list() == [True, True, False], "but a reader of Parquet can tell"


def test_lists_are_compared_as_they_are():
    lists = pl.Series([[1], None])
    assert differing(lists, lists).to_list() == [False, False]
    assert differing(lists, pl.Series([[2], None])).to_list() == [True, False]
    assert differing(lists, pl.Series(["[1]", None])).all()

"""Parquet files keep their types, and damaged ones are refused."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.errors import DataError
from shoal.io import read


def test_parquet_keeps_types_and_counts_rows(tmp_path):
    frame = pl.DataFrame({"n": [1, None], "t": ["x", "y"], "l": [[1], [2]], "c": pl.Series(["u", "v"], dtype=pl.Categorical)})
    frame.write_parquet(tmp_path / "t.parquet")
    table = read(tmp_path / "t.parquet")
    assert table.frame.schema == frame.schema
    assert table.frame.equals(frame)
    assert table.where([0, 1]) == "rows 1, 2"


def test_a_parquet_file_without_rows_is_refused(tmp_path):
    pl.DataFrame({"a": []}, schema={"a": pl.String}).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataError, match="has no rows"):
        read(tmp_path / "t.parquet")

"""Parquet keeps types, and tells nothing that the rows do not."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest

from shoal.io.source import file_sha256
from tests.io.targets.test_files import FRAME, streamed


@pytest.mark.parametrize("stretch", [1, 100])
def test_parquet_keeps_types_and_no_label_that_no_row_shows(stretch: int, tmp_path: Path) -> None:
    """Categories of the original that were withheld, or are in no row of a stretch, must not be in the file."""
    told = streamed(tmp_path / "t.parquet", FRAME.filter(pl.col("c") == "u"), stretch)
    back = pl.read_parquet(tmp_path / "t.parquet")
    assert back.drop("c").equals(FRAME.filter(pl.col("c") == "u").drop("c"))
    assert back["c"].cast(pl.String).to_list() == ["u", "u"]
    assert told == file_sha256(tmp_path / "t.parquet")
    assert b"v" not in {v.as_py().encode() for v in pq.read_table(tmp_path / "t.parquet")["c"].unique()}
    assert "dictionary" not in str(pq.read_schema(tmp_path / "t.parquet"))

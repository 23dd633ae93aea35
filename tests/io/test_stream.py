"""Writing in stretches gives the file that writing whole gives."""

from __future__ import annotations

import datetime as dt
import hashlib
import io
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest

from shoal.errors import WriteError
from shoal.io import read
from shoal.io.stream import StreamWriter, file_sha256
from shoal.io.writer import write_for_owner

FRAME = pl.DataFrame(
    {
        "=name": ['a"b', "=1+1", None, "", "x\ny"],
        "n": [1, 2, None, 4, 5],
        "f": [0.5, -0.0, float("nan"), None, 1e20],
        "day": [dt.date(2024, 1, 31)] * 5,
        "c": pl.Series(["u", "v", "u", None, "v"], dtype=pl.Categorical),
    }
)


def streamed(path: Path, frame: pl.DataFrame, stretch: int, **how: object) -> str:
    with path.open("wb") as file:
        writer = StreamWriter(file, str(path), **how)  # type: ignore[arg-type]
        for at in range(0, frame.height, stretch):
            writer.write(frame[at : at + stretch])
        return writer.finish()


@pytest.mark.parametrize("stretch", [1, 2, 100])
@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.csv.gz"])
def test_texts_are_the_same_bytes(name: str, stretch: int, tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    expected = write_for_owner(FRAME, tmp_path / "whole" / name)
    told = streamed(tmp_path / name, FRAME, stretch)
    assert told == hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == file_sha256(tmp_path / name)
    if not name.endswith(".gz"):
        assert told == expected
    assert read(tmp_path / name).frame.equals(read(tmp_path / "whole" / name).frame)


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


def test_cells_are_made_safe_for_spreadsheets(tmp_path: Path) -> None:
    streamed(tmp_path / "t.csv", FRAME, 2, spreadsheet_safe=True)
    text = (tmp_path / "t.csv").read_text()
    assert text.startswith("'=name")
    assert "'=1+1" in text


def test_cells_without_a_text_are_refused_as_when_written_whole() -> None:
    with pytest.raises(WriteError, match="cannot be written as text"):
        StreamWriter(io.BytesIO(), "t.csv").write(pl.DataFrame({"l": [[1]]}))

"""Parquet files keep their types, and damaged ones are refused."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from shoal.errors import DataError
from shoal.io import read
from shoal.io.sources import parquet as module
from shoal.io.sources.parquet import ParquetSource


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


def test_numbers_of_more_than_64_bits_are_refused_in_words(tmp_path: Path) -> None:
    pl.DataFrame({"a": pl.Series([1, 2], dtype=pl.Int128)}).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataError, match="more than 64 bits"):
        read(tmp_path / "t.parquet")


def test_parquet_in_stretches_keeps_types_and_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS", 3)
    frame = pl.DataFrame({"n": [1, None, 3, 4], "t": ["x", "y", None, ""], "f": [0.5, -0.0, float("nan"), None], "l": [[1], [2], [], None]})
    frame.write_parquet(tmp_path / "t.parquet")
    made = ParquetSource(tmp_path / "t.parquet")
    found = pl.concat([p.frame for p in made.stretches()])
    assert found.equals(frame, null_equal=True)
    assert found.schema == frame.schema
    assert [p.frame.columns for p in made.stretches(["t", "n"])] == [["t", "n"]] * 2


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("cut", "cut short"),
        ("middle", "damaged or encrypted"),
        ("text", "is not a Parquet file"),
        ("no rows", "has no rows"),
        ("nothing", "is empty"),
    ],
)
def test_damaged_files_are_refused(damage: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame({"a": [str(i) for i in range(2000)]}, schema={"a": pl.String}).write_parquet(path)
    data = path.read_bytes()
    if damage == "no rows":
        pl.DataFrame(schema={"a": pl.String}).write_parquet(path)
    else:
        path.write_bytes(
            {"cut": data[:-5], "middle": data[:20] + b"\xff" * 300 + data[320:], "text": b"a,b\n1,2\n", "nothing": b""}[damage]
        )
    with pytest.raises(DataError, match=said):
        read(path)


def test_a_folder_and_a_pattern_are_read_in_the_order_of_names(tmp_path: Path) -> None:
    folder = tmp_path / "people"
    folder.mkdir()
    for name, rows in (("part-2.parquet", ["c"]), ("part-1.parquet", ["a", "b"])):
        pl.DataFrame({"x": rows}).write_parquet(folder / name)
    (folder / "_SUCCESS").touch()
    (folder / ".part-1.crc").touch()
    for path in (str(folder), f"{folder}/part-*.parquet"):
        made = ParquetSource(path)
        assert [cell for p in made.stretches() for cell in p.frame["x"].to_list()] == ["a", "b", "c"]
        assert [p.first for p in made.stretches()] == [0, 2]


def test_folders_that_are_no_table_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "people"
    folder.mkdir()
    for path in (str(folder), f"{folder}/*.parquet"):
        with pytest.raises(DataError, match="There is no Parquet file"):
            ParquetSource(path)
    pl.DataFrame({"x": [1]}).write_parquet(folder / "a.parquet")
    pl.DataFrame({"y": [1]}).write_parquet(folder / "b.parquet")
    with pytest.raises(DataError, match="must be alike"):
        _ = ParquetSource(str(folder)).columns
    (folder / "b.parquet").unlink()
    (folder / "notes.csv").write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match="more than Parquet files"):
        _ = ParquetSource(str(folder)).columns


@pytest.mark.parametrize(("mark", "kind"), [("_delta_log", "Delta"), (".hoodie", "Hudi")])
def test_a_table_that_keeps_deleted_rows_is_not_read_as_its_files(tmp_path: Path, mark: str, kind: str) -> None:
    """Its folder has files of older versions too: rows that somebody had deleted would be released."""
    (tmp_path / mark).mkdir()
    pl.DataFrame({"a": ["deleted"]}).write_parquet(tmp_path / "old.parquet")
    for name in (str(tmp_path), f"{tmp_path}/*.parquet"):
        with pytest.raises(DataError, match=f"a table of {kind}"):
            ParquetSource(name)

"""Several Parquet files that are one table, as Spark writes them: every command that reads a table takes them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from shoal.cli.main import run
from shoal.errors import DataError
from shoal.io import read


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The table 'people' in one file, and a release of it as Spark leaves it: in parts, with its own notes beside them."""
    monkeypatch.chdir(tmp_path)
    people = pl.DataFrame(
        {"age": [20 + i % 9 for i in range(90)], "zip": [f"80{i % 4}" for i in range(90)], "ill": ["abc"[i % 3] for i in range(90)]}
    )
    people.write_parquet("people.parquet")
    assert (
        run(["anonymize", "people.parquet", "-o", "whole.parquet", "-k", "5", "--qi", "age", "--qi", "zip", "--quiet", "--keep-order"]) == 0
    )
    made = tmp_path / "release"
    made.mkdir()
    whole = pl.read_parquet("whole.parquet")
    for part in range(3):
        whole[30 * part : 30 * (part + 1)].write_parquet(made / f"part-0000{part}.snappy.parquet")
        (made / f".part-0000{part}.snappy.parquet.crc").write_bytes(b"crc\0")
    (made / "_SUCCESS").touch()
    (made / "._SUCCESS.crc").write_bytes(b"crc\0")
    return made


QI = ("--qi", "age", "--qi", "zip")


def test_a_cell_that_does_not_belong_is_found_in_a_folder(folder: Path):
    last = folder / "part-00002.snappy.parquet"
    pl.read_parquet(last).with_columns(age=pl.lit("99")).write_parquet(last)
    assert run(["verify", "people.parquet", "release", "-k", "5", *QI]) == 1


def test_parts_come_in_the_order_of_their_names_and_notes_are_passed_over(folder: Path):
    table = read(folder)
    assert table.frame.equals(pl.read_parquet("whole.parquet"))
    assert table.source == str(folder)
    assert read(f"{folder}/part-*.parquet").frame.equals(table.frame)


def test_what_is_no_table_is_refused(folder: Path):
    (folder / "notes.csv").write_text("age\n1\n")
    with pytest.raises(DataError, match=r"holds more than Parquet files \('notes.csv'\)"):
        read(folder)
    (folder / "notes.csv").unlink()
    (folder / "part-00001.snappy.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(DataError, match="cut short"):
        read(folder)


def test_nothing_is_written_among_the_files_that_are_read(folder: Path, capsys: pytest.CaptureFixture[str]):
    before = sorted(folder.iterdir())
    for more in (["-o", "release/again.parquet"], ["-o", "again.csv", "--manifest", "release/again.json"]):
        assert run(["anonymize", "release", *more, "-k", "5", "--qi", "zip"]) == 2
        assert "among the files that are read" in capsys.readouterr().err
    assert sorted(folder.iterdir()) == before
    assert run(["anonymize", "people.parquet", "-o", "release", "-k", "5", "--qi", "zip", "--force"]) == 2
    assert "is a folder" in capsys.readouterr().err

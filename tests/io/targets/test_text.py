"""The same bytes each time, never over the input, and no formula for a spreadsheet."""

from __future__ import annotations

import datetime as d
import os
import subprocess
import sys

import polars as pl
import pytest

from shoal.errors import WriteError
from shoal.io import check_output, read
from tests.io.verified import write

FRAME = pl.DataFrame({"zip": ["007", None, ""], "n": [1, 2, 3], "day": [d.date(2024, 1, 2), None, d.date(2024, 1, 3)]})
ENDINGS = ["csv", "csv.gz", "tsv", "parquet"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_same_bytes_each_time_under_any_name(tmp_path, ending):
    for name in ("a", "b"):
        write(FRAME, tmp_path / f"{name}.{ending}")
    assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()
    assert sorted(os.listdir(tmp_path)) == [f"a.{ending}", f"b.{ending}"]


def test_every_type_is_written_as_text(tmp_path):
    write(FRAME, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes() == b'zip,n,day\n007,1,2024-01-02\n,2,\n"",3,2024-01-03\n'
    write(FRAME, tmp_path / "t.csv", delimiter=";")
    assert (tmp_path / "t.csv").read_bytes().startswith(b"zip;n;day\n")


def test_parquet_keeps_types(tmp_path):
    write(FRAME, tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet").frame.equals(FRAME)


def test_standard_output_gets_the_table():
    code = "import polars as pl; from tests.io.verified import write; write(pl.DataFrame({'a': ['x', None]}), '-')"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"a\nx\n\n"


def test_places_that_cannot_be_written_are_named(tmp_path, monkeypatch):
    with pytest.raises(WriteError, match=r"the folder '.*nope' does not exist. Create it first"):
        write(FRAME, tmp_path / "nope" / "t.csv")
    (tmp_path / "file").touch()
    with pytest.raises(WriteError, match=r"the folder '.*file' is not a folder"):
        write(FRAME, tmp_path / "file" / "t.csv")
    with pytest.raises(WriteError, match="is a folder"):
        write(FRAME, tmp_path)
    with pytest.raises(WriteError, match="an ending that shoal does not know"):
        write(FRAME, tmp_path / "t.xlsx")
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(WriteError, match="you may not write there"):
        check_output(tmp_path / "t.csv")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_the_input_is_never_the_output(tmp_path):
    given = tmp_path / "t.csv"
    write(FRAME, given)
    (tmp_path / "soft.csv").symlink_to(given)
    os.link(given, tmp_path / "hard.csv")
    (tmp_path / "sub").mkdir()
    table = read(given)
    for output in (given, tmp_path / "soft.csv", tmp_path / "hard.csv", tmp_path / "sub" / ".." / "t.csv"):
        with pytest.raises(WriteError, match="is also the input"):
            write(FRAME, output, inputs=[table.given])
    check_output(tmp_path / "other.csv", inputs=[table.given, None])
    check_output("-", inputs=["-"])


def test_columns_without_a_text_are_refused_for_csv(tmp_path):
    frame = pl.DataFrame({"a": ["x"], "l": [[1, 2]]})
    with pytest.raises(WriteError, match=r"Column 'l' holds List\(Int64\), which has no form in CSV. Write .parquet"):
        write(frame, tmp_path / "t.csv")
    write(frame, tmp_path / "t.parquet")
    assert [p.name for p in tmp_path.iterdir()] == ["t.parquet"]


def test_durations_have_a_text(tmp_path):
    write(pl.DataFrame({"stay": [d.timedelta(days=2, hours=3), None], "x": [1, 2]}), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "stay,x\nP2DT3H,1\n,2\n"

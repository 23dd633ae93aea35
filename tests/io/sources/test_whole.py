"""Files of other programs."""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.errors import DataError
from shoal.io import read
from shoal.io.endings import READ
from shoal.io.sources.whole import READERS


def test_what_to_install_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, ending, extra in (("fastexcel", ".xlsx", "excel"), ("pyreadstat", ".sav", "stats")):
        (tmp_path / f"t{ending}").write_bytes(b"x")
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(DataError, match=rf"pip install 'shoal\[{extra}\]', or pip install {module}"):
            read(tmp_path / f"t{ending}")


@pytest.mark.parametrize("ending", list(READERS))
def test_a_damaged_file_is_refused_in_words(tmp_path: Path, ending: str) -> None:
    if ending not in (".jsonl", ".ndjson", ".arrow", ".feather", ".ipc"):
        pytest.importorskip("fastexcel" if ending in (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods") else "pyreadstat")
    path = tmp_path / f"t{ending}"
    path.write_bytes(b"ZebraMarker77 is no such file\n" * 5)
    with pytest.raises(DataError) as error:
        read(path)
    assert "ZebraMarker77" not in str(error.value)
    assert ending in str(error.value)


def test_a_release_of_a_foreign_file_is_verified_against_it(tmp_path: Path) -> None:
    pl.DataFrame({"age": [20 + i % 10 for i in range(60)], "job": ["cook", "nurse", "clerk"] * 20}).write_ipc(tmp_path / "t.arrow")
    release = shoal.anonymize(tmp_path / "t.arrow", k=3, quasi_identifiers=["age", "job"])
    release.write(tmp_path / "r.csv")
    assert shoal.verify(tmp_path / "t.arrow", tmp_path / "r.csv", k=3, quasi_identifiers=["age", "job"]).n_rows == 60


def test_the_message_names_what_is_read() -> None:
    assert all(ending in READ for ending in (".xlsx", ".sav", ".dta", ".sas7bdat", ".jsonl", ".feather"))


def test_nested_columns_stop_nothing(tmp_path: Path) -> None:
    """A list, struct, bytes or duration column passes through, or is dropped if it is an identifier."""
    from shoal.cli.main import run

    frame = pl.DataFrame(
        {"age": [20 + i % 6 for i in range(60)], "seen": [["a"], ["b", "c"]] * 30, "pair": [{"x": 1}] * 60, "raw": [b"x"] * 60}
    )
    frame.write_parquet(tmp_path / "t.parquet")
    with pytest.warns(shoal.errors.ShoalWarning, match="seen, pair, raw"):
        kept = shoal.anonymize(tmp_path / "t.parquet", k=3, quasi_identifiers=["age"])
    assert kept.frame.columns == frame.columns
    kept.write(tmp_path / "r.parquet")
    assert shoal.verify(tmp_path / "t.parquet", tmp_path / "r.parquet", k=3, quasi_identifiers=["age"]).n_rows == 60
    dropped = shoal.anonymize(tmp_path / "t.parquet", k=3, quasi_identifiers=["age"], identifiers=["seen", "pair", "raw"])
    assert dropped.frame.columns == ["age"]
    for command in (["assess"], ["init", "-o", str(tmp_path / "p.toml")], ["hierarchy", "suggest", "-o", str(tmp_path / "h")]):
        assert run([*command, str(tmp_path / "t.parquet")]) == 0

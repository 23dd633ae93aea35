"""Files of other programs."""

from __future__ import annotations

import gzip
import sys
import zipfile
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.errors import DataError
from shoal.io import read
from shoal.io.endings import READ
from shoal.io.foreign import READERS

TABLE = pl.DataFrame({"age": [31, 45, None], "job": ["cook", "nurse", "cook"], "wage": [10.5, 20.0, 7.25]})
SHEET = """<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>"""


def workbook(path: Path, **sheets: list[list[object]]) -> Path:
    """A small workbook, written by hand."""
    kinds = "".join(
        f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
        for i in range(1, len(sheets) + 1)
    )
    space = "http://schemas.openxmlformats.org"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("[Content_Types].xml", f'<?xml version="1.0"?><Types xmlns="{space}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>{kinds}</Types>')  # fmt: skip
        file.writestr("_rels/.rels", f'<?xml version="1.0"?><Relationships xmlns="{space}/package/2006/relationships"><Relationship Id="r1" Type="{space}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>')  # fmt: skip
        names = "".join(f'<sheet name="{name}" sheetId="{i}" r:id="r{i}"/>' for i, name in enumerate(sheets, start=1))
        file.writestr("xl/workbook.xml", f'<?xml version="1.0"?><workbook xmlns="{space}/spreadsheetml/2006/main" xmlns:r="{space}/officeDocument/2006/relationships"><sheets>{names}</sheets></workbook>')  # fmt: skip
        targets = "".join(f'<Relationship Id="r{i}" Type="{space}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet{i}.xml"/>' for i in range(1, len(sheets) + 1))  # fmt: skip
        file.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<?xml version="1.0"?><Relationships xmlns="{space}/package/2006/relationships">{targets}</Relationships>',
        )
        for i, rows in enumerate(sheets.values(), start=1):
            file.writestr(
                f"xl/worksheets/sheet{i}.xml", SHEET.format(rows="".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows))
            )
    return path


def cell(value: object) -> str:
    return f"<c><v>{value}</v></c>" if isinstance(value, int | float) else f'<c t="inlineStr"><is><t>{value}</t></is></c>'


def test_a_workbook_of_one_sheet_is_read_with_types(tmp_path: Path) -> None:
    pytest.importorskip("fastexcel")
    path = workbook(tmp_path / "t.xlsx", people=[["age", "job"], [31, "cook"], [45, "nurse"]])
    frame = read(path).frame
    assert frame.rows() == [(31, "cook"), (45, "nurse")]
    assert frame.schema["age"] == pl.Int64


def test_of_several_sheets_one_is_named(tmp_path: Path) -> None:
    pytest.importorskip("fastexcel")
    path = workbook(tmp_path / "t.xlsx", notes=[["x"], [1]], people=[["age"], [31], [45]])
    with pytest.raises(DataError, match=r"has 2 sheets: notes, people.*Which one"):
        read(path)
    assert read(f"{path}#people").frame.rows() == [(31,), (45,)]
    with pytest.raises(DataError, match=r"no sheet 'men'\. Its sheets are: notes, people"):
        read(f"{path}#men")


def test_titles_above_the_table_are_passed_over_when_told_where_it_begins(tmp_path: Path) -> None:
    """Spreadsheets have titles, empty rows and empty columns before the table."""
    pytest.importorskip("fastexcel")
    rows = [["Salaries 2025"], [], ["age", "job"], [31, "cook"], [45, "nurse"]]
    path = workbook(tmp_path / "t.xlsx", people=rows, more=[["x"], [1]])
    with pytest.raises(DataError, match=r"column 2 has no name in row 1 of.*t\.xlsx#people:3'"):
        read(f"{path}#people")
    assert read(f"{path}#people:3").frame.rows() == [(31, "cook"), (45, "nurse")]
    assert read(f"{path}#people:B3").frame.rows() == [("cook",), ("nurse",)]
    with pytest.raises(DataError, match=r"no sheet 'men'"):
        read(f"{path}#men:3")
    single = workbook(tmp_path / "s.xlsx", people=rows)
    assert read(f"{single}#:3").frame.columns == ["age", "job"]
    with pytest.raises(DataError, match="no rows"):
        read(f"{single}#:5")


def test_a_sheet_in_which_no_row_names_every_column_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("fastexcel")
    path = workbook(tmp_path / "t.xlsx", people=[["Salaries 2025"], [31, "", "cook"], [45, "", "nurse"]])
    with pytest.raises(DataError, match="delete what stands above or beside the table"):
        read(path)


def test_codes_become_their_labels(tmp_path: Path) -> None:
    stats = pytest.importorskip("pyreadstat")
    coded = pl.DataFrame({"sex": [1.0, 2.0, 1.0], "age": [31.0, 45.0, 28.5], "n": [1.0, 2.0, 9.0]})
    labels = {"sex": {1: "male", 2: "female"}, "n": {9: "unknown"}}
    stats.write_sav(coded, str(tmp_path / "t.sav"), variable_value_labels=labels)
    stats.write_dta(coded, str(tmp_path / "t.dta"), variable_value_labels={"sex": labels["sex"]})
    stats.write_xport(coded, str(tmp_path / "t.xpt"))
    assert read(tmp_path / "t.sav").frame.rows() == [("male", 31.0, "1"), ("female", 45.0, "2"), ("male", 28.5, "unknown")]
    assert read(tmp_path / "t.dta").frame["sex"].to_list() == ["male", "female", "male"]
    assert read(tmp_path / "t.xpt").frame["sex"].to_list() == [1, 2, 1]


def test_json_lines_and_arrow_files_are_read(tmp_path: Path) -> None:
    TABLE.write_ndjson(tmp_path / "t.jsonl")
    TABLE.write_ipc(tmp_path / "t.arrow")
    TABLE.write_ipc_stream(tmp_path / "t.feather")
    for name in ("t.jsonl", "t.arrow", "t.feather"):
        assert read(tmp_path / name).frame.equals(TABLE), name


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


def test_a_file_that_sas_wrote_is_read(tmp_path: Path) -> None:
    pytest.importorskip("pyreadstat")
    path = tmp_path / "iris.sas7bdat"
    path.write_bytes(gzip.decompress((Path(__file__).parents[2] / "vectors" / "iris.sas7bdat.gz").read_bytes()))
    frame = read(path).frame
    assert frame.shape == (150, 5)
    assert frame["Species"].value_counts().sort("Species").rows() == [("setosa", 50), ("versic", 50), ("virgin", 50)]  # SAS cut them
    assert frame.row(0) == (5.1, 3.5, 1.4, 0.2, "setosa")

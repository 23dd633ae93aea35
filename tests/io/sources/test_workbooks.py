"""Workbooks: one sheet, several, titles above the table."""

from __future__ import annotations

import zipfile
from pathlib import Path

import polars as pl
import pytest

from shoal.errors import DataError
from shoal.io import read

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

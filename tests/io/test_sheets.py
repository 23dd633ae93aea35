"""Workbooks of a few kilobytes whose cells would fill any memory."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from shoal.errors import DataError
from shoal.io import read
from shoal.io.sheets import held_by
from tests.io.sources.test_workbooks import SHEET, workbook

BEYOND = "holds more than 100 times"
SPACES = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text"))


def with_sheet(path: Path, rows: str) -> Path:
    """A workbook with this sheet."""
    workbook(path, t=[["age"], [1]])
    with zipfile.ZipFile(path) as book:
        parts = {part.filename: book.read(part) for part in book.infolist()}
    parts["xl/worksheets/sheet1.xml"] = SHEET.format(rows=rows).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        for name, text in parts.items():
            book.writestr(name, text)
    return path


def document(path: Path, rows: str) -> Path:
    """A sheet of OpenDocument."""
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    space = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr(zipfile.ZipInfo("mimetype"), kind)
        entry = f'<m:file-entry m:full-path="/" m:media-type="{kind}"/>'
        book.writestr("META-INF/manifest.xml", f'<?xml version="1.0"?><m:manifest xmlns:m="{space}">{entry}</m:manifest>')
        sheet = f'<table:table table:name="t">{rows}</table:table>'
        body = f"<office:body><office:spreadsheet>{sheet}</office:spreadsheet></office:body>"
        book.writestr("content.xml", f'<?xml version="1.0"?><office:document-content {SPACES}>{body}</office:document-content>')
    return path


def row(*cells: str, times: int = 1) -> str:
    said = "".join(f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>' for cell in cells)
    return f'<table:table-row table:number-rows-repeated="{times}">{said}</table:table-row>'


def test_a_cell_far_from_all_others_is_refused(tmp_path: Path):
    """The library makes a place for each cell between: 400 GB, and the process was ended by the system."""
    pytest.importorskip("fastexcel")
    rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>age</t></is></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    with pytest.raises(DataError, match=BEYOND):
        read(with_sheet(tmp_path / "t.xlsx", rows))


def test_a_stray_cell_at_the_end_of_a_column_is_not(tmp_path: Path):
    pytest.importorskip("fastexcel")
    rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>age</t></is></c></row><row r="200000"><c r="A200000"><v>1</v></c></row>'
    assert read(with_sheet(tmp_path / "t.xlsx", rows)).n_rows == 199_999


def test_a_shared_text_counts_for_every_cell_that_shows_it():
    cells = b'<c t="s"><v>1</v></c>' * 1000 + b"<x:c r='B2' t='s'> <x:v> 0 </x:v></x:c>"
    parts = {
        "xl/sharedStrings.xml": b"<sst><si><t>age</t></si><si><t>" + b"y" * 32_000 + b"</t></si></sst>",
        "xl/worksheets/sheet1.xml": cells,
    }
    assert held_by(parts) == 1000 * (32_000 + 7) + len("<t>age</t>") + 2 * 2 * 2


def test_a_row_of_opendocument_that_is_repeated_is_refused(tmp_path: Path):
    """A text of 30 KB in a million rows: 31 GB."""
    pytest.importorskip("fastexcel")
    assert read(document(tmp_path / "a.ods", row("age") + row("31") + row("45"))).n_rows == 2
    with pytest.raises(DataError, match=BEYOND):
        read(document(tmp_path / "b.ods", row("age") + row("1" * 30_000, times=1_048_575)))


def test_empty_rows_at_the_end_of_a_sheet_are_nothing(tmp_path: Path):
    """Office programs write them so."""
    pytest.importorskip("fastexcel")
    empty = (
        '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="1024"/></table:table-row>'
    )
    assert read(document(tmp_path / "t.ods", row("age") + row("31") + row("45") + empty)).n_rows == 2

"""Files by their endings, and what is refused without a cell in the message."""

from __future__ import annotations

import gzip

import pytest

from shoal.errors import DataError
from shoal.io import read
from tests.io.texts import TEXT, put


def test_a_tsv_file_is_cut_at_tabs(tmp_path):
    assert read(put(tmp_path, "t.tsv", "a\tb\n1,2\t3\n")).frame.rows() == [("1,2", "3")]


def test_a_table_remembers_the_path_it_came_from(tmp_path):
    path = put(tmp_path, "t.csv", TEXT)
    table = read(str(path))
    assert (table.kind, table.source, table.given) == ("path", str(path), path)


PARQUET = b"PAR1" + b"\0" * 20 + b"PAR1"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("t.csv", b"", "is empty"),
        ("t.parquet", b"", "is empty"),
        ("t.parquet", TEXT, "is not a Parquet file"),
        ("t.parquet", b"PAR1....", "cut short"),
        ("t.parquet", PARQUET, "damaged or encrypted"),
        ("t.csv", b"PK\x03\x04\x14\x00\x06\x00", "Excel workbook"),
        ("t.csv", PARQUET, "a Parquet file: rename it"),
        ("t.csv", b"a,b\n1,2\nx\0y,3\n", r"NUL bytes \(line 3\)"),
        ("t.csv", TEXT.encode("utf-16-le"), "UTF-16 without its byte-order mark. Give its encoding: utf-16-le"),
        ("t.csv", TEXT.encode("utf-16-be"), "utf-16-be"),
        ("t.csv", b"\xef\xbb\xbfa,b\n1,\xff\n", "not text in utf-8: line 2"),
        ("t.csv", bytes(range(1, 32)) * 10 + b"\xff\xfe", "is not text"),
        ("t.csv.gz", TEXT, "is not packed with gzip"),
        ("t.csv.gz", gzip.compress(TEXT.encode() * 50, mtime=0)[:-20], "damaged or cut short"),
        ("t.docx", b"PK\x03\x04", "an ending that shoal does not know"),
        ("t", TEXT, "an ending that shoal does not know"),
    ],
)
def test_bad_files_are_refused(tmp_path, name, data, message):
    with pytest.raises(DataError, match=message) as caught:
        read(put(tmp_path, name, data))
    assert "José" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.exit_status == 2

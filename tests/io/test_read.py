"""Files in all their forms, and what is refused."""

from __future__ import annotations

import gzip
import io
import os
import threading

import polars as pl
import pytest

from shoal.errors import DataError
from shoal.io import read

TEXT = "name,city\nJosé,Köln\n"
ROWS = [("José", "Köln")]


def put(folder, name, data):
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings_with_a_mark_or_in_utf8(tmp_path, encoding):
    table = read(put(tmp_path, "t.csv", TEXT.encode(encoding)))
    assert table.columns == ["name", "city"]
    assert table.frame.rows() == ROWS
    assert table.notes == ()


def test_other_encodings_are_guessed_with_a_note(tmp_path):
    table = read(put(tmp_path, "t.csv", TEXT.encode("cp1252")))
    assert table.frame.rows() == ROWS
    assert "read as Windows-1252" in table.notes[0]
    assert "Latin-1" in read(put(tmp_path, "l.csv", b"a,b\n\x81\xe9,2\n")).notes[0]


def test_an_encoding_that_is_given_is_taken(tmp_path):
    path = put(tmp_path, "t.csv", "a,b\nŁódź,1\n".encode("cp1250"))
    assert read(path, encoding="cp1250").frame.rows() == [("Łódź", "1")]
    assert read(put(tmp_path, "u.csv", TEXT.encode("utf-16-le")), encoding="utf-16-le").frame.rows() == ROWS
    with pytest.raises(DataError, match="no encoding called 'klingon'"):
        read(path, encoding="klingon")
    with pytest.raises(DataError, match="is not text in utf-8: line 2 has bytes"):
        read(path, encoding="utf-8")


@pytest.mark.parametrize("name", ["t.csv.gz", "T.CSV.GZ", "t.csv", "t.txt"])
def test_gzip_is_known_by_its_content(tmp_path, name):
    assert read(put(tmp_path, name, gzip.compress(TEXT.encode(), mtime=0))).frame.rows() == ROWS


def test_tabs(tmp_path):
    assert read(put(tmp_path, "t.tsv", "a\tb\n1,2\t3\n")).frame.rows() == [("1,2", "3")]


def test_standard_input(monkeypatch):
    class Stdin:
        buffer = io.BytesIO(TEXT.encode())

    monkeypatch.setattr("sys.stdin", Stdin)
    table = read("-")
    assert table.frame.rows() == ROWS
    assert table.source == "standard input"
    assert table.given is None


def test_a_table_from_a_path(tmp_path):
    path = put(tmp_path, "t.csv", TEXT)
    table = read(str(path))
    assert (table.kind, table.source, table.given) == ("path", str(path), path)


def test_parquet_keeps_types_and_counts_rows(tmp_path):
    frame = pl.DataFrame({"n": [1, None], "t": ["x", "y"], "l": [[1], [2]], "c": pl.Series(["u", "v"], dtype=pl.Categorical)})
    frame.write_parquet(tmp_path / "t.parquet")
    table = read(tmp_path / "t.parquet")
    assert table.frame.schema == frame.schema
    assert table.frame.equals(frame)
    assert table.where([0, 1]) == "rows 1, 2"


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


def test_a_pipe_is_read_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(TEXT.encode(),))
    writer.start()
    assert read(pipe).frame.rows() == ROWS
    writer.join()


def test_a_file_that_is_not_there_and_a_folder(tmp_path):
    with pytest.raises(DataError, match=r"There is no file '.*nope.csv'"):
        read(tmp_path / "nope.csv")
    with pytest.raises(DataError, match="is a folder"):
        read(tmp_path)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_that_may_not_be_read(tmp_path, ending, monkeypatch):
    path = put(tmp_path, f"t.{ending}", TEXT)

    def refuse(*args, **options):
        raise PermissionError(13, os.strerror(13))

    monkeypatch.setattr(type(path), "open", refuse)
    monkeypatch.setattr(type(path), "read_bytes", refuse)
    with pytest.raises(DataError, match=r"permission denied\. Check its permissions"):
        read(path)


def test_a_parquet_file_without_rows(tmp_path):
    pl.DataFrame({"a": []}, schema={"a": pl.String}).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataError, match="has no rows"):
        read(tmp_path / "t.parquet")

"""Where bytes come from: files, packed files, pipes, standard input; and what cannot be read."""

from __future__ import annotations

import gzip
import io
import os
import threading

import pytest

from shoal.errors import DataError
from shoal.io import read
from tests.io.texts import ROWS, TEXT, put


@pytest.mark.parametrize("name", ["t.csv.gz", "T.CSV.GZ", "t.csv", "t.txt"])
def test_gzip_is_known_by_its_content(tmp_path, name):
    assert read(put(tmp_path, name, gzip.compress(TEXT.encode(), mtime=0))).frame.rows() == ROWS


def test_standard_input_is_read(monkeypatch):
    class Stdin:
        buffer = io.BytesIO(TEXT.encode())

    monkeypatch.setattr("sys.stdin", Stdin)
    table = read("-")
    assert table.frame.rows() == ROWS
    assert table.source == "standard input"
    assert table.given is None


def test_a_pipe_is_read_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(TEXT.encode(),))
    writer.start()
    assert read(pipe).frame.rows() == ROWS
    writer.join()


def test_a_file_that_is_not_there_and_a_folder_are_refused(tmp_path):
    with pytest.raises(DataError, match=r"There is no file '.*nope.csv'"):
        read(tmp_path / "nope.csv")
    with pytest.raises(DataError, match="There is no Parquet file at"):
        read(tmp_path)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_that_may_not_be_read_is_refused(tmp_path, ending, monkeypatch):
    path = put(tmp_path, f"t.{ending}", TEXT)

    def refuse(*args, **options):
        raise PermissionError(13, os.strerror(13))

    monkeypatch.setattr(type(path), "open", refuse)
    monkeypatch.setattr(type(path), "read_bytes", refuse)
    with pytest.raises(DataError, match=r"permission denied\. Check its permissions"):
        read(path)

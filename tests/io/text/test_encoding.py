"""Texts in other encodings: a mark decides, then UTF-8, then a guess that is said."""

from __future__ import annotations

import codecs

import pytest

from shoal.errors import DataError
from shoal.io import read
from tests.io.texts import ROWS, TEXT, put


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings_with_a_mark_or_in_utf8_are_read_without_a_note(tmp_path, encoding):
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


@pytest.mark.parametrize("encoding", [None, "utf-8"])
def test_a_file_in_several_encodings_is_told_as_such(tmp_path, encoding):
    """Whoever has given the encoding is not asked to give it."""
    mixed = codecs.BOM_UTF8 + "name\nKöln\n".encode() + "Köln\n".encode("latin-1")
    with pytest.raises(
        DataError, match=r"line 3 has bytes that do not belong there\. Letters before it are in UTF-8, so the file mixes encodings"
    ):
        read(put(tmp_path, "t.csv", mixed), encoding=encoding)


def test_another_encoding_is_asked_for_where_the_given_one_is_wrong(tmp_path):
    with pytest.raises(DataError, match="Give another encoding"):
        read(put(tmp_path, "t.csv", "name\nKöln\n".encode("latin-1")), encoding="utf-8")

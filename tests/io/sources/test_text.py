"""Tables read in stretches: the same rows, lines, notes and errors as read whole."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.errors import ShoalError
from shoal.io import open_source, read
from shoal.io.sources import text as module
from shoal.io.text import windows

TEXTS = {
    "plain": b'a,b\n1,2\n3,4\n\n\n5,6\n7,"x\ny"\n8,\n',
    "short and long rows": b"a,b\n1,2\n3\n4,5\n6,7\n8,9,10\n1,1\n2\n",
    "one short row, late": b"a,b\n" + b"1,2\n" * 50 + b"3\n",
    "one long row, late": b"a,b\n" + b"1,2\n" * 50 + b"3,4,5\n" + b"1,2\n" * 9,
    "many odd rows": b"a,b\n" + b"1\n" * 40,
    "text after a quote": b'a,b\n1,2\n3,4\n4,5\n6,"x"y\n3\n',
    "a quote that never ends": b'a,b\n1,2\n3,4\n4,5\n6,"xy\n3\n',
    "NUL": b"a,b\n1,2\n3,\x004\n4,5\n\x00,\x00\n",
    "byte-order mark": b"\xef\xbb\xbfa,b\n1,2\n",
    "byte-order mark and NUL": b"\xef\xbb\xbfa,b\n1,\x002\n",
    "byte-order mark and no UTF-8": b"\xef\xbb\xbfa,b\n\xff,2\n",
    "empty": b"",
    "only empty lines": b"\n\r\n",
    "no rows": b"a,b\n",
    "one column": b"a\n1\n\n\n2\n",
    "latin-1": "a,b\nä,2\n".encode("latin-1"),
    "neither UTF-8 nor Windows-1252": b"a,b\n\x81,2\n",
    "UTF-16": "a,b\nä,2\n".encode("utf-16"),
    "UTF-16 cut short": "a,b\nä,2\n".encode("utf-16")[:-1],
    "announced delimiter": b"sep=;\na;b\n1;2\n",
    "carriage returns": b"a,b\r\n1,2\r\n3,4\r5,6\r",
    "two columns of one name": b"a,a\n1,2\n",
    "a column without a name": b"a,\n1,2\n",
    "a workbook": b"PK\x03\x04\x00\x00",
    "quoted and doubled": b'a,b\n"x ""y""","1,2"\n"",z\n',
}


def whole(path: Path, **how: str) -> object:
    """In one stretch, as a small file is."""
    with pytest.MonkeyPatch.context() as usual:
        usual.setattr(module, "ROWS", 1 << 16)
        usual.setattr(windows, "WINDOW", 1 << 22)
        table = read(path, **how)
    return table.frame.rows(), table.notes, table.delimiter, [table.line_of(i) for i in range(table.n_rows)]


def in_stretches(path: Path, **how: str) -> object:
    made = open_source(path, **how)
    parts = list(made.stretches())
    made.close()
    assert [p.first for p in parts] == [sum(q.frame.height for q in parts[:i]) for i in range(len(parts))]
    lines = [
        line for p in parts for line in (p.lines.tolist() if p.lines is not None else range(p.first + 1, p.first + 1 + p.frame.height))
    ]
    return pl.concat([p.frame for p in parts]).rows(), made.notes, made.delimiter, lines


def outcome(act: object, *given: object, **how: str) -> object:
    try:
        return act(*given, **how)  # type: ignore[operator]
    except ShoalError as error:
        return type(error), str(error)


@pytest.mark.parametrize(("rows", "window"), [(1, 1), (3, 1 << 24), (3, 5), (1 << 17, 1 << 24), (1 << 17, 3)])
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("packed", [False, True])
def test_dirty_texts_give_the_same_rows_or_the_same_errors(
    text: str, rows: int, window: int, packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROWS", rows)
    monkeypatch.setattr(windows, "WINDOW", window)
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(TEXTS[text]) if packed else TEXTS[text])
    assert outcome(in_stretches, path) == outcome(whole, path)


@pytest.mark.parametrize("encoding", ["cp1250", "utf-8", "utf-16", "no-such", "ascii"])
def test_a_given_encoding_is_used_or_refused_alike(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("a;b\nŐ;ä\n1;2\n".encode("cp1250"))
    assert outcome(in_stretches, path, encoding=encoding) == outcome(whole, path, encoding=encoding)


@pytest.mark.parametrize("name", ["t.tsv", "t.txt", "t.csv"])
def test_the_ending_and_a_given_delimiter_decide_alike(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"a\tb,c\n1\t2,3\n")
    assert outcome(in_stretches, tmp_path / name) == outcome(whole, tmp_path / name)
    assert outcome(in_stretches, tmp_path / name, delimiter=",") == outcome(whole, tmp_path / name, delimiter=",")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.one_of(st.binary(max_size=60), st.text(alphabet='a,"\r\n', max_size=60).map(str.encode)).map(lambda b: b"a,b\n" + b),
    st.sampled_from([1, 2, 1000]),
    st.sampled_from([1, 4, 1 << 24]),
)
def test_any_bytes_at_all(tmp_path: Path, text: bytes, rows: int, window: int) -> None:
    before, module.ROWS = (module.ROWS, windows.WINDOW), rows
    windows.WINDOW = window
    try:
        (tmp_path / "t.csv").write_bytes(text)
        assert outcome(in_stretches, tmp_path / "t.csv") == outcome(whole, tmp_path / "t.csv")
    finally:
        module.ROWS, windows.WINDOW = before


def test_damaged_gzip(tmp_path: Path) -> None:
    packed = gzip.compress(b"a,b\n" + b"1,2\n" * 5000)
    for name, data in (("cut.csv.gz", packed[:-9]), ("not.csv.gz", b"a,b\n1,2\n")):
        (tmp_path / name).write_bytes(data)
        assert outcome(in_stretches, tmp_path / name) == outcome(whole, tmp_path / name)

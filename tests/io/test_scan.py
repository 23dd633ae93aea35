"""Tables read in stretches: the same rows, lines, notes and errors as read whole."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.errors import DataError, ShoalError
from shoal.io import read, windows
from shoal.io import scan as module
from shoal.io.scan import ParquetScan, scan

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
    table = read(path, **how)
    return table.frame.rows(), table.notes, table.delimiter, [table.line_of(i) for i in range(table.n_rows)]


def in_stretches(path: Path, **how: str) -> object:
    made = scan(path, path.parent, **how)
    parts = list(made.stretches())
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


def test_parquet_in_stretches_keeps_types_and_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS", 3)
    frame = pl.DataFrame({"n": [1, None, 3, 4], "t": ["x", "y", None, ""], "f": [0.5, -0.0, float("nan"), None], "l": [[1], [2], [], None]})
    frame.write_parquet(tmp_path / "t.parquet")
    made = scan(tmp_path / "t.parquet", tmp_path)
    found = pl.concat([p.frame for p in made.stretches()])
    assert found.equals(frame, null_equal=True)
    assert found.schema == frame.schema
    assert [p.frame.columns for p in made.stretches(["t", "n"])] == [["t", "n"]] * 2


@pytest.mark.parametrize("damage", ["cut", "middle", "text", "no rows", "nothing"])
def test_damaged_parquet_gives_the_same_errors(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame({"a": [str(i) for i in range(2000)]}, schema={"a": pl.String}).write_parquet(path)
    data = path.read_bytes()
    if damage == "no rows":
        pl.DataFrame(schema={"a": pl.String}).write_parquet(path)
    else:
        path.write_bytes(
            {"cut": data[:-5], "middle": data[:20] + b"\xff" * 300 + data[320:], "text": b"a,b\n1,2\n", "nothing": b""}[damage]
        )
    assert outcome(in_stretches, path) == outcome(whole, path)


def test_a_folder_and_a_pattern_are_read_in_the_order_of_names(tmp_path: Path) -> None:
    folder = tmp_path / "people"
    folder.mkdir()
    for name, rows in (("part-2.parquet", ["c"]), ("part-1.parquet", ["a", "b"])):
        pl.DataFrame({"x": rows}).write_parquet(folder / name)
    (folder / "_SUCCESS").touch()
    (folder / ".part-1.crc").touch()
    for path in (str(folder), f"{folder}/part-*.parquet"):
        made = scan(path, tmp_path)
        assert isinstance(made, ParquetScan)
        assert [cell for p in made.stretches() for cell in p.frame["x"].to_list()] == ["a", "b", "c"]
        assert [p.first for p in made.stretches()] == [0, 2]


def test_folders_that_are_no_table_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "people"
    folder.mkdir()
    for path in (str(folder), f"{folder}/*.parquet"):
        with pytest.raises(DataError, match="There is no Parquet file"):
            scan(path, tmp_path)
    pl.DataFrame({"x": [1]}).write_parquet(folder / "a.parquet")
    pl.DataFrame({"y": [1]}).write_parquet(folder / "b.parquet")
    with pytest.raises(DataError, match="must be alike"):
        scan(str(folder), tmp_path)
    (folder / "b.parquet").unlink()
    (folder / "notes.csv").write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match="more than Parquet files"):
        scan(str(folder), tmp_path)


@pytest.mark.parametrize(("mark", "kind"), [("_delta_log", "Delta"), (".hoodie", "Hudi")])
def test_a_table_that_keeps_deleted_rows_is_not_read_as_its_files(tmp_path: Path, mark: str, kind: str) -> None:
    """Its folder has files of older versions too: rows that somebody had deleted would be released."""
    (tmp_path / mark).mkdir()
    pl.DataFrame({"a": ["deleted"]}).write_parquet(tmp_path / "old.parquet")
    for name in (str(tmp_path), f"{tmp_path}/*.parquet"):
        with pytest.raises(DataError, match=f"a table of {kind}"):
            scan(name, tmp_path)

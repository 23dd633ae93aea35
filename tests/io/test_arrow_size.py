"""What a file of Arrow says that it holds, against what was put into it; and files that say what is not so."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.ipc as ipc
import pytest

from shoal.errors import DataError
from shoal.io import read
from shoal.io.arrow_size import held_by

FRAME = pl.DataFrame({"age": list(range(1000)) * 3, "job": ["cook", "nurse", None] * 1000})
DICTIONARIES = pa.table({"age": pa.array(range(3000)), "job": pa.array(["cook", "nurse", None] * 1000).dictionary_encode()})


def written(path: Path, table: pa.Table, codec: str | None, as_stream: bool) -> Path:
    opened = (ipc.new_stream if as_stream else ipc.new_file)(str(path), table.schema, options=ipc.IpcWriteOptions(compression=codec))
    with opened as file:
        file.write_table(table, max_chunksize=700)
    return path


@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
@pytest.mark.parametrize("as_stream", [False, True])
@pytest.mark.parametrize("table", [FRAME.to_arrow(), DICTIONARIES], ids=["plain", "dictionaries"])
def test_rows_and_bytes_are_those_that_were_written(tmp_path: Path, codec: str | None, as_stream: bool, table: pa.Table):
    path = written(tmp_path / "t.arrow", table, codec, as_stream)
    n_rows, n_bytes = held_by(path, "t.arrow")
    own = table.nbytes
    assert 3 * 3000 <= n_rows <= 3 * 3000 + 10, "two columns and the rows themselves, and those of a dictionary"
    assert 0.9 * own <= n_bytes <= 1.5 * own + 10_000
    assert read(path).n_rows == 3000


@pytest.mark.parametrize("write", [pl.DataFrame.write_ipc, pl.DataFrame.write_ipc_stream])
@pytest.mark.parametrize("codec", ["uncompressed", "lz4", "zstd"])
def test_what_polars_writes_is_read(tmp_path: Path, write, codec: str):
    write(FRAME, tmp_path / "t.arrow", compression=codec)
    assert read(tmp_path / "t.arrow").frame.equals(FRAME)


@pytest.mark.parametrize("as_stream", [False, True])
def test_buffers_that_unpack_to_too_much_are_refused_before_they_are(tmp_path: Path, as_stream: bool, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "t.arrow"
    table = pa.table({"age": pa.nulls(2_000_000, pa.int64()).fill_null(0)})
    with (ipc.new_stream if as_stream else ipc.new_file)(str(path), table.schema, options=ipc.IpcWriteOptions(compression="zstd")) as file:
        for _ in range(10):
            file.write_table(table)
    assert path.stat().st_size < 100_000
    monkeypatch.setattr(pl, "read_ipc", pytest.fail)
    monkeypatch.setattr(pl, "read_ipc_stream", pytest.fail)
    with pytest.raises(DataError, match="holds more than 100 times"):
        read(path)


def test_rows_without_a_buffer_are_counted(tmp_path: Path):
    """Two milliards of missing cells, or of one run, take no bytes at all."""
    for column in (pa.nulls(2_000_000_000), pa.RunEndEncodedArray.from_arrays(pa.array([2_000_000_000], pa.int32()), pa.array([1]))):
        table = pa.table({"age": column})
        with ipc.new_file(str(tmp_path / "t.arrow"), table.schema) as file:
            file.write_table(table)
        with pytest.raises(DataError, match="holds more than 100 times"):
            read(tmp_path / "t.arrow")


def test_a_long_text_that_is_said_once_is_counted_for_every_row(tmp_path: Path):
    text = pa.array(["z" * 1_000_000, "b"])
    table = pa.table({"age": pa.DictionaryArray.from_arrays(pa.array([0] * 5_000, pa.int32()), text)})
    with pytest.raises(DataError, match="holds more than 1000 times"):
        read(written(tmp_path / "t.arrow", table, "zstd", as_stream=False))


@pytest.mark.parametrize("as_stream", [False, True])
def test_damaged_files_end_in_a_clear_error_and_soon(tmp_path: Path, as_stream: bool):
    path = written(tmp_path / "t.arrow", DICTIONARIES.slice(0, 50), "lz4", as_stream)
    whole, draw = path.read_bytes(), random.Random(1)
    for _ in range(400):
        bad = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(len(bad))
            bad[at : at + 4] = draw.choice([b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff", b"\0\0\0\0", bytes([draw.randrange(256)])])
        path.write_bytes(bytes(bad[: draw.choice([len(bad), draw.randrange(len(bad))])]))
        with contextlib.suppress(DataError):
            assert min(held_by(path, "t.arrow")) >= 0

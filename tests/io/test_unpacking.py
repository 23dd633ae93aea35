"""Files that unpack to more than any memory are refused before they are."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zipfile
from pathlib import Path

import polars as pl
import pytest

from shoal.errors import DataError
from shoal.io import read
from shoal.io.sources.parquet import ParquetSource
from shoal.io.text.plain import plain_text
from shoal.io.unpacking import RATIO
from tests.io.sources.test_workbooks import workbook

BEYOND = f"holds more than {RATIO} times"
N_BYTES = 400 << 20
MEASURED = """import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:])
_, status, used = os.wait4(process.pid, 0)
print(used.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))"""
"""Runs a command and says its memory. A process of its own, as small as can be: what starts a program counts in the program's figure."""


@pytest.fixture(scope="module")
def bomb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A text of 400 MB in 0.4 MB."""
    path = tmp_path_factory.mktemp("bomb") / "bomb.csv.gz"
    with gzip.open(path, "wb", compresslevel=9) as file:
        file.write(b"age,zip\n")
        for _ in range(N_BYTES >> 20):
            file.write(b"1,2\n" * (1 << 18))
    return path


def test_a_bomb_is_refused_while_memory_is_small(bomb: Path):
    """10 MB reached 4 GB before they were refused."""
    asked = [sys.executable, "-m", "shoal", "assess", str(bomb), "--qi", "age"]
    found = subprocess.run([sys.executable, "-c", MEASURED, *asked], capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert BEYOND in found.stderr
    assert int(found.stdout.split()[-1]) < N_BYTES >> 10, "in KiB: less than the text alone, with Python and its libraries"


def test_what_is_unpacked_to_the_disk_is_counted_too(bomb: Path, tmp_path: Path):
    with pytest.raises(DataError, match=BEYOND):
        plain_text(bomb, lambda: tmp_path)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < N_BYTES / 2


def test_a_table_that_packs_well_is_read(tmp_path: Path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"age,zip\n" + b"1,2\n" * 1_000_000))
    assert read(path).n_rows == 1_000_000


def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path: Path):
    path = workbook(tmp_path / "t.xlsx", t=[["age"], [1], [2]])
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as file, file.open("xl/media/x.xml", "w") as part:
        for _ in range(100):
            part.write(b" " * (1 << 20))
    with pytest.raises(DataError, match=BEYOND):
        read(path)


def test_a_workbook_whose_sizes_are_lies_is_refused(tmp_path: Path):
    path = workbook(tmp_path / "t.xlsx", t=[["age"], [1], [2]])
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as file:
        file.writestr("xl/media/x.xml", b" " * 77_777)
    told = (77_777).to_bytes(4, "little")
    assert told in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(told, (7).to_bytes(4, "little")))
    with pytest.raises(DataError, match="cannot be read"):
        read(path)


def test_a_parquet_file_of_more_cells_than_it_has_bytes_for_is_refused(tmp_path: Path):
    path = tmp_path / "t.parquet"
    pl.DataFrame({"age": pl.zeros(120_000_000, dtype=pl.Int8, eager=True)}).write_parquet(path)
    assert path.stat().st_size < 400_000
    with pytest.raises(DataError, match=BEYOND):
        read(path)
    with pytest.raises(DataError, match=BEYOND):
        _ = ParquetSource(path).columns


def long_text(path: Path) -> Path:
    """A text of 1 MB that stands in the file once, and is the cell of 5,000 rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = pa.DictionaryArray.from_arrays(pa.array([0] * 5_000, pa.int32()), pa.array(["z" * 1_000_000, "b"]))
    pq.write_table(pa.table({"job": text, "age": pa.array(range(5_000))}), path, compression="zstd", store_schema=False)
    return path


def test_a_long_text_that_a_parquet_file_says_once_counts_for_every_row(tmp_path: Path):
    path = long_text(tmp_path / "t.parquet")
    for take in (read, lambda path: ParquetSource(path).columns):
        with pytest.raises(DataError, match="holds more than 1000 times"):
            take(path)


def test_lists_in_a_parquet_file_are_counted_by_their_items(tmp_path: Path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    items = pa.nulls(90_000_000, pa.int8()).fill_null(0)
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"age": pa.ListArray.from_arrays(pa.array([0, len(items)], pa.int32()), items)}), path, compression="zstd")
    with pytest.raises(DataError, match=BEYOND):
        read(path)

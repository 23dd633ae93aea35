"""Tables of DuckDB, written where nobody sees them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from shoal.errors import NotAnonymous, WriteError
from shoal.io import read
from shoal.io.addresses import Uri
from shoal.io.target import told_of
from shoal.io.targets.duckdb import DuckdbTarget
from tests.io.sources.test_duckdb import make

FRAME = pl.DataFrame({"age": ["30-39"] * 5, "n": [5, 4, 3, None, 1], "f": [0.1, None, -2.5, 1e300, 3.0], "t": ["", None, 'q"', "é\n", "z"]})


def test_what_was_written_comes_back_and_appears_only_when_it_is_published(tmp_path: Path) -> None:
    to = DuckdbTarget(Uri(str(tmp_path / "out.duckdb"), "the release", scheme="duckdb"))
    to.write(iter([FRAME[:2], FRAME[2:]]), ["age"])
    assert not (tmp_path / "out.duckdb").exists()
    assert pl.concat(to.rows()).equals(FRAME)
    to.publish(told_of(to.rows()))
    to.close()
    assert read(f"duckdb:///{tmp_path}/out.duckdb?table=the%20release").frame.equals(FRAME)


def test_a_file_with_other_tables_gets_the_table_in_one_step(tmp_path: Path) -> None:
    make(tmp_path / "out.duckdb", "CREATE TABLE other AS SELECT 1 AS y")
    uri = Uri(str(tmp_path / "out.duckdb"), "release", scheme="duckdb")
    to = DuckdbTarget(uri)
    to.write(iter([FRAME]), ["age"])
    with pytest.raises(NotAnonymous, match="other rows"):
        to.publish("0")
    to.publish(told_of(to.rows()))
    with pytest.raises(WriteError, match="exists already"):
        to.publish(told_of(to.rows()))
    to.close()
    assert read(f"duckdb:///{tmp_path}/out.duckdb?table=release").frame.equals(FRAME)
    assert read(f"duckdb:///{tmp_path}/out.duckdb?table=other").n_rows == 1


def test_a_table_that_is_alone_is_replaced_with_its_file(tmp_path: Path) -> None:
    make(tmp_path / "out.duckdb", "CREATE TABLE release AS SELECT 'Zebulon-7731' AS y FROM range(10000)")
    to = DuckdbTarget(Uri(str(tmp_path / "out.duckdb"), "release", scheme="duckdb"), force=True)
    to.write(iter([FRAME]), ["age"])
    to.publish(told_of(to.rows()))
    to.close()
    assert b"Zebulon" not in (tmp_path / "out.duckdb").read_bytes()
    assert read(f"duckdb:///{tmp_path}/out.duckdb?table=release").frame.equals(FRAME)

"""Tables of DuckDB as an engine: its own rules of what is equal do not reach the release, and types stay."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import duckdb
import pytest

import shoal
from shoal import io
from shoal.errors import WriteError

ASKED = {"k": 2, "quasi_identifiers": ["a", "f"], "keep": ["d", "m", "z"], "algorithm": "mondrian"}
MADE = """CREATE TABLE t AS SELECT (['a', 'A', 'b'])[1 + i % 3] COLLATE NOCASE AS a, (['0.0', '-0.0', '1.5', 'nan', NULL])[1 + i % 5]::DOUBLE AS f,
DATE '2024-01-01' + (i % 7)::INT AS d, (i / 3)::DECIMAL(9, 2) AS m, TIMESTAMP '2024-01-01' + INTERVAL (i) MINUTE AS z FROM range(60) r (i)"""


def test_cells_that_duckdb_holds_equal_are_told_apart_and_types_stay(tmp_path: Path) -> None:
    with closing(duckdb.connect(str(tmp_path / "p.duckdb"))) as connection:
        connection.execute(MADE)
    data, output = f"duckdb:///{tmp_path}/p.duckdb?table=t", f"duckdb:///{tmp_path}/r.duckdb?table=t"
    made = shoal.publish(data, output, engine="duckdb", **ASKED)
    wanted = shoal.anonymize(data, **ASKED)
    assert made.manifest == wanted.manifest
    found = io.read(output).frame
    assert found.equals(wanted.frame)
    assert found.schema["m"] == io.read(data).frame.schema["m"]


def test_a_file_that_another_program_has_open_is_said(tmp_path: Path) -> None:
    with closing(duckdb.connect(str(tmp_path / "p.duckdb"))) as connection:
        connection.execute(MADE)
    with closing(duckdb.connect(str(tmp_path / "r.duckdb"))) as other:
        other.execute("CREATE TABLE busy AS SELECT 1 AS x")
        with pytest.raises(WriteError, match="open already"):
            shoal.publish(f"duckdb:///{tmp_path}/p.duckdb?table=t", f"duckdb:///{tmp_path}/r.duckdb?table=t", engine="duckdb", **ASKED)

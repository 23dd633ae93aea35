"""Lines of JSON."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.io import read

TABLE = pl.DataFrame({"age": [31, 45, None], "job": ["cook", "nurse", "cook"], "wage": [10.5, 20.0, 7.25]})


def test_lines_keep_their_types(tmp_path: Path) -> None:
    TABLE.write_ndjson(tmp_path / "t.jsonl")
    assert read(tmp_path / "t.jsonl").frame.equals(TABLE)

"""Files and streams of Arrow, whatever they are called."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.io import read

TABLE = pl.DataFrame({"age": [31, 45, None], "job": ["cook", "nurse", "cook"], "wage": [10.5, 20.0, 7.25]})


def test_files_and_streams_are_read(tmp_path: Path) -> None:
    TABLE.write_ipc(tmp_path / "t.arrow")
    TABLE.write_ipc_stream(tmp_path / "t.feather")
    for name in ("t.arrow", "t.feather"):
        assert read(tmp_path / name).frame.equals(TABLE), name

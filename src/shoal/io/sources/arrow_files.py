"""Files and streams of Arrow."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.io.unpacking import check_arrow, check_texts


def load(place: Path, name: str, sheet: str | None) -> pl.DataFrame:
    with place.open("rb") as file:
        is_file = file.read(6) == b"ARROW1"
    check_arrow(place, name)
    frame = pl.read_ipc(place) if is_file else pl.read_ipc_stream(place)
    check_texts(frame.lazy(), place.stat().st_size, name)
    return frame

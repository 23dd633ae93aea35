"""Lines of JSON."""

from __future__ import annotations

from pathlib import Path

import polars as pl


def load(place: Path, name: str, sheet: str | None) -> pl.DataFrame:
    return pl.read_ndjson(place, infer_schema_length=None)

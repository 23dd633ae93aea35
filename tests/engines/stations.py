"""Where each engine of the catalog finds a table, and where its release is read from: a line for each engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from shoal import io


@dataclass(frozen=True)
class Station:
    """How the contract reaches an engine."""

    put: Callable[[pl.DataFrame, Path], tuple[Any, str]]
    """Lays a table down under a folder; gives what to read and where to write."""
    get: Callable[[str], pl.DataFrame]
    """The release, as it was written."""


def put_csv(frame: pl.DataFrame, folder: Path) -> tuple[Any, str]:
    frame.write_csv(folder / "people.csv")
    return str(folder / "people.csv"), str(folder / "release.csv")


def read(output: str) -> pl.DataFrame:
    return io.read(output).frame


STATIONS = {
    "memory": Station(put_csv, read),
}

"""Where each engine of the catalog finds a table, and where its release is read from: a line for each engine."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from shoal import io
from shoal.io.sql.names import quoted
from shoal.io.targets.postgres import fill, texts_of
from tests.clusters import session
from tests.servers import running


@dataclass(frozen=True)
class Station:
    """How the contract reaches an engine."""

    put: Callable[[pl.DataFrame, Path], tuple[Any, str]]
    """Lays a table down under a folder; gives what to read and where to write."""
    get: Callable[[str], pl.DataFrame]
    """The release, as it was written."""
    keeps_order: bool = True
    """Whether rows have an order there at all."""


def put_csv(frame: pl.DataFrame, folder: Path) -> tuple[Any, str]:
    frame.write_csv(folder / "people.csv")
    return str(folder / "people.csv"), str(folder / "release.csv")


def read(output: str) -> pl.DataFrame:
    return io.read(output).frame


def put_postgres(frame: pl.DataFrame, folder: Path) -> tuple[Any, str]:
    """A schema of its own, with a table of texts."""
    server, schema = running(), f"s{abs(hash(str(folder)))}"
    with server.connect() as connection:
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}".encode())
        connection.execute(f"CREATE TABLE {schema}.people ({', '.join(f'{quoted(name)} text' for name in frame.columns)})".encode())
        fill(connection, f"{schema}.people", frame.columns, [texts_of(frame)])
    return server.address(f"{schema}.people"), server.address(f"{schema}.release")


def put_sqlite(frame: pl.DataFrame, folder: Path) -> tuple[Any, str]:
    """A file with a table of texts."""
    with closing(sqlite3.connect(folder / "people.db")) as connection, connection:
        connection.execute(f"CREATE TABLE people ({', '.join(f'{quoted(name)} TEXT' for name in frame.columns)})")
        connection.executemany(f"INSERT INTO people VALUES ({', '.join('?' * frame.width)})", frame.rows())
    return f"sqlite:///{folder}/people.db?table=people", f"sqlite:///{folder}/release.db?table=release"


def put_duckdb(frame: pl.DataFrame, folder: Path) -> tuple[Any, str]:
    with closing(duckdb.connect(str(folder / "people.duckdb"))) as connection:
        connection.register("rows", frame.to_arrow())
        connection.execute("CREATE TABLE people AS SELECT * FROM rows")
    return f"duckdb:///{folder}/people.duckdb?table=people", f"duckdb:///{folder}/release.duckdb?table=release"


def put_spark(frame: pl.DataFrame, folder: Path) -> tuple[Any, str]:
    session()
    frame.write_parquet(folder / "people.parquet")
    return str(folder / "people.parquet"), str(folder / "release.parquet")


def get_spark(output: str) -> pl.DataFrame:
    return pl.read_parquet(f"{output}/*.parquet")


STATIONS = {
    "duckdb": Station(put_duckdb, read),
    "files": Station(put_csv, read),
    "memory": Station(put_csv, read),
    "postgres": Station(put_postgres, read),
    "sqlite": Station(put_sqlite, read),
    "spark": Station(put_spark, get_spark, keeps_order=False),
}

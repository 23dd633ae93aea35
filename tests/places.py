"""Every place where a table can be, with a way to put one there: a line for each format."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

import shoal
from shoal.io.sql.names import quoted
from shoal.io.targets.postgres import fill, texts_of
from tests.io.sources.test_workbooks import workbook
from tests.servers import running

Put = Callable[[pl.DataFrame, Path], Any]


def at(name: str, write: Callable[[pl.DataFrame, Path], object]) -> Put:
    """A file of this name."""

    def put(frame: pl.DataFrame, folder: Path) -> str:
        write(frame, folder / name)
        return str(folder / name)

    return put


def parts(frame: pl.DataFrame, folder: Path) -> None:
    folder.mkdir()
    for number, part in enumerate(frame.iter_slices(-(-frame.height // 3))):
        part.write_parquet(folder / f"part-{number}.parquet")
    (folder / "_SUCCESS").touch()


def labels(frame: pl.DataFrame, path: Path) -> None:
    import pyreadstat

    pyreadstat.write_sav(frame, str(path))


def columns(frame: pl.DataFrame) -> str:
    return ", ".join(f"{quoted(name)} TEXT" for name in frame.columns)


def in_sqlite(frame: pl.DataFrame, path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE people ({columns(frame)})")
    connection.executemany(f"INSERT INTO people VALUES ({', '.join('?' * frame.width)})", frame.rows())
    connection.commit()
    return connection


def in_duckdb(frame: pl.DataFrame, path: Path) -> Any:
    connection = duckdb.connect(str(path))
    connection.register("rows", frame.to_arrow())
    connection.execute("CREATE TABLE people AS SELECT * FROM rows")
    return connection


def put_sqlite(frame: pl.DataFrame, folder: Path) -> str:
    in_sqlite(frame, folder / "people.db").close()
    return f"sqlite:///{folder}/people.db?table=people"


def put_duckdb(frame: pl.DataFrame, folder: Path) -> str:
    in_duckdb(frame, folder / "people.duckdb").close()
    return f"duckdb:///{folder}/people.duckdb?table=people"


def schema_of(folder: Path) -> str:
    """A schema of its own."""
    name = f"s{abs(hash(str(folder)))}"
    with closing(running().connect()) as connection:
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {name}".encode())
    return name


def put_postgres(frame: pl.DataFrame, folder: Path) -> str:
    table = f"{schema_of(folder)}.people"
    with closing(running().connect()) as connection:
        connection.execute(f"CREATE TABLE {table} ({columns(frame)})".encode())
        fill(connection, table, frame.columns, [texts_of(frame)])
    return running().address(table)


FILES: dict[str, Put] = {
    "csv": at("people.csv", lambda frame, path: frame.write_csv(path)),
    "gzip": at("people.csv.gz", lambda frame, path: path.write_bytes(gzip.compress(frame.write_csv().encode()))),
    "latin-1": at("people.txt", lambda frame, path: path.write_bytes(frame.write_csv(separator=";").encode("latin-1"))),
    "parquet": at("people.parquet", lambda frame, path: frame.write_parquet(path, row_group_size=4)),
    "folder": at("people", parts),
    "arrow": at("people.arrow", lambda frame, path: frame.write_ipc(path)),
    "json-lines": at("people.jsonl", lambda frame, path: frame.write_ndjson(path)),
    "workbook": at("people.xlsx", lambda frame, path: workbook(path, people=[frame.columns, *frame.rows()])),
    "statistics": at("people.sav", labels),
    "sqlite": put_sqlite,
    "duckdb": put_duckdb,
    "postgres": put_postgres,
}
"""What a command can be given."""
HANDED: dict[str, Put] = {
    "polars": lambda frame, folder: frame,
    "pandas": lambda frame, folder: frame.to_pandas(),
    "pyarrow": lambda frame, folder: frame.to_arrow(),
    "relation": lambda frame, folder: duckdb.from_arrow(frame.to_arrow()),
    "sqlite3": lambda frame, folder: shoal.source(in_sqlite(frame, folder / "handed.db"), table="people"),
    "duckdb-connection": lambda frame, folder: shoal.source(in_duckdb(frame, folder / "handed.duckdb"), table="people"),
}
"""What Python can be given besides."""
SOURCES = {**FILES, **HANDED}
TARGETS: dict[str, Callable[[Path], str]] = {
    "csv": lambda folder: str(folder / "release.csv"),
    "gzip": lambda folder: str(folder / "release.tsv.gz"),
    "parquet": lambda folder: str(folder / "release.parquet"),
    "sqlite": lambda folder: f"sqlite:///{folder}/release.db?table=release",
    "duckdb": lambda folder: f"duckdb:///{folder}/release.duckdb?table=release",
    "postgres": lambda folder: running().address(f"{schema_of(folder)}.release"),
}

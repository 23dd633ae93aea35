"""A Table from a path or a dataframe."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from shoal.io import connections, csv, databases, foreign, frames, parquet, source, uris
from shoal.io.encoding import to_utf8
from shoal.io.endings import form_of
from shoal.io.folders import is_many
from shoal.io.scan import read_parts
from shoal.table.table import Table


def read(data: object, *, delimiter: str | None = None, encoding: str | None = None) -> Table:
    """Read a table from a path (``-`` for standard input) or an address (``sqlite:///people.db?table=people``), or by a connection (``shoal.source``), or take a dataframe of pandas, polars, pyarrow or Arrow or a relation of DuckDB; a Table as it is.

    A text file's delimiter (comma, semicolon, tab, pipe) and encoding are detected unless they are given.
    """
    if isinstance(data, str | os.PathLike):
        return read_path(data, delimiter=delimiter, encoding=encoding)
    if isinstance(data, connections.Source):
        return connections.read_source(data)
    return data if isinstance(data, Table) else frames.take(data)


def read_path(path: str | os.PathLike[str], *, delimiter: str | None = None, encoding: str | None = None) -> Table:
    """Read a file by its ending, a folder of Parquet files, or a table by its address."""
    uri = uris.parse(path)
    if uri is not None:
        return databases.read_table(uri)
    if foreign.is_foreign(path):
        return foreign.read_foreign(path)
    if is_many(os.fspath(path)):
        return read_parts(os.fspath(path))
    name = source.name_of(path)
    if os.fspath(path) != "-":
        source.check_input(path)
    form = form_of(os.fspath(path))
    if form.kind == "parquet":
        return parquet.read_parquet(path)
    text, notes = to_utf8(source.load(path), name, encoding)
    named = form.delimiter if form.delimiter and form.delimiter.encode() in text else None
    table = csv.parse(text, name, delimiter or named)
    given = None if os.fspath(path) == "-" else Path(path)
    return replace(table, notes=notes + table.notes, given=given)

"""From a table of DuckDB to another table of a database, of the same kind or of another, without the table in memory."""

from __future__ import annotations

from functools import partial

from shoal.engines.base import RowEngine
from shoal.engines.databases import InTables, refuses, takes

DUCKDB = RowEngine(
    "duckdb", "Tables of DuckDB", takes=partial(takes, "duckdb"), refuses=partial(refuses, "duckdb", "DuckDB", "duckdb"), open=InTables
)

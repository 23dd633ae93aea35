"""From a table of PostgreSQL to another table of a database, of the same kind or of another, without the table in memory."""

from __future__ import annotations

from functools import partial

from shoal.engines.base import RowEngine
from shoal.engines.databases import InTables, refuses, takes

POSTGRES = RowEngine(
    "postgres",
    "Tables of PostgreSQL",
    takes=partial(takes, "postgresql"),
    refuses=partial(refuses, "postgres", "PostgreSQL", "postgresql"),
    open=InTables,
)

"""From a table of SQLite to another table of a database, of the same kind or of another, without the table in memory."""

from __future__ import annotations

from functools import partial

from shoal.engines.base import RowEngine
from shoal.engines.databases import InTables, refuses, takes

SQLITE = RowEngine(
    "sqlite", "Tables of SQLite", takes=partial(takes, "sqlite"), refuses=partial(refuses, "sqlite", "SQLite", "sqlite"), open=InTables
)

"""Tables of databases by their address: read at one moment, written whole or not at all, recounted by the database before anybody sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal.errors import DataError, NotAnonymous
from shoal.io.uris import Uri, check_query
from shoal.judge.verdict import Verdict
from shoal.table.table import Table
from shoal.text.cells import as_text, has_text

if TYPE_CHECKING:
    from shoal.io.table_rows import Room, TableSource, TableTarget

CATALOG = {"duckdb": "shoal.io.duckdb", "postgresql": "shoal.io.postgres_writing", "sqlite": "shoal.io.sqlite"}
"""Each has ``read_table``, ``check_target`` and ``write_table``."""
ROWS = {
    "duckdb": ("shoal.io.duckdb_rows", "Duckdb"),
    "postgresql": ("shoal.io.postgres_rows", "Postgres"),
    "sqlite": ("shoal.io.sqlite_rows", "Sqlite"),
}
"""Each has a ``TableSource`` and a ``TableTarget`` whose names begin so, and ``n_bytes``."""
LIBRARIES = {"duckdb": "duckdb", "psycopg": "postgres"}


def read_table(uri: Uri) -> Table:
    """A table, or what a query gives, as it is at one moment."""
    check_query(uri)
    table: Table = _of(uri, "read_table")(uri)
    return table


def check_target(uri: Uri, source: Uri | None = None, *, force: bool = False) -> None:
    """Raise what writing there would raise, as far as that is known before the work begins. ``source`` is what is read."""
    _of(uri, "check_target")(uri, source if source is not None and source.scheme == uri.scheme else None, force=force)


def write_table(frame: pl.DataFrame, uri: Uri, verdict: Verdict, *, given: object = None, force: bool = False) -> None:
    """Write a verified frame to a table. Without ``force``, a table that exists is not replaced. ``given`` may know the types of the original."""
    _of(uri, "write_table")(frame, uri, verdict, given=given, force=force)


def _of(uri: Uri, name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(import_module(CATALOG[uri.scheme]), name)
    return found


def open_source(uri: Uri, room: Room) -> TableSource:
    """The rows of a table or a query, in stretches."""
    check_query(uri)
    module, name = ROWS[uri.scheme]
    made: TableSource = getattr(import_module(module), f"{name}Source")(uri, room)
    return made


def open_target(uri: Uri, room: Room, force: bool) -> TableTarget:
    """The place of a release that comes in stretches; :func:`check_target` was called for it."""
    module, name = ROWS[uri.scheme]
    made: TableTarget = getattr(import_module(module), f"{name}Target")(uri, room, force)
    return made


def n_bytes(uri: Uri) -> float:
    """About how many bytes the rows of a table or a query have, without reading them all."""
    size: float = import_module(ROWS[uri.scheme][0]).n_bytes(uri)
    return size


def library(name: str) -> Any:
    """A library that is not installed by default."""
    try:
        return import_module(name)
    except ImportError:
        raise DataError(
            f"This database needs the library '{name}', which is not installed: pip install 'shoal[{LIBRARIES[name]}]'."
        ) from None


def quoted(name: str) -> str:
    """A name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def check_names(names: Iterable[str], what: str) -> list[str]:
    """The columns, if there are some and each has a name of its own."""
    found = list(names)
    if not found:
        raise DataError(f"{what} has no columns.")
    if len({*found}) < len(found):
        raise DataError(f"{what} has two columns of one name. Rename one of them in a query (AS).")
    if any(not name.strip() for name in found):
        raise DataError(f"{what} has a column without a name. Name it in a query (AS).")
    return found


def count_groups(part: str, verdict: Verdict) -> str:
    """The statement by which a database counts the groups of what was written."""
    names = ", ".join(quoted(name) for name in verdict.quasi_identifiers)
    return f"SELECT min(n), count(*), sum(n) FROM (SELECT count(*) AS n FROM {part} GROUP BY {names}) AS counted"


def check_groups(found: Any, verdict: Verdict) -> None:
    """What the database counts must be what the recount of the release counted."""
    if found is None or tuple(int(n or 0) for n in found) != (verdict.smallest_group, verdict.n_groups, verdict.n_rows):
        raise NotAnonymous("The database counts other groups than the recount of the release. Nothing was written; please report this.")


def check_cells(back: pl.DataFrame, texts: pl.DataFrame) -> None:
    """Every cell as the database gives it back must be the one that was written."""
    if back.columns != texts.columns or back.height != texts.height or not all(_same(back[name], texts[name]) for name in texts.columns):
        raise NotAnonymous("The database gives back other cells than were written. Nothing was written; please report this.")


def _same(back: pl.Series, written: pl.Series) -> bool:
    """The same texts; numbers may be written in another way if they are the same number."""
    if written.dtype.is_float():
        number = back.cast(pl.Float64, strict=False)
        return bool(as_text(number).eq_missing(as_text(written.cast(pl.Float64))).all())
    if not has_text(written.dtype):
        return back.dtype == written.dtype and back.equals(written, null_equal=True)
    return bool(as_text(back).eq_missing(as_text(written)).all())

"""PostgreSQL: connections, cells as texts, and errors in our own words.

Every cell is its text in PostgreSQL (``::text``), read in one transaction that sees one moment and may not write. So ``char(5)`` comes without its padding,
``24:00`` stays ``24:00``, a missing cell is missing and an empty text is empty. What the session could change in these texts is set: dates are ISO, times are in UTC.
Passwords are PostgreSQL's own affair: a password file or the environment, never the address. Messages of the server are not passed on: they may hold cells.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal.errors import DataError, WriteError, some
from shoal.io.addresses import Uri
from shoal.io.source import ROWS
from shoal.io.sql.names import check_names, library, quoted
from shoal.io.text.records import frame_of
from shoal.judge.counts import N, label

if TYPE_CHECKING:
    import psycopg

NAME = re.compile(r'(?:("(?:[^"]|"")+"|[^".]+)\.)?("(?:[^"]|"")+"|[^".]+)')
TRIED = re.compile(r'connection to server (?:at "([^"]*)"[^,]*, port (\d+)|on socket "([^"]*)") failed: ([^\n]*)')
"""What libpq says of each address that it tried."""
SETTINGS = {
    "datestyle": "ISO, YMD",
    "intervalstyle": "postgres",
    "timezone": "UTC",
    "extra_float_digits": "1",
    "bytea_output": "hex",
    "lc_monetary": "C",
    "xmloption": "content",
    "synchronize_seqscans": "off",
    "cursor_tuple_fraction": "1",
    "max_parallel_workers_per_gather": "0",
    "enable_indexonlyscan": "off",
    "idle_in_transaction_session_timeout": "0",
}
"""Settings of a session that change how a cell is written, or in which order rows come."""
WORDS = {
    "08": "the connection was lost. Nothing was changed; try again",
    "22": "a cell does not fit into its column there",
    "23": "a cell breaks a rule of the table",
    "28": "the server does not let this user in",
    "2BP01": "views or other tables depend on the table that would be replaced. Choose another name, or drop them first",
    "3D000": "there is no such database",
    "3F000": "there is no such schema. Create it first, or choose another",
    "40": "another transaction was in the way. Try again",
    "42501": "this user has not the rights that this needs. Ask for SELECT on what is read, and CREATE on the schema that is written to",
    "0A": "the query asks for something that the server does not do while it reads, such as changing rows in a WITH. Give a SELECT",
    "42601": "the server does not understand the query. Give one SELECT, and try it in psql",
    "42P01": "the query names a table that is not there. Try it in psql",
    "42P07": "somebody made a table of that name meanwhile. Nothing was changed; choose another",
    "42703": "the query names a column that is not there. Try it in psql",
    "42": "the server does not understand the query. Try it in psql",
    "53100": "the server's disk is full",
    "53": "the server has not enough memory, disk or connections",
    "55P03": "somebody uses the table that would be replaced, and did not stop. Nothing was changed; try again",
    "25006": "this connection may only read",
    "57014": "the server stopped the work (a time limit, or somebody who cancelled it). Nothing was changed",
    "57": "the server was stopped. Nothing was changed; try again when it runs",
}
MOST = 90
"""Arguments of a function of PostgreSQL; it takes a few more."""


@dataclass(frozen=True)
class ServerTypes:
    """The columns of a table or a query, with the types that PostgreSQL calls them by; None for a type that another database may not have."""

    types: Mapping[str, str | None]


@contextmanager
def connecting(uri: Uri, *, read_only: bool = True) -> Iterator[psycopg.Connection[Any]]:
    """A connection in a transaction that sees one moment; or one that may write, and sees what others do. What is not committed is given up at the end."""
    driver = library("psycopg")
    try:
        about = driver.conninfo.make_conninfo(uri.path, **{"application_name": "shoal", **dict(uri.settings), "client_encoding": "utf8"})
        connection = driver.connect(about)
    except driver.Error as error:
        raise DataError(f"{uri.path} cannot be reached: {unreached(str(error)) or type(error).__name__}.") from None
    try:
        connection.isolation_level = driver.IsolationLevel.REPEATABLE_READ if read_only else driver.IsolationLevel.READ_COMMITTED
        connection.read_only = read_only
        with told(uri, DataError):
            prepare(connection)
        yield connection
    finally:
        connection.close()


def prepare(connection: psycopg.Connection[Any]) -> None:
    """Settle how cells are written, for this transaction alone."""
    pairs = ", ".join(f"set_config('{name}', '{value}', true)" for name, value in SETTINGS.items())
    connection.execute(f"SELECT {pairs}".encode())


def unreached(said: str) -> str:
    """What libpq says of a connection that it could not make, with what to check. Nobody's cell is known to it yet, and it never repeats a password.

    >>> unreached('connection to server at "db", port 5999 failed: Connection refused\\n\\tIs the server running on that host and accepting TCP/IP connections?')
    'nothing answers at db, port 5999 (Connection refused). Check (pg_isready -h db -p 5999) that the server runs there and listens on that address and port'
    """
    tried = TRIED.findall(said)
    if not tried:
        return (said.strip().splitlines() or [""])[-1].strip().rstrip(".")
    host, port, socket, why = (str(part) for part in tried[-1])
    if socket:
        return f"nothing answers at the socket {socket} ({why}). Check (pg_isready) that the server runs on this machine, or name its host in the address"
    if why.startswith("FATAL"):
        return why.strip().rstrip(".")
    return f"nothing answers at {host}, port {port} ({why}). Check (pg_isready -h {host} -p {port}) that the server runs there and listens on that address and port"


@contextmanager
def told(uri: Uri, kind: type[DataError] | type[WriteError]) -> Iterator[None]:
    """Turn the server's errors into ours, without its words."""
    driver = library("psycopg")
    try:
        yield
    except driver.Error as error:
        state = str(error.sqlstate or ("08" if isinstance(error, driver.OperationalError) else ""))
        known = next((WORDS[key] for key in (state, state[:2]) if key in WORDS), f"the server failed with {state or type(error).__name__}")
        raise kind(f"{uri.path}: {known}.") from None


def source_of(connection: psycopg.Connection[Any], uri: Uri) -> str:
    """What stands after FROM: the table, or the query in brackets."""
    if uri.query is not None:
        return f"(\n{uri.query.strip().rstrip(';')}\n) AS asked"
    schema, name = split_name(str(uri.table))
    found = find(connection, schema, name)
    if found is None:
        there = connection.execute(
            b"SELECT DISTINCT CASE WHEN pg_table_is_visible(c.oid) THEN relname ELSE nspname || '.' || relname END FROM pg_class c "
            b"JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind IN ('r', 'v', 'm', 'p', 'f') "
            b"AND nspname NOT IN ('pg_catalog', 'information_schema') AND nspname NOT LIKE 'pg\\_%' ORDER BY 1"
        ).fetchall()
        raise DataError(f"There is no table '{uri.table}' in {uri.path}. Its tables are: {some([row[0] for row in there], 40)}.")
    return f"{quoted(found[0])}.{quoted(found[1])}"


def split_name(table: str) -> tuple[str | None, str]:
    """Schema and name, as they are in the database. A name with a dot or a quote in it stands in double quotes.

    >>> split_name('clinic.people'), split_name('"a.b"."C"'), split_name('People')
    (('clinic', 'people'), ('a.b', 'C'), (None, 'People'))
    """
    found = NAME.fullmatch(table)
    if found is None:
        raise DataError("A table of PostgreSQL is NAME or SCHEMA.NAME; a name with a dot in it stands in double quotes.")
    schema, name = (None if text is None else text[1:-1].replace('""', '"') if text.startswith('"') else text for text in found.groups())
    return schema, str(name)


def find(connection: psycopg.Connection[Any], schema: str | None, name: str) -> tuple[str, str, str, int] | None:
    """Schema, name, kind and number of what has this name; without a schema, the one that the session would find."""
    row = connection.execute(
        b"SELECT nspname, relname, relkind::text, c.oid::bigint FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace "
        b"WHERE relname = %s AND CASE WHEN %s::text IS NULL THEN pg_table_is_visible(c.oid) ELSE nspname = %s END "
        b"AND relkind IN ('r', 'v', 'm', 'p', 'f')",
        (name, schema, schema),
    ).fetchone()
    return None if row is None else (str(row[0]), str(row[1]), str(row[2]), int(row[3]))


def columns_of(connection: psycopg.Connection[Any], origin: str, what: str) -> ServerTypes:
    """The columns of a source. It is asked as one statement of the protocol in which there can be no second, so that a query ends where it should."""
    cursor = connection.cursor(binary=True)
    cursor.execute(f"SELECT * FROM {origin} LIMIT 0".encode())
    result = cursor.pgresult
    if cursor.description is None or result is None:
        raise DataError(f"{what} gives no table. Only a SELECT does.")
    names = check_names([column.name for column in cursor.description], what)
    kinds = [(result.ftype(j), result.fmod(j)) for j in range(result.nfields)]
    return ServerTypes(dict(zip(names, _types(connection, kinds), strict=True)))


def _types(connection: psycopg.Connection[Any], kinds: Sequence[tuple[int, int]]) -> list[str | None]:
    """What PostgreSQL calls some types, if they are its own and their texts say all of them."""
    found = connection.execute(
        b"SELECT CASE WHEN t.typnamespace = 'pg_catalog'::regnamespace AND t.typtype IN ('b', 'r', 'm') AND t.typname NOT LIKE 'reg%%' "
        b"AND t.typname NOT IN ('char', 'name', 'aclitem', 'pg_node_tree') THEN format_type(k.kind, k.modifier) END "
        b"FROM unnest(%s::oid[], %s::int[]) WITH ORDINALITY AS k (kind, modifier, place) JOIN pg_type t ON t.oid = k.kind ORDER BY place",
        ([kind for kind, _ in kinds], [modifier for _, modifier in kinds]),
    ).fetchall()
    return [row[0] for row in found]


def texts_from(names: Iterable[str], origin: str) -> str:
    """The statement that gives all cells as texts."""
    return f"SELECT {', '.join(f'{quoted(name)}::text AS {quoted(name)}' for name in names)} FROM {origin}"


def rows_of(connection: Any, uri: Uri, statement: str, names: Sequence[str]) -> Iterator[pl.DataFrame]:
    """What a statement gives, in stretches.

    The server makes a line of CSV of each row, and a cursor fetches many of them at once. COPY hands over a row at a time, for which Python takes as long as for all else.
    """
    header = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    asked = f"SELECT {line_of(names)} FROM (\n{statement}\n) AS asked"
    with told(uri, DataError), connection.cursor(name=f"shoal {secrets.token_hex(6)}") as cursor:
        cursor.execute(asked.encode())
        while lines := cursor.fetchmany(ROWS):
            text = "\n".join([header, *(line for (line,) in lines), ""]).encode()
            yield frame_of(text, uri.name)


def _by_copy(connection: Any, uri: Uri, statement: str, names: Sequence[str]) -> Iterator[pl.DataFrame]:
    """The same, a row at a time: for statements in which the server is to use all its cores, which it does for no cursor."""
    header = (",".join('"' + name.replace('"', '""') + '"' for name in names) + "\n").encode()
    with told(uri, DataError), connection.cursor() as cursor, cursor.copy(f"COPY ({statement}) TO STDOUT (FORMAT csv)".encode()) as copy:
        pieces = iter(copy)
        while stretch := list(islice(pieces, ROWS)):
            yield frame_of(b"".join([header, *stretch]), uri.name)


def line_of(names: Sequence[str]) -> str:
    """The expression that is a row as a line of CSV: every cell in quotes, a missing one empty. A function takes at most a hundred arguments."""
    parts = [f"""coalesce('"' || replace({quoted(name)}, '"', '""') || '"', '')""" for name in names]
    while len(parts) > 1:
        parts = [f"concat_ws(',', {', '.join(parts[start : start + MOST])})" for start in range(0, len(parts), MOST)]
    return parts[0]


def counted_by(connection: Any, uri: Uri, names: Sequence[str], origin: str) -> Iterator[pl.DataFrame]:
    """The different rows over some columns, as texts, counted by the server."""
    cells = [f"{quoted(name)}::text AS {label(j)}" for j, name in enumerate(names)]
    statement = f"SELECT {', '.join(cells)}, count(*) AS {N} FROM {origin} GROUP BY {', '.join(str(j + 1) for j in range(len(names)))}"
    with told(uri, DataError):
        connection.execute(b"SET LOCAL max_parallel_workers_per_gather TO DEFAULT")
    for frame in _by_copy(connection, uri, statement, [*(label(j) for j in range(len(names))), N]):
        yield frame.cast({N: pl.Int64})
    with told(uri, DataError):
        connection.execute(b"SET LOCAL max_parallel_workers_per_gather TO 0")  # else rows would come in any order

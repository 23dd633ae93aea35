"""A table of PostgreSQL, in one transaction.

The rows go by COPY into a new table that nobody else can see yet, and are read back from it. Then it takes the place of the old table, with its owner and its grants, and the transaction ends: whoever reads sees the old table or the new one. If anything goes
wrong before, or the process is killed, the server forgets the new table. Columns that are released as they are keep the types of the original, where that was a table of PostgreSQL too.
"""

from __future__ import annotations

import io
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from shoal.errors import DataError, WriteError
from shoal.io.addresses import Uri, parse
from shoal.io.ahead import ahead
from shoal.io.sql.names import library, quoted
from shoal.io.sql.postgres import ServerTypes, connecting, counted_by, find, prepare, rows_of, source_of, split_name, texts_from, told
from shoal.io.target import Rows, Target
from shoal.text.cells import as_text

if TYPE_CHECKING:
    import psycopg

BUSY = "The connection is in a transaction. Commit it or roll it back first: the release is written in a transaction of its own."
PATIENCE = "10s"
"""How long to wait for those who use the old table."""


class Old(NamedTuple):
    """The table that has the name of the target."""

    schema: str
    name: str
    number: int


class PostgresTarget(Target):
    """By an address, or by a connection that is open. The new table is of a transaction that is not ended, so nobody else sees it, and the server forgets it if anything goes wrong."""

    def __init__(self, uri: Uri, connection: Any = None, *, force: bool = False, memory: int | None = None) -> None:
        self.uri, self.name, self.given, self.force = uri, uri.name, connection, force
        self._open = ExitStack()
        self._end: Callable[[], None] | None = None

    def check(self, inputs: Iterable[object] = ()) -> None:
        if self.uri.table is None:
            raise WriteError("A release is written to a table, not to a query: name it with table=.")
        if self.given is not None:
            if self.given.info.transaction_status.name != "IDLE":
                raise WriteError(BUSY)
            return
        with _writing(), connecting(self.uri) as connection:
            schema, name = _place(connection, self.uri)
            old = _check_free(connection, self.uri, schema, name, self.force)
            for source in map(parse, inputs):
                if source is not None and source.scheme == self.uri.scheme and old is not None:
                    _refuse_source(connection, self.uri, source, old)

    def write(self, rows: Rows, shown: Sequence[str] = (), given: object = None) -> None:
        with _writing():
            self._begin()
        first = next(rows)
        self._schema, self._kinds = first.schema, types_for(first, shown, given)
        with told(self.uri, WriteError):
            self._place, self._part = begin(self._connection, self.uri, self._kinds)
            fill(self._connection, self._part, first.columns, (texts_of(frame) for frame in chain([first], rows)))

    def _begin(self) -> None:
        """A transaction of its own."""
        if self.given is None:
            self._connection = self._open.enter_context(connecting(self.uri, read_only=False))
            self._end = partial(commit, self._connection, self.uri)
        else:
            with told(self.uri, WriteError):
                self._connection, transaction = self.given, self.given.transaction()
                transaction.__enter__()
                self._end = partial(transaction.__exit__, None, None, None)
                rolled_back = library("psycopg").Rollback(transaction)
                self._open.callback(lambda: self._end and transaction.__exit__(type(rolled_back), rolled_back, None))
                prepare(self.given)
        with told(self.uri, WriteError):
            _check_free(self._connection, self.uri, *_place(self._connection, self.uri), self.force)

    def rows(self) -> Rows:
        return ahead(self._rows()) if self.given is None else self._rows()

    def _rows(self) -> Rows:
        names = list(self._kinds)
        numbers = {name: dtype for name, dtype in self._schema.items() if dtype.is_float()}
        with _writing():
            for frame in rows_of(self._connection, self.uri, texts_from(names, self._part), names):
                yield frame.cast(numbers) if numbers else frame  # type: ignore[arg-type]

    def counted(self, names: Sequence[str]) -> Rows:
        return counted_by(self._connection, self.uri, names, self._part)

    def publish(self, sha256: str | None) -> None:
        with told(self.uri, WriteError):
            replace_by(self._connection, self.uri, self._part, list(self._kinds), self._place, self.force)
            end, self._end = self._end, None
            assert end is not None
            end()

    def close(self) -> None:
        self._open.close()


@contextmanager
def _writing() -> Iterator[None]:
    """A server that cannot be reached is an error of writing here."""
    try:
        yield
    except WriteError:
        raise
    except DataError as error:
        raise WriteError(str(error)) from None


def begin(connection: psycopg.Connection[Any], uri: Uri, types: Mapping[str, str]) -> tuple[tuple[str, str], str]:
    """A new table that nobody else sees; gives the schema and the name that it is made for, and what it is called until then."""
    connection.execute(f"SET LOCAL lock_timeout = '{PATIENCE}'".encode())
    schema, name = _place(connection, uri)
    part = f"{quoted(schema)}.{quoted(f'shoal part {secrets.token_hex(6)}')}"
    create(connection, part, types)
    return (schema, name), part


def types_for(frame: pl.DataFrame, shown: Collection[str], given: object) -> dict[str, str]:
    """The type of each column there: the original's where it is released as it is and is known, else one that holds all its cells."""
    known = given.types if isinstance(given, ServerTypes) else {}
    kept = {name: kind for name, kind in known.items() if kind is not None and name not in shown}
    return {name: kept.get(name) or _type(dtype) for name, dtype in frame.schema.items()}


def _type(dtype: pl.DataType) -> str:
    if dtype.is_integer():
        return "bigint" if dtype not in (pl.UInt64, pl.Int128) else "numeric"
    if dtype.is_float():
        return "double precision"
    return {pl.Boolean: "boolean", pl.Date: "date"}.get(type(dtype), "text")


def texts_of(frame: pl.DataFrame) -> pl.DataFrame:
    """All cells as texts, but numbers with a fraction as numbers."""
    return pl.DataFrame([column.fill_nan(None) if column.dtype.is_float() else as_text(column) for column in frame.iter_columns()])


def create(connection: psycopg.Connection[Any], part: str, types: Mapping[str, str]) -> None:
    connection.execute(f"CREATE TABLE {part} ({', '.join(f'{quoted(name)} {kind}' for name, kind in types.items())})".encode())


def fill(connection: psycopg.Connection[Any], part: str, names: Sequence[str], pieces: Iterable[pl.DataFrame]) -> None:
    """Rows into a table, by COPY."""
    columns = ", ".join(quoted(name) for name in names)
    with connection.cursor() as cursor, cursor.copy(f"COPY {part} ({columns}) FROM STDIN (FORMAT csv)".encode()) as copy:
        for piece in pieces:
            piece.write_csv(stream := io.BytesIO(), include_header=False, quote_style="non_numeric")
            copy.write(stream.getbuffer())


def replace_by(connection: psycopg.Connection[Any], uri: Uri, part: str, names: Sequence[str], to: tuple[str, str], force: bool) -> None:
    """Give the new table the name, the owner and the grants of the old one, which nobody can use from here on."""
    place = f"{quoted(to[0])}.{quoted(to[1])}"
    old = _check_free(connection, uri, *to, force)
    if old is None:
        connection.execute(f"ALTER TABLE {part} RENAME TO {quoted(to[1])}".encode())
        return
    connection.execute(f"LOCK TABLE {place} IN ACCESS EXCLUSIVE MODE".encode())
    if _check_free(connection, uri, *to, force) != old:
        raise WriteError(f"'{uri.table}' in {uri.path} was replaced by somebody else meanwhile. Nothing was written.")
    grants = _grants(connection, old, part, names)
    connection.execute(f"DROP TABLE {place}".encode())
    for statement in grants:
        connection.execute(statement.encode())
    connection.execute(f"ALTER TABLE {part} RENAME TO {quoted(to[1])}".encode())


def _place(connection: psycopg.Connection[Any], uri: Uri) -> tuple[str, str]:
    """The schema and the name of the target."""
    with told(uri, WriteError):
        schema, name = split_name(str(uri.table))
        if len(name.encode()) > 63:
            raise WriteError("The name of the table is longer than 63 bytes, which is all that PostgreSQL keeps. Choose a shorter one.")
        row = connection.execute(b"SELECT coalesce(%s, current_schema())", (schema,)).fetchone()
        if row is None or row[0] is None:
            raise WriteError(f"{uri.path}: name the schema too (table=SCHEMA.NAME): this user has none of its own.")
        there = connection.execute(
            b"SELECT has_schema_privilege(oid, 'CREATE') FROM pg_namespace WHERE nspname = %s AND nspname NOT LIKE 'pg\\_%%'", (row[0],)
        ).fetchone()
        if there is None:
            raise WriteError(f"There is no schema '{row[0]}' to write to in {uri.path}. Create it first, or choose another.")
        if not there[0]:
            raise WriteError(
                f"This user may not create tables in the schema '{row[0]}' of {uri.path}. Ask for CREATE on it, or choose another."
            )
        return str(row[0]), name


def _check_free(connection: psycopg.Connection[Any], uri: Uri, schema: str, name: str, force: bool) -> Old | None:
    """The table that has the name, if there is one and it may be replaced."""
    with told(uri, WriteError):
        found = find(connection, schema, name)
        if found is None:
            return None
        if found[2] != "r":
            raise WriteError(f"'{uri.table}' in {uri.path} is a view, a partitioned or a foreign table. Choose another name.")
        if not force:
            raise WriteError(
                f"The table '{uri.table}' exists already in {uri.path}, and nothing was written. Choose another name, or give --force (force=True in Python) to replace it."
            )
        about = connection.execute(
            b"SELECT pg_has_role(relowner, 'USAGE'), relrowsecurity OR EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid), "
            b"relispartition OR EXISTS (SELECT FROM pg_inherits WHERE c.oid IN (inhrelid, inhparent)) FROM pg_class c WHERE oid = %s::oid",
            (found[3],),
        ).fetchone()
        if about is None or not about[0]:
            raise WriteError(f"'{uri.table}' in {uri.path} belongs to somebody else. Choose another name, or let its owner write.")
        if about[1]:
            raise WriteError(
                f"'{uri.table}' in {uri.path} has rules on who sees which rows, which a new table would not have. Choose another name."
            )
        if about[2]:
            raise WriteError(f"'{uri.table}' in {uri.path} is a part of another table, or has parts. Choose another name.")
        return Old(found[0], found[1], found[3])


def _grants(connection: psycopg.Connection[Any], old: Old, part: str, names: Sequence[str]) -> list[str]:
    """The statements that give the new table the owner and the grants of the old one, and no others."""
    given = connection.execute(
        b"SELECT DISTINCT CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END "
        b"FROM pg_class, aclexplode(relacl) WHERE oid = %s::regclass AND grantee <> relowner",
        (part,),
    ).fetchall()
    owner = connection.execute(
        b"SELECT quote_ident(pg_get_userbyid(relowner)) FROM pg_class WHERE oid = %s::oid", (old.number,)
    ).fetchall()[0][0]
    made = [*(f"REVOKE ALL ON {part} FROM {who}" for (who,) in given), f"ALTER TABLE {part} OWNER TO {owner}"]
    found = connection.execute(
        b"WITH acl AS (SELECT NULL::name AS attname, relowner, a.* FROM pg_class c, aclexplode(relacl) a WHERE c.oid = %s::oid "
        b"UNION ALL SELECT attname, relowner, a.* FROM pg_attribute JOIN pg_class c ON c.oid = attrelid, aclexplode(attacl) a WHERE c.oid = %s::oid) "
        b"SELECT attname, CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END, privilege_type, is_grantable "
        b"FROM acl WHERE grantee <> relowner",
        (old.number, old.number),
    ).fetchall()
    for column, who, what, may_grant in found:
        if column is None or column in names:
            columns = "" if column is None else f" ({quoted(column)})"
            made.append(f"GRANT {what}{columns} ON {part} TO {who}{' WITH GRANT OPTION' if may_grant else ''}")
    return made


def _refuse_source(connection: psycopg.Connection[Any], uri: Uri, source: Uri, old: Old) -> None:
    """Raise if the target is read by the source: the table itself, or one that its view or query reads."""
    here = _which(connection)
    with connecting(source) as reading, told(source, DataError):
        if _which(reading) != here:
            return
        plan = reading.execute(f"EXPLAIN (VERBOSE, FORMAT JSON) SELECT * FROM {source_of(reading, source)}".encode()).fetchone()
    if plan is not None and (old.schema, old.name) in set(_read_by(plan[0])):
        raise WriteError(f"'{uri.table}' is the input itself, or is read by it. Choose another name: shoal never overwrites what it reads.")


def _which(connection: psycopg.Connection[Any]) -> tuple[Any, ...] | None:
    """Which server and which database this is, whatever it was called."""
    return connection.execute(
        b"SELECT pg_postmaster_start_time(), oid::bigint FROM pg_database WHERE datname = current_database()"
    ).fetchone()


def _read_by(plan: Any) -> list[tuple[str, str]]:
    """The tables that a plan of the server reads."""
    if isinstance(plan, list):
        return [pair for part in plan for pair in _read_by(part)]
    if not isinstance(plan, dict):
        return []
    own = [(plan["Schema"], plan["Relation Name"])] if "Relation Name" in plan else []
    return own + [pair for part in plan.values() for pair in _read_by(part)]


def commit(connection: psycopg.Connection[Any], uri: Uri) -> None:
    import psycopg

    try:
        connection.commit()
    except psycopg.OperationalError:
        raise WriteError(
            f"{uri.path}: the connection was lost at the very end. The table is the old one or the new one, whole; look which."
        ) from None
    except psycopg.Error:
        with told(uri, WriteError):
            raise

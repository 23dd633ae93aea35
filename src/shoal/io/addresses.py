"""Addresses of tables in databases: ``sqlite:///people.db?table=people``, ``duckdb:///people.duckdb?table=people`` and
``postgresql://ada@host/clinic?table=public.people``; ``?query=SELECT…`` reads what a query gives.

After ``sqlite:///`` and ``duckdb:///`` comes the path of the file; an absolute one begins with a fourth slash. What has a meaning in an address
(``% ? # &``) is written with ``%`` and two digits. A password is never taken from an address: those are shown by shells, logs and process lists.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from shoal.errors import DataError

SCHEME = re.compile(r"^([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
FORMS = {
    "sqlite": "sqlite:///FILE.db?table=NAME",
    "duckdb": "duckdb:///FILE.duckdb?table=NAME",
    "postgresql": "postgresql://USER@HOST/DATABASE?table=SCHEMA.NAME",
}
SAME = {"postgres": "postgresql"}
QUOTED = re.compile(r'"(?:[^"]|"")+"')
FIRST_WORD = re.compile(r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/|\()*([a-z]+)", re.IGNORECASE | re.DOTALL)
"""The first word of a query, after comments and brackets."""
DOES = {
    "ALTER", "ANALYZE", "ATTACH", "BEGIN", "CALL", "COMMIT", "COPY", "CREATE", "DELETE", "DETACH", "DO", "DROP", "EXECUTE", "EXPORT", "GRANT", "IMPORT", "INSERT",
    "INSTALL", "LOAD", "LOCK", "MERGE", "PRAGMA", "REFRESH", "REINDEX", "REPLACE", "REVOKE", "ROLLBACK", "SET", "TRUNCATE", "UPDATE", "VACUUM",
}  # fmt: skip
"""Words with which a statement begins that is no question."""
PASSWORDS = {"password", "sslpassword", "passwd", "pwd", "pass"}
SETTINGS = {
    "application_name", "channel_binding", "connect_timeout", "gssencmode", "host", "hostaddr", "keepalives", "keepalives_idle", "krbsrvname", "options",
    "passfile", "port", "service", "sslcert", "sslcrl", "sslkey", "sslmode", "sslrootcert", "target_session_attrs", "user",
}  # fmt: skip
"""What libpq may be told by an address of PostgreSQL. None of these is a secret."""


@dataclass(frozen=True)
class Uri:
    """A table of a database, or a query."""

    path: str
    """The file of the database; of a server its address without table, query and settings."""
    table: str | None = None
    query: str | None = None
    scheme: str = "sqlite"
    settings: tuple[tuple[str, str], ...] = ()
    """What else a server's address says."""

    @property
    def name(self) -> str:
        """In messages: the database and the table; of a query nothing, because it may hold values."""
        return f"{self.path} ({'a query' if self.table is None else f'table {self.table}'})"


def parse(address: object) -> Uri | None:
    """What an address says; None for anything that is no address of a database.

    >>> parse("sqlite:///people.db?table=people")
    Uri(path='people.db', table='people', query=None, scheme='sqlite', settings=())
    >>> parse("people.csv") is None
    True
    """
    if not isinstance(address, str | os.PathLike) or not (found := SCHEME.match(text := os.fspath(address))):
        return None
    scheme = SAME.get(found[1].lower(), found[1].lower())
    _refuse_password(text[found.end() :])
    if scheme not in FORMS:
        raise DataError(
            f"Addresses that begin with '{found[1].lower()}://' are not known to this version. It reads and writes files, and {', '.join(FORMS.values())}."
        )
    try:
        split = urlsplit(text)
    except ValueError:
        raise DataError(f"This is no address of a database. It is {FORMS[scheme]}.") from None
    path = _server(split) if scheme == "postgresql" else _file(split, scheme)
    return _with_settings(path, scheme, split)


def with_query(address: str, query: str | None) -> str:
    """An address without table and query, with this query; without a query the address as it is."""
    if query is None:
        return address
    if not SCHEME.match(address):
        raise DataError("--query is for databases: the input is a file. Give the address of a database.")
    settings = dict(parse_qsl(urlsplit(address).query))
    if "table" in settings or "query" in settings:
        raise DataError("There is a table or a query in the address and another query beside it. Leave one of them out.")
    return f"{address}{'&' if '?' in address else '?'}query={quote(query, safe='')}"


def _refuse_password(rest: str) -> None:
    """Raise where a password may be in an address, also in one that was not written with ``%`` and so says something else."""
    start = re.split(r"[?#]", rest, maxsplit=1)[0]
    who = start.rpartition("@")[0]
    host = start.rpartition("@")[2].split("/", 1)[0]
    odd_port = any(not part.rpartition(":")[2].isdigit() for part in host.split(",") if ":" in part and not part.endswith("]"))
    named = {key.lower() for key, _ in parse_qsl(rest.partition("?")[2], keep_blank_values=True)}
    if ":" in who or odd_port or PASSWORDS & named:
        raise DataError(
            "There is a password in the address of the database, or a port that is no number. Take it out: other programs can see it there. "
            "PostgreSQL's own ways are a password file (PGPASSFILE, ~/.pgpass) and PGPASSWORD in the environment."
        )


def _file(split: SplitResult, scheme: str) -> str:
    if split.netloc or not split.path.strip("/"):
        raise DataError(
            f"The address names no file. It is {FORMS[scheme]}, with three slashes before a file in this folder and four before an absolute path."
        )
    return unquote(split.path[1:])


def _server(split: SplitResult) -> str:
    return f"postgresql://{split.netloc}{split.path}"


def _with_settings(path: str, scheme: str, split: SplitResult) -> Uri:
    given = dict(parse_qsl(split.query, keep_blank_values=True))
    known = {"table", "query"} | (SETTINGS if scheme == "postgresql" else set())
    unknown = sorted(set(given) - known)
    if unknown or split.fragment:
        said = f"'{unknown[0]}' is not" if unknown and unknown[0].isidentifier() else "What follows '#' or '?' is not"
        raise DataError(f"{said} known in an address. It is {FORMS[scheme]}, or has query= instead of table=.")
    if ("table" in given) == ("query" in given) or not all(given.values()):
        raise DataError(f"The address must name one table or one query: {FORMS[scheme]}.")
    settings = tuple((key, value) for key, value in given.items() if key not in ("table", "query"))
    table = given.get("table")
    return Uri(path, table if table is None or scheme == "postgresql" else bare_name(table), given.get("query"), scheme, settings)


def bare_name(table: str) -> str:
    """The name of a table, also where it stands in double quotes as in SQL. (Of PostgreSQL there may be a schema before it: see there.)

    >>> bare_name('people'), bare_name('"my people"'), bare_name('"a""b"')
    ('people', 'my people', 'a"b')
    """
    return table[1:-1].replace('""', '"') if QUOTED.fullmatch(table) else table


def check_query(uri: Uri) -> None:
    """Raise if a query begins as one that does something instead of giving a table. Databases refuse the others: what is read is opened for reading."""
    found = FIRST_WORD.match(uri.query or "")
    word = found[1].upper() if found else ""
    if word in DOES:
        raise DataError(f"{uri.name} begins with {word} and would change or do something. Only a SELECT is read; nothing was changed.")


def same_file(uri: Uri, given: object) -> bool:
    """Whether what is given is an address of a database in the same file."""
    other = parse(given)
    return other is not None and other.scheme == uri.scheme and os.path.realpath(other.path) == os.path.realpath(uri.path)

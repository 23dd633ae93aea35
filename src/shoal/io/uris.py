"""Addresses of tables in databases: ``sqlite:///people.db?table=people``, or ``?query=SELECT…`` to read what a query gives.

After ``sqlite:///`` comes the path of the file; an absolute one begins with a fourth slash. What has a meaning in an address (``% ? # &``) is
written with ``%`` and two digits. A password is never taken from an address: those are shown by shells, logs and process lists.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from shoal.errors import DataError

SCHEME = re.compile(r"^([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
KNOWN = "sqlite"
FORM = "sqlite:///FILE.db?table=NAME"


@dataclass(frozen=True)
class Uri:
    """A table of a database, or a query."""

    path: str
    """The file of the database."""
    table: str | None = None
    query: str | None = None

    @property
    def name(self) -> str:
        """In messages: the file and the table; of a query nothing, because it may hold values."""
        return f"{self.path} ({'a query' if self.table is None else f'table {self.table}'})"


def parse(address: object) -> Uri | None:
    """What an address says; None for anything that is no address of a database.

    >>> parse("sqlite:///people.db?table=people")
    Uri(path='people.db', table='people', query=None)
    >>> parse("people.csv") is None
    True
    """
    if not isinstance(address, str | os.PathLike) or not (found := SCHEME.match(text := os.fspath(address))):
        return None
    split = urlsplit(text)
    if "@" in split.netloc and ":" in split.netloc.rsplit("@", 1)[0]:
        raise DataError("There is a password in the address of the database. Take it out: other programs can see it there.")
    if found[1].lower() != KNOWN:
        raise DataError(
            f"Addresses that begin with '{found[1].lower()}://' are not known to this version. It reads and writes files, and {FORM}."
        )
    if split.netloc or not split.path.strip("/"):
        raise DataError(
            f"The address names no file. It is {FORM}, with three slashes before a file in this folder and four before an absolute path."
        )
    return _with_settings(unquote(split.path[1:]), split.query, split.fragment)


def _with_settings(path: str, settings: str, fragment: str) -> Uri:
    given = dict(parse_qsl(settings, keep_blank_values=True))
    unknown = sorted(set(given) - {"table", "query"})
    if unknown or fragment:
        said = f"'{unknown[0]}' is not" if unknown else "What follows '#' is not"
        raise DataError(f"{said} known in an address. It is {FORM}, or has query= instead of table=.")
    if ("table" in given) == ("query" in given) or not all(given.values()):
        raise DataError(f"The address must name one table or one query: {FORM}.")
    return Uri(path, given.get("table"), given.get("query"))

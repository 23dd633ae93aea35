"""Names in databases, and the libraries that databases need."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from shoal.errors import DataError

LIBRARIES = {"duckdb": "duckdb", "psycopg": "postgres"}
"""What each library is called among shoal's extras."""


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

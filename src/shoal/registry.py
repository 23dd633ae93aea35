"""Catalogs: what there is, by the name the user types, loaded when it is asked for.

A catalog is a plain dictionary from name to ``"module:attribute"``. One line adds an algorithm, a measure, a bound, a
criterion or a hierarchy builder; the command line, the reference page, the benchmarks and the contract tests read it.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Any

from shoal.errors import PolicyError

Catalog = Mapping[str, str]


def load(address: str) -> Any:
    """The object at ``"package.module:attribute"``.

    >>> load("math:pi")
    3.141592653589793
    """
    module, _, attribute = address.partition(":")
    return getattr(import_module(module), attribute)


def names(catalog: Catalog) -> list[str]:
    """The names in a catalog, in the catalog's order."""
    return list(catalog)


def find(catalog: Catalog, name: str, kind: str = "name") -> Any:
    """The entry called ``name``; a :class:`PolicyError` that lists the others if there is none."""
    if name not in catalog:
        check(catalog, name, kind)
    return _entry(catalog[name])


_entry = cache(load)
"""An entry stays what it is: it is looked up for each column, each measure and each group."""


def check(catalog: Catalog, name: str, kind: str = "name") -> None:
    """Raise that error, and load nothing."""
    if name not in catalog:
        near = get_close_matches(name, catalog, n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        raise PolicyError(f"There is no {kind} called '{name}'.{hint} There are: {', '.join(catalog)}.")

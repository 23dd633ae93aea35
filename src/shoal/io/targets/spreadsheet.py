"""Cells that a spreadsheet would take for a formula, made safe and as they were."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from shoal.errors import DataError

RISKY = r"^[=+\-@\t\r]"
NUMBER = r"^[+-]?(\d+([.,]\d*)*|[.,]\d+)([eE][+-]?\d+)?%?$"


def defuse(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with ``'`` before texts and names that begin like a formula (= + - @, tab, carriage return) and are not plain numbers."""
    texts = pl.col(pl.String)
    risky = texts.str.contains(RISKY) & ~texts.str.contains(NUMBER)
    return frame.with_columns(pl.when(risky).then("'" + texts).otherwise(texts).name.keep()).rename(_defused_names(frame.columns))


def undefuse(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as it was before :func:`defuse`: without the ``'`` before what would be a formula.

    Raises :class:`DataError` where some of these cells have none: a file in which some have it and some do not tells more than its cells.
    """
    texts = pl.col(pl.String)
    _refuse_unmarked(frame)
    bare = texts.str.slice(1)
    marked = texts.str.starts_with("'") & bare.str.contains(RISKY) & ~bare.str.contains(NUMBER)
    names = {name: name[1:] for name in frame.columns if name[:1] == "'" and re.search(RISKY, name[1:]) and name[1:] not in frame.columns}
    return frame.with_columns(pl.when(marked).then(bare).otherwise(texts).name.keep()).rename(names)


def _refuse_unmarked(frame: pl.DataFrame) -> None:
    for column in frame.select(pl.col(pl.String)).iter_columns():
        n = int((column.str.contains(RISKY) & ~column.str.contains(NUMBER)).sum())
        if n:
            raise DataError(
                f"Column '{column.name}' was not written with --spreadsheet-safe (spreadsheet_safe=True in Python): {n:,} of its cells begin as a formula does "
                "and have no ' before them. Leave it out, or write the release again."
            )


def _defused_names(names: Sequence[str]) -> dict[str, str]:
    """New names for the columns whose name begins like a formula."""
    taken, found = set(names), {}
    for name in names:
        if re.search(RISKY, name) and not re.search(NUMBER, name):
            safe = "'" + name
            while safe in taken:
                safe = "'" + safe
            taken.add(safe)
            found[name] = safe
    return found

"""Parts of cells that may tell more than the whole: characters at one place, how a text is written, whether a cell is there, and what lies inside lists and structs.

Where nearly each row has its own number or text, no two rows agree in the whole. In such a part they do.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

MOST_PLACES = 24
"""Characters that are looked at one by one, where nearly all cells have the same length."""
MOST_MEMBERS = 4
"""Of lists, so many members from the first."""
MOST_LEAVES = 40
EVEN = 0.9


def pieces_of(texts: pl.Series) -> Iterator[pl.Series]:
    """The parts of texts that mostly differ."""
    yield from (texts.str.head(1), texts.str.head(2), texts.str.tail(1), texts.str.tail(2))
    yield texts.str.replace_all(r"\p{Lu}", "A").str.replace_all(r"\p{Ll}", "a").str.replace_all(r"\p{Nd}", "0")
    yield texts.str.replace_all(r"[\p{L}\p{N}]", "")
    length = texts.str.len_chars()
    usual = length.drop_nulls().mode().sort()
    if not len(usual) or int((length == usual[0]).sum()) < EVEN * (len(texts) - texts.null_count()):
        return
    for at in range(1, min(int(usual[0]), MOST_PLACES + 2) - 1):
        yield texts.str.slice(at, 1)
        yield texts.str.slice(at, 2)


def presence(cells: pl.Series) -> pl.Series:
    """Whether each cell is there, as a text."""
    return cells.is_null().cast(pl.String)


def leaves_of(cells: pl.Series) -> list[pl.Series]:
    """Plain columns for what lists and structs hold: fields, first members, and how many members there are."""
    return list(_leaves(cells))[:MOST_LEAVES]


def _leaves(cells: pl.Series) -> Iterator[pl.Series]:
    if isinstance(cells.dtype, pl.Struct):
        for field in cells.dtype.fields:
            yield from _leaves(cells.struct.field(field.name))
    elif isinstance(cells.dtype, pl.List):
        yield cells.list.len().alias("length")
        for at in range(MOST_MEMBERS):
            yield from _leaves(cells.list.get(at, null_on_oob=True))
    elif isinstance(cells.dtype, pl.Array):
        yield from _leaves(cells.arr.to_list())
    else:
        yield cells


__all__ = ["leaves_of", "pieces_of", "presence"]

"""Whether cells are digests that anybody can compute again: of hidden columns, alone or joined, with the usual separators.

Only columns that look like codes are tried, in a row or two; what fits there is held to more rows.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from shoal.judge.hints.cells import DrawnColumn
from shoal.judge.hints.pairs import bytes_of

SEPARATORS = ("", ",", ";", "|", "/", "-", "_", " ", ":", "\t", ", ", ".", "#")
MOST_JOINED = 8
"""Of so many columns all orders of two and three are tried, of more only their own order."""
PROBES, CHECKED = 2, 100
FEWEST_BYTES = 4
NAMES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_224", "sha3_256", "sha3_384", "sha3_512", "blake2b", "blake2s")


def _checksum(function: Callable[[bytes], int]) -> Callable[[bytes], bytes]:
    return lambda data: function(data).to_bytes(4, "big")


def _hash(name: str) -> Callable[[bytes], bytes]:
    return lambda data: hashlib.new(name, data, usedforsecurity=False).digest()


def _blake(size: int) -> Callable[[bytes], bytes]:
    return lambda data: hashlib.blake2b(data, digest_size=size).digest()


DIGESTS: dict[str, Callable[[bytes], bytes]] = {
    **{name: _hash(name) for name in NAMES},
    **{f"blake2b-{8 * size}": _blake(size) for size in (4, 8, 16, 20, 32)},
    "crc32": _checksum(zlib.crc32),
    "adler32": _checksum(zlib.adler32),
}


@dataclass(frozen=True)
class DigestRecipe:
    """How a digest is computed of a row."""

    digest: str
    columns: tuple[int, ...]
    separator: str
    change: Callable[[str], str]

    def text(self, row: Sequence[str]) -> bytes:
        return self.change(self.separator.join(row[j] for j in self.columns)).encode()


def recomputed(x: DrawnColumn, hidden: Sequence[DrawnColumn], others: Sequence[DrawnColumn]) -> tuple[str, list[str], float] | None:
    """The digest that x is, of which columns, and in which share of rows. ``others`` are columns that are not released, tried alone."""
    there = np.flatnonzero(x.is_there)[:CHECKED]
    shown = [_codes(x.listed[row] or "") for row in there.tolist()]
    if len(there) < PROBES or sum(bool(codes) for codes in shown) < 0.9 * len(shown):
        return None
    columns = [*hidden, *others]
    rows = [tuple(column.listed[row] or "" for column in columns) for row in there.tolist()]
    for i in range(PROBES):
        for recipe in _recipes(rows[i], len(hidden), len(columns), shown[i]):
            seen = sum(_fits(recipe, row, codes) for row, codes in zip(rows, shown, strict=True)) / len(rows)
            if seen >= 1 / 3:
                return recipe.digest, [columns[j].name for j in recipe.columns], seen
    return None


def _codes(text: str) -> list[bytes]:
    """The bytes that a text may stand for, if it looks like a code."""
    if text.isascii() and text.isdecimal() and 6 < len(text) < 11:
        return [int(text).to_bytes(8, "big")[4:]] if int(text) < 2**32 else []
    if not (any(c.isdigit() for c in text) and any(c.isalpha() for c in text)) or not text.isascii():
        return []
    return [data for data in bytes_of(text) if len(data) >= FEWEST_BYTES]


def _fits(recipe: DigestRecipe, row: Sequence[str], codes: Sequence[bytes]) -> bool:
    digest = DIGESTS[recipe.digest](recipe.text(row))
    return any(digest.startswith(code) for code in codes)


def _recipes(row: Sequence[str], n_hidden: int, n_columns: int, codes: Sequence[bytes]) -> Iterator[DigestRecipe]:
    """The recipes that give this row's code."""
    sizes = {len(code) for code in codes}
    whole = {name for name, digest in DIGESTS.items() if len(digest(b"")) in sizes}
    tried = whole or set(DIGESTS)
    for columns in _joins(n_hidden, n_columns):
        for separator in SEPARATORS if len(columns) > 1 else SEPARATORS[:1]:
            for change in (str, str.strip, str.lower, str.upper, _with_newline):
                recipe = DigestRecipe("", columns, separator, change)
                text = recipe.text(row)
                if change is not str and text == DigestRecipe("", columns, separator, str).text(row):
                    continue
                for name in sorted(tried):
                    digest = DIGESTS[name](text)
                    if any(digest.startswith(code) for code in codes):
                        yield DigestRecipe(name, columns, separator, change)


def _with_newline(text: str) -> str:
    return text + "\n"


def _joins(n_hidden: int, n_columns: int) -> Iterator[tuple[int, ...]]:
    """One column, then two and three of the quasi-identifiers, then all of them."""
    yield from ((j,) for j in range(n_columns))
    chosen = permutations if n_hidden <= MOST_JOINED else combinations
    for size in (2, 3):
        yield from chosen(range(n_hidden), size)
    if n_hidden > 3:
        yield tuple(range(n_hidden))

"""Different rows of texts as numbers, and how many there are of each: a few bytes for a row, however long its texts are.

A value is the place where it was met first, and a row is its values' places side by side in 63 bits. Where that does not suffice, or memory does not, whoever counts must go on elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.judge.counts import N, label

Longs = NDArray[np.int64]
BITS = 63
MOST_VALUES = 1 << 18
"""Different values of one column: of more, a database keeps better order."""
PENDING = 1 << 18
"""Rows are put in order when so many wait, or as many as there are different ones."""
PER_ROW = 96
"""Bytes for each different row while rows are put in order and while they become texts, about."""


class RowKeys:
    """The rows so far. Frames have our own names for their columns (:func:`label`)."""

    def __init__(self, n_columns: int, memory: int) -> None:
        self.memory = memory
        self._values = [MetValues() for _ in range(n_columns)]
        self._bits = [1] * n_columns
        self._keys, self._counts = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        self._waiting: list[tuple[Longs, Longs]] = []

    def add(self, frame: pl.DataFrame) -> bool:
        """Count some rows; False, and nothing of them is counted, where there is no room for them."""
        codes = [places.of(frame[label(j)]) for j, places in enumerate(self._values)]
        if any(len(places) > MOST_VALUES for places in self._values) or not self._widen() or not self._has_room():
            return False
        keys, counts = np.unique(_packed(codes, self._bits), return_counts=True)
        self._waiting.append((keys, counts.astype(np.int64)))
        if sum(len(waiting) for waiting, _ in self._waiting) > max(PENDING, len(self._keys)):
            self._settle()
        return True

    def _has_room(self) -> bool:
        n_rows = len(self._keys) + sum(len(waiting) for waiting, _ in self._waiting)
        return n_rows * PER_ROW + sum(places.n_bytes for places in self._values) <= self.memory

    def _widen(self) -> bool:
        """Give each column the bits that its values need by now; False where they are too many together."""
        needed = [max(old, len(places).bit_length()) for old, places in zip(self._bits, self._values, strict=True)]
        if sum(needed) > BITS:
            return False
        if needed != self._bits:
            self._settle()
            self._keys = _packed(_unpacked(self._keys, self._bits), needed)
            self._bits = needed
        return True

    def _settle(self) -> None:
        """Put what waits in order, and add equal rows up."""
        keys = np.concatenate([self._keys, *(keys for keys, _ in self._waiting)])
        counts = np.concatenate([self._counts, *(counts for _, counts in self._waiting)])
        self._waiting.clear()
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        first = np.flatnonzero(np.diff(keys, prepend=-1))
        self._keys = keys[first]
        self._counts = np.add.reduceat(counts[order], first) if len(first) else counts

    def rows(self) -> pl.DataFrame:
        """The different rows as texts, and how many there are of each, in ``n``."""
        self._settle()
        columns = [places.texts(codes).alias(label(j)) for j, (places, codes) in enumerate(zip(self._values, self._codes(), strict=True))]
        return pl.DataFrame([*columns, pl.Series(N, self._counts)])

    def _codes(self) -> list[Longs]:
        return _unpacked(self._keys, self._bits)


class MetValues:
    """The values of a column in the order in which they were met."""

    def __init__(self) -> None:
        self._known = pl.Series([], dtype=pl.String)
        self._type = pl.Enum([])
        self.n_bytes = 0

    def __len__(self) -> int:
        return len(self._known)

    def of(self, cells: pl.Series) -> NDArray[np.integer[Any]]:
        """The place of each cell's value, from 1; 0 for a missing cell. Values that are new find their place."""
        codes = cells.cast(self._type, strict=False)
        if codes.null_count() != cells.null_count():
            new = cells.filter(codes.is_null() & cells.is_not_null()).unique(maintain_order=True)
            self._known = pl.concat([self._known, new.alias(self._known.name)]).rechunk()
            self._type, self.n_bytes = pl.Enum(self._known), 4 * int(self._known.estimated_size())
            codes = cells.cast(self._type)
        return (codes.to_physical().cast(pl.Int64) + 1).fill_null(0).to_numpy()

    def texts(self, places: Longs) -> pl.Series:
        """The values at some places."""
        which = pl.Series(places, dtype=pl.Int64)
        return self._known.gather(pl.select(pl.when(which > 0).then(which - 1)).to_series())


def _packed(codes: Sequence[NDArray[np.integer[Any]]], bits: Sequence[int]) -> Longs:
    key = np.zeros(len(codes[0]), dtype=np.int64)
    for column, width in zip(codes, bits, strict=True):
        key <<= width
        key |= column
    return key


def _unpacked(keys: Longs, bits: Sequence[int]) -> list[Longs]:
    found, rest = [], keys
    for width in reversed(bits):
        found.append(rest & ((1 << width) - 1))
        rest = rest >> width
    return found[::-1]

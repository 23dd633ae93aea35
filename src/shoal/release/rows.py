"""Which row of the original each released row is, where some were withheld: row order is kept, so a walk in order finds it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.release.reading import covers, is_suppressed
from shoal.table.text import as_text

Rows = Sequence[Sequence[str | None]]
Test = Callable[[str | None, str | None], bool]


def match_in_order(
    original: pl.DataFrame, released: pl.DataFrame, quasi_identifiers: Sequence[str], hierarchies: Mapping[str, Rows]
) -> NDArray[np.int64] | None:
    """The earliest rows of the original, in their order, whose cells the released ones cover and whose other columns agree; None if there are none.

    Taking the earliest is safe: if any matching in order exists, the earliest rows give one.
    """
    others = [name for name in released.columns if name in original.columns and name not in quasi_identifiers]
    tests: list[Test] = [*(_same for _ in others), *(_Cover(hierarchies.get(name)) for name in quasi_identifiers)]
    names = [*others, *quasi_identifiers]
    before = list(zip(*(as_text(original[name]).to_list() for name in names), strict=True))
    after = zip(*(as_text(released[name]).to_list() for name in names), strict=True)
    found: list[int] = []
    at = 0
    for shown in after:
        while at < len(before) and not all(test(a, b) for test, a, b in zip(tests, before[at], shown, strict=True)):
            at += 1
        if at == len(before):
            return None
        found.append(at)
        at += 1
    return np.array(found, dtype=np.int64)


def _same(original: str | None, shown: str | None) -> bool:
    return original == shown


class _Cover:
    """Whether a released text covers an original one; each pair is looked at once."""

    def __init__(self, rows: Rows | None) -> None:
        self.paths = {row[0]: set(row) for row in rows or ()}
        self.labels = {label for row in rows or () for label in row if label is not None}
        self.known: dict[tuple[str | None, str | None], bool] = {}

    def __call__(self, original: str | None, shown: str | None) -> bool:
        pair = (original, shown)
        if pair not in self.known:
            self.known[pair] = self._covers(original, shown)
        return self.known[pair]

    def _covers(self, original: str | None, shown: str | None) -> bool:
        if original == shown:
            return True
        if shown is None or original is None:
            return shown is not None and is_suppressed(shown)
        if is_suppressed(shown) or shown in self.paths.get(original, ()):
            return True
        return shown not in self.labels and covers(shown, original)

"""What is sent, set beside the original row by row. No code of the solver is used."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import polars as pl

from shoal.engines.tables import summed
from shoal.judge.counts import N, Pairs
from shoal.text.cells import as_text
from shoal.text.exact import differing, exact_text

OFTEN = 64
"""After so many stretches pairs are added up."""


class FoundPairs:
    """The different pairs of an original and a released text, and how many cells differ that should not, collected as rows pass."""

    def __init__(self, columns: Sequence[str], quasi_identifiers: Collection[str]) -> None:
        self.quasi_identifiers = [name for name in columns if name in quasi_identifiers]
        self.kept = [name for name in columns if name not in self.quasi_identifiers]
        self._found: dict[str, list[pl.DataFrame]] = {name: [] for name in self.quasi_identifiers}
        self._differing = dict.fromkeys(self.kept, 0)
        self._n_before = 0

    def add(self, original: pl.DataFrame, written: pl.DataFrame, n_before: int) -> None:
        """Rows and what was made of them, one beside the other; of ``n_before`` rows these were kept."""
        self._n_before += n_before
        for name in self.quasi_identifiers:
            both = pl.DataFrame({"o": as_text(original[name]), "s": exact_text(written[name])})
            parts = self._found[name]
            parts.append(both.group_by("o", "s").len(N).cast({N: pl.Int64}))
            if len(parts) > OFTEN:
                parts[:] = [_summed(parts)]
        for name in self.kept:
            self._differing[name] += int(differing(original[name], written[name]).sum())

    def pairs(self) -> Pairs:
        return Pairs({name: _summed(parts) for name, parts in self._found.items()}, self._differing, self._n_before)


def _summed(parts: list[pl.DataFrame]) -> pl.DataFrame:
    empty = pl.DataFrame(schema={"o": pl.String, "s": pl.String, N: pl.Int64})
    return summed(pl.concat([empty, *parts]))

"""How strongly columns go together, as an analyst of the release finds it, and for the owner as it was.

Labels themselves are no values: columns that are generalized together seem to go together, though their values do not.
So each column is cut into a few bins by its values, and a cell that stands for several is spread over them as
:func:`shoal.read` spreads it. Bins come from the release; before and after have the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import rank_keys
from shoal.reader.column import Column
from shoal.reader.reading import Reading
from shoal.release.counted import CountedRelease
from shoal.release.release import Release
from shoal.report.once import coded_before
from shoal.report.shapes import estimated, original
from shoal.table.once import once

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]

MOST_COLUMNS = 12
MOST_BINS = 8


@dataclass(frozen=True, eq=False)
class Binning:
    """The bins of a column: those of the reader's values, and of any others."""

    column: Column
    edges: Floats | None
    """Where bins begin, for numbers and days; None for other values."""
    of_value: Longs
    """The bin of each value that the reader knows."""
    n_bins: int

    def of(self, values: tuple[str | None, ...], place: Floats) -> Longs:
        """The bin of other values; what no bin holds is in the last."""
        last = self.n_bins - 1
        if self.edges is not None:
            return np.where(np.isnan(place), last, np.searchsorted(self.edges, place, side="right"))
        known = dict(zip(self.column.words.values, self.of_value.tolist(), strict=True))
        return np.array([known.get(value, last) for value in values], dtype=np.int64)

    def shares(self) -> Floats:
        """For each kind of cell how likely each bin is."""
        entries = self.column.of * self.n_bins + self.of_value[self.column.cells.leaf]
        n = len(self.column.cells.size)
        return np.asarray(
            np.bincount(entries, weights=self.column.shares[1], minlength=n * self.n_bins), dtype=np.float64
        ).reshape(n, -1)


def binning(column: Column) -> Binning:
    """Numbers and days in bins of about equally many rows, other values each by itself, and the rarest and missing ones
    together.
    """
    rows, place = estimated(column), column.words.place
    if column.is_line and np.unique(place[~np.isnan(place)]).size > MOST_BINS:
        order = np.argsort(place)[: int((~np.isnan(place)).sum())]
        part = np.cumsum(rows[order]) * MOST_BINS / max(rows[order].sum(), 1e-12)
        first = np.searchsorted(part, np.arange(1, MOST_BINS), side="right")
        edges = np.unique(place[order][np.minimum(first, len(order) - 1)])
        of_value = np.where(np.isnan(place), len(edges) + 1, np.searchsorted(edges, np.nan_to_num(place), side="right"))
        return Binning(column, edges, of_value, len(edges) + 2)
    common = np.argsort(-rows, kind="stable")[: MOST_BINS + 4]
    of_value = np.full(column.n_values, len(common), dtype=np.int64)
    of_value[common] = np.arange(len(common))
    return Binning(column, None, of_value, len(common) + 1)


def names_of_pairs(release: Release | CountedRelease) -> list[str]:
    """The protected and the sensitive columns, as many as are looked at."""
    return [*(c.name for c in release.problem.columns), *release.policy.named("sensitive")][:MOST_COLUMNS]


def associations(release: Release | CountedRelease, reading: Reading, for_owner: bool) -> Iterator[dict[str, Any]]:
    """Every pair of columns with how strongly the two go together: after, and for the owner before, and how many rows
    are counted in the wrong bins.
    """
    names = names_of_pairs(release)
    bins = {name: binning(reading.columns[name]) for name in names}
    shares = {name: b.shares() for name, b in bins.items()}
    before = {name: rows_before(release, reading, name, b) for name, b in bins.items()} if for_owner else {}
    times = coded_before(release, names[0]).rows if for_owner and names else None
    for a, b in combinations(names, 2):
        read = once(reading, ("joint", a, b), partial(_joint, bins[a], shares[a], bins[b], shares[b], reading.times))
        if not for_owner:
            yield {"a": a, "b": b, "association": {"after": strength(read)}}
            continue
        counts = (
            np.bincount(before[a] * bins[b].n_bins + before[b], weights=times, minlength=read.size)
            .reshape(read.shape)
            .astype(np.float64)
        )
        wrong = float(np.abs(read - counts).sum() / (2 * max(counts.sum(), 1.0)))
        yield {"a": a, "b": b, "association": {"before": strength(counts), "after": strength(read)}, "misplaced": wrong}


def _joint(a: Binning, shares_a: Floats, b: Binning, shares_b: Floats, times: Longs | None) -> Floats:
    """The table of counts of two columns, as the release lets one estimate it."""
    key = a.column.kind * len(shares_b) + b.column.kind
    first, n_rows, of = rank_keys(key)
    pairs, rows = key[first], n_rows if times is None else np.bincount(of, weights=times, minlength=len(first))
    kind_a, kind_b = np.divmod(pairs, len(shares_b))
    found = np.zeros((a.n_bins, b.n_bins))
    for start in range(0, len(pairs), 100_000):
        part = slice(start, start + 100_000)
        found += (shares_a[kind_a[part]] * rows[part, None]).T @ shares_b[kind_b[part]]
    return found


def rows_before(release: Release | CountedRelease, reading: Reading, name: str, bins: Binning) -> Longs:
    """The bin of each released row by its original value. For the owner."""
    counted = original(release, reading, name)
    return bins.of(counted.values, counted.place)[counted.of_row]


def strength(table: Floats) -> float:
    """Cramér's V of a table of counts, with the bias correction of Bergsma (2013): 0 for independent columns, 1 where
    one decides the other.

    >>> strength(np.diag([50.0, 50.0])), strength(np.full((3, 3), 10.0))
    (1.0, 0.0)
    """
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    n, (r, c) = float(table.sum()), table.shape
    if n < 2 or min(r, c) < 2:
        return 0.0
    phi2 = float((table**2 / np.outer(table.sum(axis=1), table.sum(axis=0))).sum()) - 1.0
    phi2 = max(phi2 - (r - 1) * (c - 1) / (n - 1), 0.0)
    least = min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1.0
    return float(np.sqrt(min(phi2 / least, 1.0))) if least > 0 else 0.0

"""The least price of the sets of a column that may show any interval, or any subset, of its values.

A group shows a set A. The lowest block that holds A is the lowest one above two values of A (two neighbours, if A is an interval), so A costs at
least what the cheapest allowed set with two such values costs. That is taken for the price of the block, and the column is checked as if
the blocks were its hierarchy.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from shoal.judge.measures.base import RecountedMeasure
from shoal.judge.measures.exact import Known, bits_of
from shoal.proof.case import Ladder
from shoal.proof.nodes import Nodes

Longs = NDArray[np.int64]
MOST_PAIRS = 200_000
"""Of a free subset with more pairs of values, sets are taken to cost nothing."""


def free_prices(ladder: Ladder, nodes: Nodes, measure: RecountedMeasure) -> list[Fraction]:
    """The least price of a set whose lowest block is each node."""
    n = len(ladder.values)
    price: list[Fraction | None] = [None] * len(nodes.level)
    floors = Floors(ladder, measure)
    for v in range(n):
        price[v] = floors.of(v, v)
    if ladder.free == "interval":
        left, right = np.arange(n - 1), np.arange(1, n)
    elif n * (n - 1) // 2 <= MOST_PAIRS:
        left, right = np.triu_indices(n, 1)
    else:
        return [p if p is not None else Fraction(0) for p in price]
    for a, b, node in zip(left.tolist(), right.tolist(), lowest_blocks(nodes, left, right).tolist(), strict=True):
        least, known = floors.of(a, b), price[node]
        price[node] = least if known is None else min(known, least)
    return [p if p is not None else Fraction(0) for p in price]


def lowest_blocks(nodes: Nodes, left: Longs, right: Longs) -> Longs:
    """The lowest node above both values of each pair."""
    found = np.full(len(left), -1, dtype=np.int64)
    for cut in nodes.cuts:
        here = (found < 0) & (cut[left] == cut[right])
        found[here] = cut[left[here]]
    return found


class Floors:
    """What every allowed set costs at least that holds two values (or one, given twice); pairs that are alike are asked about once."""

    def __init__(self, ladder: Ladder, measure: RecountedMeasure) -> None:
        self.ladder, self.measure = ladder, measure
        self.count = ladder.count.tolist()
        self.falling = np.sort(ladder.count)[::-1]
        self.total, self.bits = int(ladder.count.sum()), bits_of(ladder.count)
        self.has_missing = ladder.values[-1] is None
        self.known: dict[tuple[int, int, bool, Fraction | None], Fraction] = {}
        self.of_sets: dict[bytes, Fraction] = {}

    def of_set(self, values: Longs) -> Fraction:
        """What every allowed set costs at least that holds these values; sets that are alike are asked about once."""
        if self.has_missing and len(values) > 1 and values.max() == len(self.count) - 1:
            values = np.arange(len(self.count))  # a missing cell beside values shows the whole domain
        counts = np.sort(self.ladder.count[values])
        ends = None if self.ladder.ends is None else self.ladder.ends[values]
        key = counts.tobytes() + (b"" if ends is None else ends[:, 0].min().tobytes() + ends[:, 1].max().tobytes())
        if key not in self.of_sets:
            self.of_sets[key] = self.ask_set(values, counts)
        return self.of_sets[key]

    def ask_set(self, values: Longs, counts: Longs) -> Fraction:
        if self.measure.is_monotone or len(values) == len(self.count):
            return self.of_shown(values)
        assert self.measure.superset_floor is not None
        others = np.sort(np.delete(self.ladder.count, values))[::-1]
        return self.measure.superset_floor(self.known_set(values, counts), others)

    def of_shown(self, values: Longs) -> Fraction:
        """What a set costs at least that is shown as it is."""
        assert self.measure.floor is not None
        return self.measure.floor(self.known_set(values, self.ladder.count[values]))

    def known_set(self, values: Longs, counts: Longs) -> Known:
        return Known(counts, self.total, len(self.count), int(len(values) > 1), 1, self.width(values), self.bits)

    def of(self, a: int, b: int) -> Fraction:
        low, high = sorted((self.count[a], self.count[b]))
        key = (low, high, a == b, self.share(a, b))
        if key not in self.known:
            self.known[key] = self.ask(*key)
        return self.known[key]

    def ask(self, low: int, high: int, is_one: bool, share: Fraction | None) -> Fraction:
        assert self.measure.floor is not None
        counts = np.array([low] if is_one else [low, high])
        level = 0 if is_one else 1
        node = Known(counts, self.total, len(self.count), level, 1, share, self.bits)
        if self.measure.is_monotone or is_one:
            return self.measure.floor(node)
        assert self.measure.superset_floor is not None
        others = self.falling.tolist()
        for count in counts.tolist():
            others.remove(count)
        return self.measure.superset_floor(node, np.array(others, dtype=np.int64))

    def share(self, a: int, b: int) -> Fraction | None:
        return self.width(np.array([a, b]))

    def width(self, values: Longs) -> Fraction | None:
        """The width of the interval around some values over the domain's, where values are numbers."""
        if self.ladder.ends is None:
            return None
        around, ends = self.ladder.ends[-1], self.ladder.ends[values]
        if not np.isfinite(around).all():
            return None
        low, high = Fraction(float(around[0])), Fraction(float(around[1]))
        if high <= low:
            return Fraction(0)
        if not np.isfinite(ends).all():
            return None
        return (Fraction(float(ends[:, 1].max())) - Fraction(float(ends[:, 0].min()))) / (high - low)

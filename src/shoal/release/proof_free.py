"""What the sets of a column cost at least that is generalized freely: any interval, or any subset, of its values.

A group shows a set A. The lowest block that holds A is the lowest one above two values of A (two neighbours, if A is an interval), so A costs at
least what the cheapest allowed set with two such values costs. That is taken for the price of the block, and the column is checked as if
the blocks were its hierarchy.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from shoal.measures.base import Measure
from shoal.measures.exact import Known, bits_of
from shoal.release.proof_case import Ladder
from shoal.release.proof_nodes import Nodes

Longs = NDArray[np.int64]
MOST_PAIRS = 200_000
"""Of a free subset with more pairs of values, sets are taken to cost nothing."""


def free_prices(ladder: Ladder, nodes: Nodes, measure: Measure) -> list[Fraction]:
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

    def __init__(self, ladder: Ladder, measure: Measure) -> None:
        self.ladder, self.measure = ladder, measure
        self.count = ladder.count.tolist()
        self.falling = np.sort(ladder.count)[::-1]
        self.total, self.bits = int(ladder.count.sum()), bits_of(ladder.count)
        self.known: dict[tuple[int, int, bool, Fraction | None], Fraction] = {}

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
        if self.measure.monotone or is_one:
            return self.measure.floor(node)
        assert self.measure.superset_floor is not None
        others = self.falling.tolist()
        for count in counts.tolist():
            others.remove(count)
        return self.measure.superset_floor(node, np.array(others, dtype=np.int64))

    def share(self, a: int, b: int) -> Fraction | None:
        """The width of the interval around both values over the domain's, where values are numbers."""
        ends = self.ladder.ends
        if ends is None:
            return None
        low, high = (Fraction(float(x)) if math.isfinite(x) else None for x in ends[-1])
        if low is None or high is None or not all(math.isfinite(x) for x in (*ends[a], *ends[b])):
            return None
        if high <= low:
            return Fraction(0)
        return (Fraction(float(max(ends[a, 1], ends[b, 1]))) - Fraction(float(min(ends[a, 0], ends[b, 0])))) / (high - low)

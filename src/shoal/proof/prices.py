"""What the nodes of a hierarchy cost at least: worked out by the checker from the counts in the table, in integers rounded down.

Nodes are sets of values, found from the blocks of each level. What one costs the measure says itself, in fractions that are
never above the truth (:attr:`shoal.judge.measures.base.RecountedMeasure.floor`); no measure is named here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from shoal.errors import DataError, Refused
from shoal.judge.measures.base import RecountedMeasure
from shoal.judge.measures.exact import Known, bits_of
from shoal.proof.case import Ladder
from shoal.proof.free import Floors, free_prices
from shoal.proof.nodes import Nodes, nodes_of

Longs = NDArray[np.int64]
LARGEST = 2**62


@dataclass(frozen=True, eq=False)
class PricedColumn:
    """A hierarchy as the walk over boxes takes it: the node of each value on each level, and what each node costs at least."""

    cuts: tuple[Longs, ...]
    level: Longs
    """The lowest level on which each node stands."""
    parent: Longs
    price: Longs
    offset: Longs
    """For each value, what is taken off, rounded up."""


def price_column(ladder: Ladder, measure: RecountedMeasure, shift: int) -> PricedColumn:
    """Price a hierarchy in units of 2^-shift."""
    if measure.floor is None or not measure.has_proofs:
        raise Refused(f"The measure '{measure.name}' does not say how a checker recomputes its prices: its bounds have no proof.")
    nodes = nodes_of(ladder)
    weight, scale = Fraction(ladder.weight), Fraction(2) ** shift
    exact = _exact_prices(ladder, nodes, measure) if ladder.free is None else free_prices(ladder, nodes, measure)
    price = _whole([math.floor(weight * p * scale) for p in exact])
    for level in range(int(nodes.level.max(initial=0)) - 1, -1, -1):  # a node may be shown as a cheaper ancestor
        here = nodes.level == level
        price[here] = np.minimum(price[here], price[nodes.parent[here]])
    if ladder.starred is not None and nodes.parent[ladder.starred] == len(price) - 1:
        price[ladder.starred] = price[-1]
    offset = np.zeros(len(ladder.values), dtype=np.int64)
    if measure.offset_ceiling is not None:
        found, where = np.unique(ladder.count, return_inverse=True)
        bits = bits_of(ladder.count)
        offset = _whole([math.ceil(weight * measure.offset_ceiling(n, bits) * scale) for n in found.tolist()])[where.reshape(-1)]
    return PricedColumn(nodes.cuts, nodes.level, nodes.parent, price, offset)


def price_of_star(ladder: Ladder, column: PricedColumn, measure: RecountedMeasure, shift: int) -> int:
    """What a suppressed cell of a column costs at least, in units of 2^-shift."""
    if ladder.free is None:
        return int(column.price[column.cuts[-1][0]])
    everything = Floors(ladder, measure).of_shown(np.arange(len(ladder.values)))
    return int(_whole([math.floor(Fraction(ladder.weight) * everything * Fraction(2) ** shift)])[0])


def _whole(numbers: list[int]) -> Longs:
    if any(n >= LARGEST for n in numbers):
        raise DataError("The proof cannot be checked: its unit is too fine for this table.")
    return np.array([max(n, 0) for n in numbers], dtype=np.int64)


def _exact_prices(ladder: Ladder, nodes: Nodes, measure: RecountedMeasure) -> list[Fraction]:
    """What each node costs, as the measure declares it; leaves that occur equally often are computed once."""
    assert measure.floor is not None
    n, total, height = len(ladder.values), int(ladder.count.sum()), len(ladder.blocks) - 1
    share, bits = _shares(ladder, nodes), bits_of(ladder.count)
    known: dict[tuple[int, Fraction | None], Fraction] = {}
    found: list[Fraction] = []
    for v, count in enumerate(ladder.count.tolist()):
        key = (count, share[v])
        if key not in known:
            known[key] = measure.floor(Known(np.array([count]), total, n, 0, height, share[v], bits))
        found.append(known[key])
    for l in range(1, len(nodes.cuts)):
        cut = nodes.cuts[l]
        order = np.argsort(cut, kind="stable")
        ordered = cut[order]
        first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
        for values in np.split(order, first[1:]):
            node = int(cut[values[0]])
            if nodes.level[node] == l:
                found.append(measure.floor(Known(ladder.count[values], total, n, l, height, share[node], bits)))
    return found


def _shares(ladder: Ladder, nodes: Nodes) -> list[Fraction | None]:
    """For intervals of numbers: the width of each node over that of the whole domain, exactly."""
    if ladder.ends is None:
        return [None] * len(nodes.block)
    ends = ladder.ends[nodes.block]
    low, high = (Fraction(float(x)) if math.isfinite(x) else None for x in ends[-1])
    if low is None or high is None:
        return [None] * len(nodes.block)
    if high <= low:
        return [Fraction(0)] * len(nodes.block)
    return [
        Fraction(float(b)) / (high - low) - Fraction(float(a)) / (high - low) if math.isfinite(a + b) else None for a, b in ends.tolist()
    ]

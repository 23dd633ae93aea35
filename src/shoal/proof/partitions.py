"""All partitions of a few rows into groups of at least k, compared by the checker: what does the cheapest cost?

Prices come from the original, the release and the policy, in integers rounded down, as for every proof; a group of a free column costs
what the cheapest allowed set costs that holds its values. A larger set of rows never costs less per row, so a group of 2k rows or more may be cut in two for nothing, and
only smaller ones are looked at.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from shoal.errors import NotAnonymous
from shoal.judge.measures.base import RecountedMeasure
from shoal.proof.case import Case, Ladder
from shoal.proof.free import Floors
from shoal.proof.prices import LARGEST, PricedColumn, price_column, price_of_star

Longs = NDArray[np.int64]
MOST_ROWS = 12
"""Of more rows there are too many partitions to compare."""


def least_partition(case: Case, shift: int) -> int:
    """What the cheapest partition of the rows costs at least, in units of 2^-shift, whichever are left out of those that may be."""
    n = int(case.rows.sum())
    if n > MOST_ROWS:
        raise NotAnonymous(f"The proof does not hold: all partitions are compared of up to {MOST_ROWS} rows, and there are {n}.")
    leaves = case.codes[np.repeat(np.arange(len(case.rows)), case.rows)]
    subsets = np.arange(1 << n, dtype=np.int64)
    size = np.bitwise_count(subsets).astype(np.int64)
    small = (size >= case.k) & (size < 2 * case.k)
    price, offset, dearest, whole = np.zeros(1 << n, dtype=np.int64), np.zeros(n, dtype=np.int64), 0, 0
    for j, ladder in enumerate(case.ladders):
        column = price_column(ladder, case.measure, shift)
        of_groups = (
            _by_nodes(column, leaves[:, j], subsets) if ladder.free is None else _by_sets(ladder, case.measure, shift, leaves[:, j], small)
        )
        star = price_of_star(ladder, column, case.measure, shift)
        whole += star
        dearest += int(max(of_groups.max(initial=0), column.offset.max(initial=0), star))
        if max(n, 1) * dearest >= LARGEST // 4:
            raise NotAnonymous("The proof does not hold: its unit is too fine for this table.")
        price += of_groups
        offset += column.offset[leaves[:, j]]
    taken_off = sum(((subsets >> i) & 1) * offset[i] for i in range(n)) if n else np.zeros(1, dtype=np.int64)
    best = cheapest(np.where(small, size * price - taken_off, LARGEST), n)
    if case.deletion:
        best = np.where(best < LARGEST // 2, best + (n - size) * whole - (int(offset.sum()) - taken_off), best)
    may_be = (size > 0) & (size >= (0 if case.deletion else n - case.max_withheld))
    least = int(best[may_be].min(initial=LARGEST))
    if least >= LARGEST // 2:
        raise NotAnonymous(f"There is no release of {n} rows in groups of {case.k}.")
    return max(least, 0)


def _by_nodes(column: PricedColumn, leaves: Longs, subsets: Longs) -> Longs:
    """What a row pays in each subset of the rows: the price of the lowest node that holds all of them."""
    found = np.full(len(subsets), -1, dtype=np.int64)
    for cut in column.cuts:
        nodes = cut[leaves]
        for node in np.unique(nodes).tolist():
            outside = int(sum(1 << i for i in np.flatnonzero(nodes != node).tolist()))
            found[(found < 0) & ((subsets & outside) == 0)] = column.price[node]
    return found


def _by_sets(ladder: Ladder, measure: RecountedMeasure, shift: int, leaves: Longs, asked: NDArray[np.bool_]) -> Longs:
    """The same in a free column, for the subsets that are asked about: what every allowed set costs at least that holds their values."""
    used, place = np.unique(leaves, return_inverse=True)
    held = np.zeros(len(asked), dtype=np.int64)
    for i, at in enumerate(place.reshape(-1).tolist()):
        held |= ((np.arange(len(asked)) >> i) & 1) << at
    floors, scale = Floors(ladder, measure), Fraction(ladder.weight) * Fraction(2) ** shift
    found = np.zeros(len(asked), dtype=np.int64)
    for values in np.unique(held[asked]).tolist():
        own = used[[at for at in range(len(used)) if values >> at & 1]]
        if ladder.free == "interval":
            own = np.arange(own[0], own[-1] + 1)
        units = max(math.floor(floors.of_set(own) * scale), 0)
        if units >= LARGEST:
            raise NotAnonymous("The proof does not hold: its unit is too fine for this table.")
        found[asked & (held == values)] = units
    return found


def cheapest(cost: Longs, n: int) -> Longs:
    """The cheapest partition of every subset into groups, each subset's group of its lowest row first."""
    best = np.full(1 << n, LARGEST // 2, dtype=np.int64)
    best[0] = 0
    for low in range(n - 1, -1, -1):
        others, rest = disjoint_pairs(n - 1 - low)
        group = (others << (low + 1)) | (1 << low)
        able = np.flatnonzero(cost[group] < LARGEST)
        group, left = group[able], rest[able] << (low + 1)
        np.minimum.at(best, group | left, cost[group] + best[left])
    return best


@cache
def disjoint_pairs(n: int) -> tuple[Longs, Longs]:
    """All pairs of subsets of n things that have none in common."""
    one = other = np.zeros(1, dtype=np.int64)
    for i in range(n):
        one, other = np.concatenate([one, one | 1 << i, one]), np.concatenate([other, other, other | 1 << i])
    return one, other

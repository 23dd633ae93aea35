"""Counting over the groups of a release: what each group is expected to hold, and how uncertain that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import rank_keys
from shoal.reader.column import Column
from shoal.reader.estimate import SHARED, SHARED_BY_MEANS, Estimate, grouped, of_count, of_number
from shoal.reader.sums import add_up

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Parts:
    """Rows that show the same in all columns that matter: one of each, and how many there are."""

    row: Longs
    size: Floats

    def kind(self, column: Column) -> Longs:
        return column.kind[self.row]


@dataclass(frozen=True, eq=False)
class Weights:
    """How likely each part meets some conditions: at three leans, and whether it must and may."""

    chance: tuple[Floats, Floats, Floats]
    must: Booleans
    may: Booleans

    def times(self, other: Weights) -> Weights:
        low, mid, high = (a * b for a, b in zip(self.chance, other.chance, strict=True))
        return Weights((low, mid, high), self.must & other.must, self.may & other.may)


def everything(parts: Parts) -> Weights:
    one, yes = np.ones(len(parts.size)), np.ones(len(parts.size), dtype=bool)
    return Weights((one, one, one), yes, yes)


def weigh(parts: Parts, conditions: Sequence[tuple[Column, Booleans | Floats]]) -> Weights:
    """How likely each part meets all conditions; columns are taken to be independent within a group."""
    found = everything(parts)
    for column, inside in conditions:
        kind = parts.kind(column)
        low, mid, high = (chance[kind] for chance in column.chance(inside))
        must, may = column.certain(inside)
        found = found.times(Weights((low, mid, high), must[kind], may[kind]))
    return found


def count(parts: Parts, weights: Weights) -> Estimate:
    """How many rows meet the conditions."""
    low, mid, high = (float((parts.size * w).sum()) for w in weights.chance)
    w = weights.chance[1]
    must, may = float(parts.size[weights.must].sum()), float(parts.size[weights.may].sum())
    alone = float((parts.size * w * (1 - w)).sum())
    variance = float((grouped(parts.size) * w * (1 - w)).sum()) + SHARED**2 * (may - must) * alone
    return of_count((low, mid, high), variance, must, may)


def count_each(parts: Parts, weights: Weights, column: Column, bins: Longs, n_bins: int) -> list[Estimate]:
    """How many rows meet the conditions and have a value in each bin of a column; bin −1 is left out."""
    kind, bin_of = parts.kind(column), bins[column.cells.leaf]
    kept = bin_of >= 0
    key = column.of[kept] * n_bins + bin_of[kept]
    places, entry = np.unique(key, return_inverse=True)
    of, at = np.divmod(places, n_bins)
    n_kinds, length = len(column.cells.size), np.diff(column.cells.start)

    def add(weight: Floats, share: Floats) -> Floats:
        per_kind = add_up(kind, weight, n_kinds)
        return add_up(at, per_kind[of] * share, n_bins)

    shares = [add_up(entry, s[kept], len(places)) * listed[of] for s, listed in zip(column.shares, column.listed, strict=True)]
    full = (add_up(entry, None, len(places)) == length[of]) & ~column.is_open[of]
    m, spread, mid = parts.size, grouped(parts.size), weights.chance[1]
    values = [add(m * w, share) for w, share in zip(weights.chance, shares, strict=True)]
    variance = add(spread * mid, shares[1]) - add(spread * mid**2, shares[1] ** 2)
    must = add(m * weights.must, full.astype(np.float64))
    may = add(m * weights.may, np.ones(len(places)))
    alone = add(m * mid, shares[1]) - add(m * mid**2, shares[1] ** 2)
    variance = variance + SHARED**2 * (may - must) * np.maximum(alone, 0.0)
    return [of_count((values[0][i], values[1][i], values[2][i]), variance[i], must[i], may[i]) for i in range(n_bins)]


def mean(parts: Parts, weights: Weights, column: Column, inside: Booleans | Floats, number: Floats) -> Estimate | None:
    """The mean of a number over the rows that meet the conditions; None if there are none."""
    kind, there = parts.kind(column), inside[column.cells.leaf].astype(np.float64)
    x = np.where(there > 0, number[column.cells.leaf], 0.0)
    found = []
    for w, share in zip(weights.chance, column.shares, strict=True):
        rows = float((parts.size * w * column.per_kind(share * there)[kind]).sum())
        if rows <= 0:
            return None
        found.append(float((parts.size * w * column.per_kind(share * there * x)[kind]).sum()) / rows)
    off = np.where(there > 0, x - found[1], 0.0)
    w, share = weights.chance[1], column.shares[1] * there
    first, second = column.per_kind(share * off)[kind], column.per_kind(share * off**2)[kind]
    rows = float((parts.size * w * column.per_kind(share)[kind]).sum())
    alone = np.maximum(w * second - (w * first) ** 2, 0.0)
    shared = SHARED_BY_MEANS * float((parts.size * np.sqrt(alone)).sum())
    variance = (float((grouped(parts.size) * alone).sum()) + shared**2) / rows**2
    return of_number((found[0], found[1], found[2]), variance)


def parts_of(group: Longs, codes: Sequence[Longs], times: Longs | None = None) -> Parts:
    """Rows of one group that also agree in some exact columns. With ``times``, each entry stands for so many rows."""
    key = group
    for code in codes:
        key = rank_keys(key * (int(code.max(initial=0)) + 1) + code)[2].astype(np.int64)
    row, n_rows, of = rank_keys(key)
    return Parts(row.astype(np.int64), n_rows.astype(np.float64) if times is None else add_up(of, times, len(row)))

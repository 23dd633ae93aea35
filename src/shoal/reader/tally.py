"""Counting over the groups of a release: what each group is expected to hold, and how uncertain that is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import rank_keys
from shoal.reader.certainty import Certain
from shoal.reader.column import NAME, Column
from shoal.reader.conditions import Condition
from shoal.reader.estimate import SHARED, SHARED_BY_MEANS, Estimate, grouped, of_count, of_number
from shoal.reader.fit import SMALLEST
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
class Bins:
    """A column's values cut into bins."""

    labels: list[Any]
    of: Longs
    """The bin of each value; −1 for none."""
    ends: Floats | None
    """The first and the last number of each, for steps of a line; None where each bin is a value."""
    certain: Certain

    @cached_property
    def pairs(self) -> tuple[Longs, Longs, Booleans]:
        """The pairs of a label and a bin in which its cells may lie, and whether they can lie nowhere else."""
        label, at = self.certain.in_bins(self.of, self.ends)
        alone = np.bincount(label, minlength=len(self.certain.is_closed)) == 1
        is_sure, there = (alone & self.certain.lies_in(self.ends))[label], at >= 0
        return label[there], at[there], is_sure[there]

    def asked(self, b: int) -> Condition:
        return Condition((self.of == b).astype(np.float64), None if self.ends is None else (self.ends[b, 0], self.ends[b, 1]))


@dataclass(frozen=True, eq=False)
class Weights:
    """How likely each part meets some conditions: at three leans, at the least and at the most, and whether it must and may."""

    chance: tuple[Floats, Floats, Floats]
    least: Floats
    most: Floats
    doubt: Floats
    """The standard error of the chance that all parts have in common, as a share of it."""
    must: Booleans
    may: Booleans

    def times(self, other: Weights) -> Weights:
        low, mid, high = (a * b for a, b in zip(self.chance, other.chance, strict=True))
        both = self.least * other.least, self.most * other.most, self.doubt + other.doubt
        return Weights((low, mid, high), *both, self.must & other.must, self.may & other.may)


def everything(parts: Parts) -> Weights:
    one, yes = np.ones(len(parts.size)), np.ones(len(parts.size), dtype=bool)
    return Weights((one, one, one), one, one, 0 * one, yes, yes)


def weigh(parts: Parts, conditions: Sequence[tuple[Column, Condition]]) -> Weights:
    """How likely each part meets all conditions; columns are taken to be independent within a group."""
    found = everything(parts)
    for column, asked in conditions:
        kind = parts.kind(column)
        low, mid, high = column.chance(asked.part, asked.span)
        less, more = column.vague(asked.at_most, asked.part, asked.span)
        must, may = column.certain(asked.at_most, asked.span)
        least, most = np.maximum(mid - less, 0.0)[kind], np.minimum(mid + more, 1.0)[kind]
        chance = low[kind], mid[kind], high[kind]
        found = found.times(Weights(chance, least, most, _doubt(column.doubt, mid)[kind], must[kind], may[kind]))
    return found


def _doubt(doubt: Floats, chance: Floats) -> Floats:
    """The standard error of chances that are estimated from little, as a share of them."""
    return np.where(chance > 0, np.sqrt(doubt * np.maximum(1 - chance, 0.0) / np.maximum(chance, SMALLEST)), 0.0)


def count(parts: Parts, weights: Weights) -> Estimate:
    """How many rows meet the conditions."""
    low, mid, high = (float((parts.size * w).sum()) for w in weights.chance)
    w = weights.chance[1]
    must, may = float(parts.size[weights.must].sum()), float(parts.size[weights.may].sum())
    alone, n_open = float((parts.size * w * (1 - w)).sum()), float(parts.size[(w > 0) & (w < 1)].sum())
    vague = float((parts.size * (weights.most - weights.least)).sum()) / 2
    common = float((parts.size * w * weights.doubt).sum())
    variance = float((grouped(parts.size) * w * (1 - w)).sum()) + SHARED**2 * n_open * alone + common**2 + vague**2
    return of_count((low, mid, high), variance, must, may, n_open > 0)


def count_each(parts: Parts, weights: Weights, column: Column, bins: Bins) -> list[Estimate]:
    """How many rows meet the conditions and have a value in each bin of a column."""
    kind, bin_of, n_bins = parts.kind(column), bins.of[column.cells.leaf], len(bins.labels)
    kept = bin_of >= 0
    key = column.of[kept] * n_bins + bin_of[kept]
    places, entry = np.unique(key, return_inverse=True)
    of, at = np.divmod(places, n_bins)
    n_kinds = len(column.cells.size)

    def add(weight: Floats, share: Floats) -> Floats:
        per_kind = add_up(kind, weight, n_kinds)
        return add_up(at, per_kind[of] * share, n_bins)

    shares = [add_up(entry, s[kept], len(places)) * listed[of] for s, listed in zip(column.shares, column.listed, strict=True)]
    m, spread, mid = parts.size, grouped(parts.size), weights.chance[1]
    values = [add(m * w, share) for w, share in zip(weights.chance, shares, strict=True)]
    variance = add(spread * mid, shares[1]) - add(spread * mid**2, shares[1] ** 2)
    alone = add(m * mid, shares[1]) - add(m * mid**2, shares[1] ** 2)
    n_open = add(m * (mid > 0), (shares[1] > 0).astype(np.float64)) - add(m * (mid >= 1), (shares[1] >= 1).astype(np.float64))
    common = add(m * mid * weights.doubt, shares[1]) + add(m * mid, shares[1] * _doubt(column.doubt[of], shares[1]))
    others = [add_up(entry, other[kept], len(places)) * column.listed[1][of] for other in column.others]
    vague = _vague_of_bins(column, weights, m, kind, of, shares[1], others, add)
    variance = variance + SHARED**2 * n_open * np.maximum(alone, 0.0) + common**2 + vague**2
    must, may = _certain_of_bins(column, bins, add_up(kind, m * weights.must, n_kinds), add_up(kind, m * weights.may, n_kinds))
    return [of_count((values[0][i], values[1][i], values[2][i]), variance[i], must[i], may[i], n_open[i] > 0) for i in range(n_bins)]


def _vague_of_bins(
    column: Column,
    weights: Weights,
    m: Floats,
    kind: Longs,
    of: Longs,
    share: Floats,
    others: list[Floats],
    add: Callable[[Floats, Floats], Floats],
) -> Floats | float:
    """By how much the count of each bin may be off for what no share tells: see :meth:`Column.vague`."""
    if not column.is_name.any() and not others and not (weights.most > weights.least).any():
        return 0.0
    is_name = column.is_name.astype(np.float64)
    more = np.maximum.reduce([share, *others]) + NAME * is_name[of] * (1 - share)
    less = np.minimum.reduce([share, *others]) - share * NAME * is_name[of]
    elsewhere = float((m * weights.most * is_name[kind]).sum()) - add(m * weights.most, is_name[of])
    return (add(m * weights.most, more) - add(m * weights.least, less) + NAME * elsewhere) / 2


def _certain_of_bins(column: Column, bins: Bins, must: Floats, may: Floats) -> tuple[Floats, Floats]:
    """How many rows are in each bin for certain, and how many may be, from those of each kind that meet the other conditions."""
    is_anything, (label, at, is_sure) = bins.certain.is_anything, bins.pairs
    must, may = (add_up(column.label_of_kind, rows, len(is_anything)) for rows in (must, may))
    least = add_up(at[is_sure], must[label[is_sure]], len(bins.labels))
    return least, add_up(at, may[label], len(bins.labels)) + float(may[is_anything].sum())


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
    shared = float((parts.size * np.sqrt((SHARED_BY_MEANS**2 + column.doubt[kind]) * alone)).sum())
    variance = (float((grouped(parts.size) * alone).sum()) + shared**2) / rows**2
    return of_number((found[0], found[1], found[2]), variance)


def parts_of(group: Longs, codes: Sequence[Longs], times: Longs | None = None) -> Parts:
    """Rows of one group that also agree in some exact columns. With ``times``, each entry stands for so many rows."""
    key = group
    for code in codes:
        key = rank_keys(key * (int(code.max(initial=0)) + 1) + code)[2].astype(np.int64)
    row, n_rows, of = rank_keys(key)
    return Parts(row.astype(np.int64), n_rows.astype(np.float64) if times is None else add_up(of, times, len(row)))

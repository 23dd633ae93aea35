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
from shoal.reader.column import NAME, NOTHING, Column
from shoal.reader.conditions import Condition
from shoal.reader.estimate import SHARED, SHARED_BY_MEANS, Estimate, of_count, of_number
from shoal.reader.fit import SMALLEST
from shoal.reader.sums import add_up
from shoal.reader.together import correlation, grouped

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
    pair: Floats
    """How likely two rows of a part meet them both."""
    doubts: tuple[tuple[Longs, Floats], ...]
    """The label of each part, and the standard error of the chance that all parts with this label have in common, as a share of it; for each condition, and again for all parts."""
    least: Floats
    most: Floats
    must: Booleans
    may: Booleans

    def times(self, other: Weights) -> Weights:
        low, mid, high = (a * b for a, b in zip(self.chance, other.chance, strict=True))
        both = self.pair * other.pair, (*self.doubts, *other.doubts), self.least * other.least, self.most * other.most
        return Weights((low, mid, high), *both, self.must & other.must, self.may & other.may)

    def common(self, rows: Floats) -> float:
        """The variance of a count of so many rows of each part, because shares are estimated from little: rows that show one label err together."""
        return float(sum((add_up(label, rows * doubt, 0) ** 2).sum() for label, doubt in self.doubts))


def everything(parts: Parts) -> Weights:
    one, yes = np.ones(len(parts.size)), np.ones(len(parts.size), dtype=bool)
    return Weights((one, one, one), one, (), one, one, yes, yes)


def weigh(parts: Parts, conditions: Sequence[tuple[Column, Condition]]) -> Weights:
    """How likely each part meets all conditions; columns are taken to be independent within a group."""
    found = everything(parts)
    for column, asked in conditions:
        kind = parts.kind(column)
        low, mid, high = column.chance(asked.part, asked.span)
        less, more = column.vague(asked.at_most, asked.part, asked.span)
        must, may = column.certain(asked.at_most, asked.span)
        least, most = np.maximum(mid - less, 0.0)[kind], np.minimum(mid + more, 1.0)[kind]
        pair = _pair(mid, correlation(column.cells, column.shares[1], asked.part[column.cells.leaf]))[kind]
        doubts = (column.label_of_kind[kind], _doubt(column.doubt, mid)[kind]), (0 * kind, _doubt(column.untold, mid)[kind])
        found = found.times(Weights((low[kind], mid[kind], high[kind]), pair, doubts, least, most, must[kind], may[kind]))
    return found


def _pair(chance: Floats, alike: Floats) -> Floats:
    """How likely two rows of a group have one of the values that are asked for both."""
    return chance**2 + alike * chance * (1 - chance)


def _doubt(doubt: Floats | float, chance: Floats) -> Floats:
    """The standard error of chances that are estimated from little, as a share of them. Where nothing is known of them, :meth:`Column.vague` says so."""
    error = np.sqrt(doubt * np.maximum(1 - chance, 0.0) / np.maximum(chance, SMALLEST))
    return np.where((chance > 0) & (doubt < NOTHING), error, 0.0)


def count(parts: Parts, weights: Weights) -> Estimate:
    """How many rows meet the conditions."""
    m, w = parts.size, weights.chance[1]
    low, mid, high = (float((m * w).sum()) for w in weights.chance)
    ends = float(m[weights.must].sum()), float(m[weights.may].sum())
    alone, n_open = float((m * w * (1 - w)).sum()), float(m[(w > 0) & (w < 1)].sum())
    variance = float((m * (w - weights.pair) + m**2 * (weights.pair - w**2)).sum()) + SHARED**2 * n_open * alone + weights.common(m * w)
    vague = float((m * (w - weights.least)).sum()), float((m * (weights.most - w)).sum())
    return of_count((low, mid, high), variance, vague, ends, n_open > 0)


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
    m, mid = parts.size, weights.chance[1]
    share, place = shares[1], np.zeros(len(kept), dtype=np.int64)
    place[kept] = entry
    alike = correlation(column.cells, column.shares[1], kept.astype(np.float64), place, of)
    values = [add(m * w, one) for w, one in zip(weights.chance, shares, strict=True)]
    once, square = add(m * mid, share), add(m**2 * mid**2, share**2)
    pair = share**2 + alike * share * (1 - share)
    variance = once + add((m**2 - m) * weights.pair, pair) - square
    alone = once - add(m * mid**2, share**2)
    n_open = add(m * (mid > 0), (share > 0).astype(np.float64)) - add(m * (mid >= 1), (share >= 1).astype(np.float64))
    variance = (
        variance + SHARED**2 * n_open * np.maximum(alone, 0.0) + _common_of_bins(column, weights, m * mid, kind, of, at, share, n_bins)
    )
    others = [add_up(entry, other[kept], len(places)) * column.listed[1][of] for other in column.others]
    less, more = _vague_of_bins(column, weights, m, kind, of, share, others, add)
    must, may = _certain_of_bins(column, bins, add_up(kind, m * weights.must, n_kinds), add_up(kind, m * weights.may, n_kinds))
    found = zip(*values, variance, once - less, more - once, must, may, n_open > 0, strict=True)
    return [of_count((low, one, high), v, (below, above), ends, is_open) for low, one, high, v, below, above, *ends, is_open in found]


def _common_of_bins(
    column: Column, weights: Weights, rows: Floats, kind: Longs, of: Longs, at: Longs, share: Floats, n_bins: int
) -> Floats:
    """:meth:`Weights.common` for each bin: rows that show one label of the column err together, and all that meet the other conditions."""
    n_kinds = len(column.cells.size)
    others = add_up(kind, rows * sum((doubt for _, doubt in weights.doubts), 0 * rows), n_kinds)[of] * share
    mine = add_up(kind, rows, n_kinds)[of] * share
    everywhere = others + mine * _doubt(column.untold, share)
    pairs, pair = np.unique(column.label_of_kind[of] * n_bins + at, return_inverse=True)
    own = add_up(pair, mine * _doubt(column.doubt[of], share), len(pairs))
    return add_up(at, everywhere, n_bins) ** 2 + add_up(pairs % n_bins, own**2, n_bins)


def _vague_of_bins(
    column: Column,
    weights: Weights,
    m: Floats,
    kind: Longs,
    of: Longs,
    share: Floats,
    others: list[Floats],
    add: Callable[[Floats, Floats], Floats],
) -> tuple[Floats, Floats]:
    """How many rows each bin has at the least and at the most, for what no share tells: see :meth:`Column.vague`."""
    is_name, is_known = column.is_name.astype(np.float64), column.doubt[of] < NOTHING
    more = np.maximum.reduce([share, *others]) + NAME * is_name[of] * (1 - share)
    less = np.minimum.reduce([share, *others]) - share * np.maximum(NAME * is_name, column.may_hide)[of]
    elsewhere = float((m * weights.most * is_name[kind]).sum()) - add(m * weights.most, is_name[of])
    most = add(m * weights.most, np.where(is_known, np.minimum(more, 1.0), 1.0)) + NAME * elsewhere
    return add(m * weights.least, np.where(is_known, np.maximum(less, 0.0), 0.0)), most


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
    shared = float((parts.size * np.sqrt((SHARED_BY_MEANS**2 + np.maximum(column.doubt, column.untold)[kind]) * alone)).sum())
    variance = (float((grouped(parts.size) * alone).sum()) + shared**2) / rows**2
    return of_number((found[0], found[1], found[2]), variance)


def parts_of(group: Longs, codes: Sequence[Longs], times: Longs | None = None) -> Parts:
    """Rows of one group that also agree in some exact columns. With ``times``, each entry stands for so many rows."""
    key = group
    for code in codes:
        key = rank_keys(key * (int(code.max(initial=0)) + 1) + code)[2].astype(np.int64)
    row, n_rows, of = rank_keys(key)
    return Parts(row.astype(np.int64), n_rows.astype(np.float64) if times is None else add_up(of, times, len(row)))

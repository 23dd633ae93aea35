"""Checks the proof of a clustering's bound: prices come from the file, everything else from the original and what was
asked.

*Cells* (size times radius, and set-up costs). Prices y ≥ 0 are feasible when for every row v and every ball of radius d
around it that holds at least r rows, no r or more of these rows have prices that add up to more than f(v) + d for each
of them. A cell S around a row v, of radius d, lies in such a ball, so it costs f(v) + |S| d ≥ the sum of its prices;
and all cells together cost at least all prices but those of the rows left out. A cell of radius d around any point has
radius at most 2d around a row of its own: there the condition is asked with d / 2.

*The largest radius.* A row that is kept lies in a ball around a row that holds r rows (around itself, of twice the
radius, where centres may be anywhere). If no price is above the least radius of such a ball, the largest radius is at
least the highest price but those of the rows left out.

Distances are computed here from the values, without the space that the clustering was found in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.clustering.metric import ColumnMetric
from shoal.clustering.places import EARTH
from shoal.errors import NotAnonymous
from shoal.proof.file import ProofPrices

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
SAFE = 1e-9
"""The tolerance: prices may exceed their limit by this share, which is more than the rounding of distances. The bound
is lowered by as much.
"""
MOST_WORK = 40_000_000_000
"""Pairs of rows in cells that are looked at, before the proof is given up."""
MOST_DISTANCES = 4_000_000_000
"""Distances that are measured for a largest radius, before the proof is given up."""
AT_ONCE = 1 << 20
FEW_VALUES = 256


@dataclass(frozen=True, eq=False)
class Case:
    """What a proof is about: the distinct points, and what was asked of their clusters."""

    names: tuple[str, ...]
    values: tuple[tuple[str | None, ...], ...]
    """For each column its values."""
    codes: Longs
    """The number of each point's value in each column, shape (n_points, n_columns)."""
    weight: Longs
    """How many rows lie on each point."""
    columns: Sequence[ColumnMetric]
    combine: str
    matrix: Floats | None
    """All distances between points, where they were given whole."""
    r: int
    max_outliers: int
    is_total: bool
    """Whether the cost is a sum over cells, or the largest radius."""
    any_centre: bool
    setup: Floats
    """What a cell around each point costs beyond its rows."""

    @cached_property
    def tables(self) -> list[list[Floats] | None]:
        """For a column of few values, how far all of them are from each; None where there are many."""
        return [
            [_from_value(column, at) for at in range(len(column.values))] if len(column.values) <= FEW_VALUES else None
            for column in self.columns
        ]

    def distances(self, v: int) -> Floats:
        """From one point to all."""
        if self.matrix is not None:
            return np.asarray(self.matrix[v])
        total = np.zeros(len(self.codes))
        for j, column in enumerate(self.columns):
            at, tables = int(self.codes[v, j]), self.tables[j]
            part = (_from_value(column, at) if tables is None else tables[at])[self.codes[:, j]]
            total = (
                np.maximum(total, part)
                if self.combine == "largest"
                else total + (part**2 if self.combine == "euclid" else part)
            )
        return np.asarray(np.sqrt(total) if self.combine == "euclid" else total)


def _from_value(column: ColumnMetric, at: int) -> Floats:
    """How far every value of a column is from one of them."""
    n = len(column.values)
    if column.kind == "category":
        apart = np.full(n, column.weight)
    elif column.kind == "hierarchy":
        assert column.tree is not None
        assert column.leaf is not None
        tree, leaf = column.tree, column.leaf
        apart = np.full(n, np.inf)
        for level in range(tree.height, -1, -1):  # the lowest level on which both have one node
            cut = tree.cut(level)[leaf]
            apart[cut == cut[at]] = column.weight * level / max(tree.height, 1)
    else:
        apart = column.weight * _plain_distances(column, at) / column.unit
        missing = np.array([value is None for value in column.values])
        apart = np.where(missing | missing[at], column.far, apart)
    apart[at] = 0.0
    return apart


def _plain_distances(column: ColumnMetric, at: int) -> Floats:
    if column.kind != "place":
        assert column.numbers is not None
        return np.asarray(np.abs(column.numbers - column.numbers[at]))
    assert column.degrees is not None
    lat, lon = np.radians(column.degrees).T
    h = np.sin((lat - lat[at]) / 2) ** 2 + np.cos(lat) * np.cos(lat[at]) * np.sin((lon - lon[at]) / 2) ** 2
    return np.asarray(2 * EARTH * np.arcsin(np.minimum(np.sqrt(h), 1.0)))


def check(case: Case, claimed: ProofPrices) -> float:
    """The bound that prices prove; a :class:`shoal.NotAnonymous` if they do not hold."""
    y = prices_of_points(case, claimed)
    if case.is_total:
        _check_cells(case, y)
    else:
        _check_balls(case, y)
    return value_of(case, y) * (1 - SAFE)


def value_of(case: Case, y: Floats) -> float:
    """What feasible prices prove: their sum, or the highest, without the most expensive rows that may be left out."""
    order = np.argsort(-y, kind="stable")
    weight = case.weight[order]
    kept = weight - np.clip(case.max_outliers - (np.cumsum(weight) - weight), 0, weight)
    return float((kept * y[order]).sum()) if case.is_total else float(y[order][kept > 0].max(initial=0.0))


def prices_of_points(case: Case, claimed: ProofPrices) -> Floats:
    """The price of each point. The proof must price these points, each once, and no others."""
    if set(claimed.columns) != set(case.names):
        raise NotAnonymous("The proof does not hold: it speaks of other quasi-identifiers.")
    if (claimed.prices < 0).any() or (claimed.prices >= 2**62).any():
        raise NotAnonymous("The proof does not hold: it has a negative price, or one beyond any table's.")
    keys = []
    for name, values in zip(case.names, case.values, strict=True):
        number = {value: i for i, value in enumerate(values)}
        texts = claimed.columns[name]
        keys.append(np.array([number.get(value, -1) for value in texts.values], dtype=np.int64)[texts.places])
    given = {
        tuple(key): price for key, price in zip(np.stack(keys, axis=1).tolist(), claimed.prices.tolist(), strict=True)
    }
    wanted = [tuple(key) for key in case.codes.tolist()]
    if len(given) != len(claimed.prices) or len(given) != len(wanted) or any(key not in given for key in wanted):
        raise NotAnonymous("The proof does not hold: it does not price every row's values, each once.")
    return np.ldexp(np.array([given[key] for key in wanted], dtype=np.float64), -claimed.shift)


def _check_balls(case: Case, y: Floats) -> None:
    """No price may be above the radius of a ball that holds its row and r rows.

    Rows without a price, which are nearly all, are skipped.
    """
    reach: dict[int, float] = {}
    n_measured = 0

    def distances(v: int) -> Floats:
        nonlocal n_measured
        n_measured += len(y)
        if n_measured > MOST_DISTANCES:
            raise NotAnonymous("The proof cannot be checked: it prices too many rows.")
        return case.distances(v)

    def is_broken(v: int) -> bool:
        """Around itself, of twice the radius, where centres may be anywhere; else around any row that is nearer than
        the price.
        """
        if case.any_centre:
            return bool(y[v] > _rth(case, distances(v)) / 2 * (1 + SAFE))
        near = np.flatnonzero(distances(v) * (1 + SAFE) < y[v]).tolist()
        for u in near:
            if u not in reach:
                reach[u] = _rth(case, distances(u))
        return any(reach[u] * (1 + SAFE) < y[v] for u in near)

    if any(is_broken(v) for v in np.flatnonzero(y).tolist()):
        raise NotAnonymous("The proof does not hold: a row is priced above a ball that holds it and r rows.")


def _rth(case: Case, distance: Floats) -> float:
    near = np.argpartition(distance, case.r - 1)[: case.r] if case.r < len(distance) else np.arange(len(distance))
    # a point has at least one row, so r points hold at least r rows
    order = near[np.argsort(distance[near], kind="stable")]
    return float(distance[order[np.searchsorted(np.cumsum(case.weight[order]), case.r)]])


def _check_cells(case: Case, y: Floats) -> None:
    width = 0.5 if case.any_centre else 1.0
    setup = np.full(len(y), case.setup.min()) if case.any_centre else case.setup
    by_price, work = np.argsort(-y, kind="stable"), 0
    for v in range(len(y)):
        cost = case.distances(v) * width * (1 + SAFE)
        work += len(y)
        above = y > cost
        if not above.any():
            continue  # no ball around it holds a row that is priced above the radius
        inside = by_price[(cost < y[above].max())[by_price]]
        work += len(inside) ** 2
        if work > MOST_WORK:
            raise NotAnonymous(
                "The proof cannot be checked: there are too many cells in which rows might be overcharged."
            )
        if _is_broken(cost[inside], y[inside], case.weight[inside], case.r, float(setup[v]) * (1 + SAFE)):
            raise NotAnonymous("The proof does not hold: rows are priced above a cell that holds them.")


def _is_broken(cost: Floats, y: Floats, weight: Longs, r: int, setup: float) -> bool:
    """Whether some ball around a point is overcharged: the points near it by falling price, with what a row of the ball
    up to each pays.
    """
    block = max(AT_ONCE // len(y), 1)
    for begin in range(0, len(y), block):
        radius = cost[begin : begin + block, None]
        held = np.where(cost[None, :] <= radius, weight, 0)
        before = np.cumsum(held, axis=1) - held
        filled = np.clip(r - before, 0, held)  # the r highest, and all others that are priced above the radius
        taken = np.where(y[None, :] > radius, held, filled)
        gain = (taken * (y[None, :] - radius)).sum(axis=1)
        if ((gain > setup) & (held.sum(axis=1) >= r)).any():
            return True
    return False

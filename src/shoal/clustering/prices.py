"""A lower bound on the cost of cells of at least r rows, proved by a price for each row.

Prices y ≥ 0 are feasible when in every ball around a row that holds at least r rows the r highest prices average at
most the radius. Then a cell S of radius d pays |S| d ≥ the sum of its prices, because the mean over S is at most the
mean of the r highest in the ball; so the sum of all prices is at most the cost of every clustering, and with set-up
costs all the more. Where ℓ rows may be left out, the ℓ highest prices are not counted.

The radius of the cheapest ball that holds a row is such a price. For any prices, let the strain of a ball be the sum of
its r highest over r times its radius, and divide each price by the largest strain of a ball that holds it: the result
is feasible, whether strains were below or above 1. Rounds of that division, with prices raised where the tight balls
cover a row too little and lowered where they cover it too much, raise the sum; the best feasible prices are kept.

Each price has a cap, so that only the balls up to a certain radius around each row need to be listed: beyond it no
member's price can be above the radius.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.clustering.points import Floats, Longs
from shoal.kernels.space import Lists, Space
from shoal.kernels.space_prices import price_cover, price_pass

ROUNDS = 60
SAFE = 1 - 1e-9
"""Prices are lowered by this much in the end, so that rounding cannot make them infeasible."""


@dataclass(frozen=True, eq=False)
class BallPrices:
    """A feasible price for each point, and the bound that they prove."""

    y: Floats
    value: float


def prove(
    space: Space, r: int, most_outliers: int, t: Floats, cheapest: Floats, alpha: Floats, rounds: int = ROUNDS
) -> BallPrices:
    """Feasible prices from the cheapest balls and from half the dual ascent's offers, raised."""
    lists, cap = balls_that_matter(space, r, t, cheapest)
    best = BallPrices(cheapest, counted(cheapest, space.weight, most_outliers))
    for start in (cheapest, alpha):
        y = np.minimum(start, cap)
        found = _raised(space, r, most_outliers, t, lists, cap, y, rounds)
        if found.value > best.value:
            best = found
    y = best.y * SAFE
    return BallPrices(y, counted(y, space.weight, most_outliers))


def caps(space: Space, r: int, cheapest: Floats) -> tuple[Floats, Floats]:
    """How high a price may ever get: r + 1 times the cheapest ball, but not beyond its nearest few dozen points; and
    where these end.
    """
    _, d = space.nearest(min(space.n, 2 * r + 40))
    last = np.ascontiguousarray(d[:, -1])
    return np.maximum(cheapest, np.minimum((r + 1) * cheapest, last)), last


def balls_that_matter(space: Space, r: int, t: Floats, cheapest: Floats) -> tuple[Lists, Floats]:
    """For each point the neighbours up to the largest price that one of them may have, nearest first; and the caps.

    Caps are lowered where such a list would be long: near a point with many neighbours, no price may rise beyond the
    nearest few dozen of them.
    """
    cap, last = caps(space, r, cheapest)
    everything = np.arange(space.n, dtype=np.int32)
    of, at, d, reach = _reaches(space, t, cap)
    many = 4 * (2 * r + 40)
    crowded = space.counts(reach, stop=many + 1) > many
    if crowded.any():
        limit = np.where(crowded, np.maximum(last, t), np.inf)
        cap = cap.copy()
        np.minimum.at(cap, of, np.minimum(cap[of], np.maximum(d, limit[at])))
        cap = np.maximum(cap, cheapest)
        reach = _reaches(space, t, cap)[3]
    lists = space.balls(everything, reach)
    turn = np.lexsort((lists.at, lists.d, lists.owner()))
    return Lists(lists.first, np.ascontiguousarray(lists.at[turn]), np.ascontiguousarray(lists.d[turn])), cap


def _reaches(space: Space, t: Floats, cap: Floats) -> tuple[Longs, Longs, Floats, Floats]:
    """Pairs (point, centre) nearer than the point's cap, and for each centre the largest such cap."""
    pairs = space.balls(np.arange(space.n, dtype=np.int32), cap)
    of = pairs.owner()
    inside = pairs.d < cap[of]
    of, at, d = of[inside], pairs.at[inside], pairs.d[inside]
    reach = t.copy()
    np.maximum.at(reach, at, cap[of])
    return of.astype(np.int64), at.astype(np.int64), d, reach


def counted(y: Floats, weight: Longs, most_outliers: int) -> float:
    """The sum of all prices but the highest that may be left out."""
    total = float((y * weight).sum())
    if most_outliers == 0:
        return total
    turn = np.argsort(-y, kind="stable")
    out = np.minimum(np.diff(np.minimum(np.cumsum(weight[turn]), most_outliers), prepend=0), weight[turn])
    return total - float((y[turn] * out).sum())


def _raised(
    space: Space, r: int, most_outliers: int, t: Floats, lists: Lists, cap: Floats, y: Floats, rounds: int
) -> BallPrices:
    weight = space.weight
    best = BallPrices(np.zeros(space.n), 0.0)
    for turn in range(rounds):
        strain, tightest = price_pass(lists, t, weight, r, y)
        feasible = np.divide(
            y, strain, out=np.where(np.isinf(strain), 0.0, cap), where=(strain > 0) & np.isfinite(strain)
        )
        feasible = np.minimum(np.where((strain == 0) & (y == 0), 0.0, feasible), cap)
        value = counted(feasible, weight, most_outliers)
        if value > best.value:
            best = BallPrices(feasible, value)
        listed = np.flatnonzero((tightest >= 0) & (feasible > 0))
        given = np.bincount(tightest[listed], weights=weight[listed], minlength=len(lists.at)).astype(np.float64)
        cover = price_cover(lists, weight, r, feasible, given)
        step = 0.5 * (1 - turn / rounds) ** 1.5 + 0.02
        y = np.minimum(feasible * np.exp(step * np.clip(1 - cover, -4, 1)), cap)
        if most_outliers:
            y = np.minimum(y, _level(feasible, weight, most_outliers))
    return best


def _level(y: Floats, weight: Longs, most_outliers: int) -> float:
    """The price of the last row that may be left out: a higher price gains nothing."""
    turn = np.argsort(-y, kind="stable")
    return float(y[turn[np.searchsorted(np.cumsum(weight[turn]), most_outliers, "left")]])

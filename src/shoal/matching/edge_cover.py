"""The lightest edge cover of the complete graph of rows, which is its lightest [1,2]-factor.

*Factor and cover.* A [1,2]-factor covers every row. Conversely, remove from a cover each edge whose two ends have
another edge: it gets no heavier, and its components are now stars. In a star with three leaves or more, join two of its
leaves to each other instead of to the centre: it gets no heavier either (triangle inequality). So the lightest cover
weighs what the lightest factor weighs.

*Cover and matching.* Let m(v) be the weight of the lightest edge at v. A cover is a matching and, for each row left
over, an edge; so the lightest one weighs Σ m(v) less the greatest total gain of a matching, where the edge uv gains
m(u) + m(v) − w(uv). Only edges that gain matter, and they are few. Rows that occur more than once are covered by each
other and are not vertices of the matching; other rows may be joined to them.

*Leaving rows out.* A row that may be left out at a fee has m(v) at most the fee.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.budget import Budget
from shoal.matching.distances import Distances, nearest
from shoal.matching.pricing import FIRST_EDGES, Edges, PairPrices, add, near_edges, slices, violations
from shoal.problem import Ints, Longs

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class EdgeCover:
    """Edges between tuples that cover every row except those left out."""

    u: Ints
    v: Ints
    """The edges, heaviest first."""
    reach: Floats
    """m: the weight of the lightest edge of each tuple."""
    left_out: NDArray[np.bool_]
    weight: float
    """What the cover weighs, fees included."""
    bound: float
    """What every cover weighs at least; equal to ``weight`` if the proof was completed."""
    n_rounds: int

    @property
    def is_proved(self) -> bool:
        return self.bound >= self.weight


def edge_cover(space: Distances, rows: Longs, fee: float | None, budget: Budget) -> EdgeCover:
    """The lightest edge cover where tuple t stands for ``rows[t]`` rows, proved in the complete graph unless stopped
    before.
    """
    to, reach = nearest(space)
    lone = np.flatnonzero(rows == 1)
    left_out = np.zeros(space.n, dtype=bool)
    if fee is not None:
        left_out[lone] = reach[lone] > np.maximum(fee - space.offset[lone], 0.0)
        reach = np.where(left_out, np.maximum(fee - space.offset, 0.0), reach)
    part = space.only(lone)
    gain = reach[lone]
    first = near_edges(part, gain, FIRST_EDGES, budget)
    edges = add(part, None, *first) if first is not None else add(part, None, *_none())
    mate, bound, n_rounds = _improve(part, gain, edges, budget)
    matched = np.flatnonzero(mate > np.arange(len(lone)))
    u, v = lone[matched].astype(np.int32), lone[mate[matched]].astype(np.int32)
    left_out[lone[mate >= 0]] = False
    leaning = lone[(mate < 0) & ~left_out[lone]].astype(np.int32)
    pair_weight = space.between(u, v)
    weights = np.concatenate([pair_weight, reach[leaning]])
    u, v = np.concatenate([u, leaning]), np.concatenate([v, to[leaning]])
    order = np.argsort(-weights, kind="stable")
    total = float(weights.sum() + reach[left_out].sum())
    left_out[v[len(pair_weight) :]] = False
    return EdgeCover(u[order], v[order], reach, left_out, total, min(bound, total), n_rounds)


def _improve(space: Distances, reach: Floats, edges: Edges, budget: Budget) -> tuple[Ints, float, int]:
    """Match, look for edges that would gain, add them: the mate of each vertex, a bound on every cover's weight, and
    the rounds it took.
    """
    mate = np.full(space.n, -1, dtype=np.int32)
    bound, n_rounds = float(reach.sum()) / 2, 0
    while True:
        gain = (reach[edges.u] + reach[edges.v]).astype(np.int64) - edges.weight
        found = kernels.best_matching(space.n, edges.u, edges.v, 2 * gain, wants_stop=slices(budget))
        if found is None:
            return mate, bound, n_rounds
        mate, n_rounds = found.mate, n_rounds + 1
        prices = PairPrices(reach - found.dual / 2, found.up, found.within / 2)
        wrong = violations(space, prices, edges, budget)
        if wrong is None:
            return mate, bound, n_rounds
        matched = np.flatnonzero(mate > np.arange(space.n)).astype(np.int32)
        saved = reach[matched].sum() + reach[mate[matched]].sum() - space.between(matched, mate[matched]).sum()
        bound = max(bound, float(reach.sum() - saved - wrong[2].sum()))
        if not len(wrong[0]) or budget.is_over():
            return mate, bound, n_rounds
        edges = add(space, edges, wrong[0], wrong[1])


def _none() -> tuple[Ints, Ints]:
    return np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32)

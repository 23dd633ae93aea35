"""The lightest 2-factor of the complete graph of rows: every row has two edges, so that rows lie on cycles.

*As a perfect matching* (Tutte's gadget). Each row is two vertices; each edge e = uv is two more, e_u and e_v, joined to
each other at no weight and to both vertices of u, or of v, at half of e's weight. In a perfect matching an edge whose
two vertices are matched to each other is out, one whose vertices are matched to u and to v is in. A row that may be
left out has its two vertices joined at the fee.

*Pricing.* An edge that the sparse graph lacks could be put in with its two vertices matched to each other, at prices t
and −t, inside all blossoms that hold both ends whole. Such a t exists unless the edge weighs less than its ends'
potentials, less what those blossoms give back.

*Equal rows.* Of a tuple that stands for more than three rows, three are vertices. A lightest factor of all rows weighs
the same, up to what equal rows weigh: copies that lie on one cycle of at least four can be skipped (triangle
inequality). Copies on two triangles can first be put on one cycle of six by swapping their edges. A further copy can be
put beside any other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.budget import Budget
from shoal.matching.distances import Distances, nearest
from shoal.matching.pricing import Edges, PairPrices, add, near_edges, slices, violations
from shoal.problem import Ints, Longs

Floats = NDArray[np.float64]
COPIES = 3
PASSES = 8
"""Rounds of coordinate ascent before the search."""
PASSES_AGAIN = 2
"""The same where the potentials of a graph with fewer edges are known."""
NEAR = 6
"""Edges of each vertex that the first sparse graph has."""


@dataclass(frozen=True, eq=False)
class TwoFactor:
    """Cycles over vertices; each vertex stands for a row."""

    tuples: NDArray[np.int64]
    """The tuple of each vertex."""
    near: Ints
    """The two neighbours of each vertex; −1, −1 for one left out."""
    weight: float
    bound: float
    """What every 2-factor weighs at least; equal to ``weight`` if the proof was completed."""
    n_rounds: int

    @property
    def is_proved(self) -> bool:
        return self.bound >= self.weight

    @property
    def left_out(self) -> NDArray[np.bool_]:
        return self.near[:, 0] < 0


def two_factor(space: Distances, rows: Longs, fee: float | None, budget: Budget) -> TwoFactor:
    """The lightest 2-factor where tuple t stands for ``rows[t]`` rows, proved in the complete graph unless stopped
    before.
    """
    tuples = np.repeat(np.arange(space.n), np.minimum(rows, COPIES))
    part = space.only(tuples)
    fees = None if fee is None else np.maximum(fee - part.offset, 0.0)
    _, least = nearest(part)
    edges = _first_edges(part, budget)
    near, weight = _around(part, edges)
    bound, n_rounds, first = float(least.sum()), 0, None
    while True:
        found = _match(part, edges, fees, first, budget)
        if found is None:
            break
        near, prices, weight, n_rounds = *_read(part, edges, fees, found), n_rounds + 1
        first = _potentials(part.n, found)
        wrong = violations(part, prices, edges, budget)
        if wrong is None:
            break
        bound = max(bound, weight - 2 * float(wrong[2].sum()))
        if not len(wrong[0]) or budget.is_over():
            break
        edges = add(part, edges, wrong[0], wrong[1])
    return TwoFactor(tuples, near, weight, min(bound, weight), n_rounds)


def _first_edges(space: Distances, budget: Budget) -> Edges:
    """Near neighbours, and one cycle through all vertices so that there is a 2-factor at all."""
    here = np.arange(space.n, dtype=np.int32)
    edges = add(space, None, here, np.roll(here, -1))
    found = near_edges(space, np.full(space.n, 2.0 * space.whole), NEAR, budget)
    return edges if found is None else add(space, edges, *found)


def _around(space: Distances, edges: Edges) -> tuple[Ints, float]:
    """The cycle through all vertices in their order: the answer before anything better is found."""
    here = np.arange(space.n, dtype=np.int32)
    near = np.stack([np.roll(here, 1), np.roll(here, -1)], axis=1).astype(np.int32)
    return np.ascontiguousarray(near), float(space.between(here, np.roll(here, -1)).sum())


def _potentials(n: int, found: kernels.Matching) -> Longs:
    """What rows pay by the prices of a solved graph, as even numbers; a few more edges change little of it.

    A blossom's price is dealt out to its vertices, half of it to each: so no edge inside of it is overcharged without
    it.
    """
    each = found.dual[: 2 * n] + found.within[: 2 * n] // 2
    return np.ascontiguousarray(-np.maximum(each[0::2], each[1::2]) & ~np.int64(1))


def _match(
    space: Distances, edges: Edges, fees: Floats | None, first: Longs | None, budget: Budget
) -> kernels.Matching | None:
    """The perfect matching of the gadget. Gains are −4 times what is paid. ``first`` are potentials to begin with."""
    n, m = space.n, len(edges)
    at_u, at_v = (2 * n + 2 * np.arange(m)).astype(np.int32), (2 * n + 1 + 2 * np.arange(m)).astype(np.int32)
    source = np.concatenate([2 * edges.u, 2 * edges.u + 1, 2 * edges.v, 2 * edges.v + 1, at_u]).astype(np.int32)
    target = np.concatenate([at_u, at_u, at_v, at_v, at_v])
    gain = np.concatenate([np.tile(-2 * edges.weight, 4), np.zeros(m, dtype=np.int64)])
    whole_fees = None if fees is None else fees.astype(np.int64)
    if whole_fees is not None:
        rows = np.arange(n, dtype=np.int32)
        source, target = np.concatenate([source, 2 * rows]), np.concatenate([target, 2 * rows + 1])
        gain = np.concatenate([gain, -4 * whole_fees])
    passes = PASSES if first is None else PASSES_AGAIN
    dual, mate_edge = kernels.start_two_factor(n, edges.u, edges.v, edges.weight, whole_fees, passes, first)
    return kernels.best_matching(2 * n + 2 * m, source, target, gain, True, dual, mate_edge, slices(budget))


def _read(
    space: Distances, edges: Edges, fees: Floats | None, found: kernels.Matching
) -> tuple[Ints, PairPrices, float]:
    """The factor's neighbours, its prices over the rows, and its weight."""
    n, m = space.n, len(edges)
    used = np.flatnonzero(found.mate[2 * n :: 2] != 2 * n + 1 + 2 * np.arange(m))
    ends = np.concatenate([edges.u[used], edges.v[used]])
    others = np.concatenate([edges.v[used], edges.u[used]])
    near = np.full((n, 2), -1, dtype=np.int32)
    order = np.argsort(ends, kind="stable")
    near[ends[order[::2]], 0] = others[order[::2]]
    near[ends[order[1::2]], 1] = others[order[1::2]]
    weight = float(edges.weight[used].sum())
    if fees is not None:
        weight += float(fees[near[:, 0] < 0].sum())
    potential = -np.minimum(found.dual[0 : 2 * n : 2], found.dual[1 : 2 * n : 2]) / 4
    return near, PairPrices(potential, *_blossoms_of_rows(n, found)), weight


def _blossoms_of_rows(n: int, found: kernels.Matching) -> tuple[Ints, Floats]:
    """The tree of blossoms over rows: a row hangs on the lowest blossom that holds both of its vertices."""
    first_blossom = len(found.mate)
    a, b = np.arange(0, 2 * n, 2), np.arange(1, 2 * n, 2)
    while (apart := a != b).any():
        lower = apart & (a < b)
        higher = apart & (a > b)
        a, b = np.where(lower, found.up[a], a), np.where(higher, found.up[b], b)
    up = np.concatenate([a, found.up[first_blossom:]]) - first_blossom + n
    within = np.concatenate([found.within[a], found.within[first_blossom:]]) / 4
    return up.astype(np.int32), within

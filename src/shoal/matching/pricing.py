"""Sparse graphs that stand for complete ones: solve, look for edges that the prices do not explain, add them, solve
again.

A factor of a sparse graph is best in the complete graph as soon as its dual prices are feasible there. That means: no
edge that was left out is lighter than its ends' potentials together. Where time is over before that, the prices still
bound the best factor from below: raise each vertex's price by the worst violation at it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.budget import Budget
from shoal.kernels.matching import WORK
from shoal.kernels.pairs import QUERIES
from shoal.matching.distances import Distances
from shoal.problem import Ints, Longs

Floats = NDArray[np.float64]
FIRST_EDGES = 10
"""Edges of each vertex that the first sparse graph has."""
MORE_EDGES = 8
"""Violating edges of each vertex that are added at a time."""
EDGES_PER_SECOND = 8_000_000
"""Edges that the matching looks at."""
QUERIES_PER_SECOND = 50_000
"""Vertices whose light edges are found."""


def slices(budget: Budget) -> Callable[[], bool]:
    """Tells the matching whether to stop. It asks after each portion of edges; the first portion is counted at once."""
    budget.spend(WORK / 2, EDGES_PER_SECOND)
    return budget.portions(WORK, EDGES_PER_SECOND)


@dataclass(frozen=True, eq=False)
class Edges:
    """Edges u < v, each once, and what they weigh."""

    u: Ints
    v: Ints
    weight: Longs

    def __len__(self) -> int:
        return len(self.u)


@dataclass(frozen=True, eq=False)
class PairPrices:
    """What proves a factor best: no edge may weigh less than its ends' potentials, minus what blossoms around both give
    back.
    """

    potential: Floats
    up: Ints
    within: Floats


def add(space: Distances, edges: Edges | None, u: Ints, v: Ints) -> Edges:
    """The edges, and some more."""
    low, high = np.minimum(u, v).astype(np.int64), np.maximum(u, v).astype(np.int64)
    keys = low * space.n + high
    if edges is not None:
        keys = np.concatenate([edges.u.astype(np.int64) * space.n + edges.v, keys])
    a, b = np.divmod(np.unique(keys), space.n)
    return Edges(a.astype(np.int32), b.astype(np.int32), space.between(a.astype(np.int32), b.astype(np.int32)))


def near_edges(space: Distances, potential: Floats, most: int, budget: Budget) -> tuple[Ints, Ints] | None:
    """Up to ``most`` edges of each vertex that weigh less than both potentials together, the worst violations first."""
    asked = budget.portions(QUERIES, QUERIES_PER_SECOND)
    found = kernels.near_pairs(
        space.packed, space.codes, potential + space.offset, potential + space.offset, most, wants_stop=asked
    )
    budget.spend(space.n % QUERIES, QUERIES_PER_SECOND)
    return None if found is None else _listed(found[0])


def violations(space: Distances, prices: PairPrices, edges: Edges, budget: Budget) -> tuple[Ints, Ints, Floats] | None:
    """Edges that the graph lacks and the prices do not explain (some of each vertex), and the worst violation at each
    vertex.
    """
    shifted = prices.potential + space.offset
    ends, others = np.concatenate([edges.u, edges.v]), np.concatenate([edges.v, edges.u])
    order = np.lexsort([others, ends])
    known = (np.searchsorted(ends[order], np.arange(space.n + 1)), others[order])
    asked = budget.portions(QUERIES, QUERIES_PER_SECOND)
    found = kernels.near_pairs(
        space.packed, space.codes, shifted, shifted, MORE_EDGES, prices.up, prices.within, known, wants_stop=asked
    )
    budget.spend(space.n % QUERIES, QUERIES_PER_SECOND)
    return None if found is None else (*_listed(found[0]), -found[1][:, 0])


def _listed(index: Ints) -> tuple[Ints, Ints]:
    u, place = np.nonzero(index >= 0)
    return u.astype(np.int32), index[u, place]

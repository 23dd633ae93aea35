"""Maximum-weight matching in a general graph, with the dual prices that prove it best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import NULL, STOPPED, check, ffi, ints, lib, longs

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
WORK = 500_000
"""Edges looked at between two questions whether to stop: some hundredths of a second."""


@dataclass(frozen=True, eq=False)
class Matching:
    """A best matching and its proof.

    For every edge, ``dual[u] + dual[v] + within[lowest common node of u and v in up] ≥ gain``, with equality where u
    and v are matched. Each blossom (a node of ``up`` above the vertices, the root excepted) holds an odd number of
    vertices, all but one of them matched inside. A vertex left alone has dual 0. By linear-programming duality no
    matching gains more.
    """

    mate: Ints
    """The vertex each vertex is matched with, or −1."""
    dual: Longs
    up: Ints
    """Vertices, blossoms and a root as a tree; parents have larger numbers."""
    within: Longs
    """For each node of ``up``, the sum of the prices of the blossoms from it to the root."""


def best_matching(
    n: int,
    source: Ints,
    target: Ints,
    gain: Longs,
    perfect: bool = False,
    dual: Longs | None = None,
    mate_edge: Ints | None = None,
    wants_stop: Callable[[], bool] = lambda: False,
) -> Matching | None:
    """The matching of n vertices with the greatest total gain; None if it was stopped.

    Gains must be even integers. With ``perfect`` every vertex must be matched; where that is impossible, ValueError. A
    start may be given: feasible ``dual`` prices and, for each vertex, an edge that is tight under them (or −1).
    """
    m = len(gain)
    if len(source) != m or len(target) != m or n < 0 or n >= 2**30 or m >= 2**31 - 1:
        raise ValueError("one source, target and gain per edge")
    if m and (min(source.min(), target.min()) < 0 or max(source.max(), target.max()) >= n or (source == target).any()):
        raise IndexError("an edge has an end that is no vertex, or two equal ends")
    if (gain & 1).any() or (m and np.abs(gain).max() >= 2**58):
        raise ValueError("gains must be even, and below 2^58")
    graph = ffi.new("shoal_graph *", (n, m, ints(source), ints(target), longs(gain)))
    start = (NULL if dual is None else longs(dual), NULL if mate_edge is None else ints(mate_edge))
    solver = lib.shoal_matching_new(graph, perfect, *start)
    if solver == NULL:
        check(lib.SHOAL_NO_MEMORY, "the matching")
    try:
        while (state := lib.shoal_matching_run(solver, WORK)) == STOPPED:
            if wants_stop():
                return None
        check(state, "the matching", "the graph has no perfect matching")
        size = n + lib.shoal_matching_blossoms(solver) + 1
        found = Matching(
            np.empty(n, np.int32), np.empty(n, np.int64), np.empty(size, np.int32), np.empty(size, np.int64)
        )
        lib.shoal_matching_read(solver, ints(found.mate), longs(found.dual), ints(found.up), longs(found.within))
        return found
    finally:
        lib.shoal_matching_free(solver)

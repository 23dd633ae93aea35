"""Forests of nearest neighbours, their decomposition, and groups without one of their rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import check, doubles, ints, lib, longs, table
from shoal.kernels.packed import Packed

ROUNDS = (0.99, 0.97, 0.93, 0.85, 0.75, 0.6, 0.45, 0.3)
"""Edges are cut from long to short, in rounds that begin at these quantiles of their lengths."""


def grow_forest(
    weight: NDArray[np.int64], k: int, index: NDArray[np.int32], distance: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """For each vertex the other end of its edge (−1 for none) and the edge's length; components have at least k rows.

    Each vertex has at most one edge, to one of its listed neighbours, and the edges make no cycle. The lists of
    :func:`shoal.kernels.neighbours` with k − 1 companions suffice.
    """
    n, width = index.shape
    if distance.shape != index.shape or len(weight) != n:
        raise ValueError("one list and one weight per vertex")
    if n and (index.max(initial=-1) >= n or index.min(initial=0) < -1):
        raise IndexError("a neighbour is no vertex")
    to, length = np.empty(n, dtype=np.int32), np.empty(n)
    grown = lib.shoal_grow_forest(longs(weight), n, k, ints(index), doubles(distance), width, ints(to), doubles(length))
    check(grown, "the forest", "a list of neighbours is too short to leave a component of fewer than k rows")
    return to, length


def decompose(to: NDArray[np.int32], length: NDArray[np.float64], k: int) -> NDArray[np.int32]:
    """Groups of k to max(2k − 1, 3k − 5) vertices, each held together by edges (and one vertex) of its own.

    Vertex v has the edge (v, to[v]), or none where to[v] is −1. Every component must have at least k vertices.
    """
    n = len(to)
    if len(length) != n:
        raise ValueError("one length per edge")
    if n and (to.max() >= n or to.min() < -1):
        raise IndexError("an edge ends outside of the forest")
    some = length[to >= 0]
    rounds = np.concatenate([np.quantile(some, ROUNDS) if len(some) else [], [-np.inf]])
    group = np.empty(n, dtype=np.int32)
    made = lib.shoal_decompose(ints(to), doubles(length), n, k, doubles(rounds), len(rounds), ints(group))
    check(made, "the decomposition", "the edges have a cycle")
    return group


def leave_one_out(
    packed: Packed, codes: NDArray[np.int32], tuples: NDArray[np.int32], start: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The price of each group's closure, and for each row the price of its group's closure without that row.

    Group g holds the rows ``start[g] : start[g + 1]``, which carry ``tuples``. A group of one row costs 0 without it.
    """
    if len(tuples) and (tuples.min() < 0 or tuples.max() >= len(codes)):
        raise IndexError("a tuple is out of range")
    if len(start) == 0 or start[0] != 0 or start[-1] != len(tuples) or (np.diff(start) < 0).any():
        raise ValueError("groups must lie end to end")
    n_groups = len(start) - 1
    whole, without = np.empty(n_groups), np.empty(len(tuples))
    suffix = np.empty(len(tuples), dtype=np.int32)
    given = table(packed, codes, is_checked=False)
    lib.shoal_leave_one_out(given, ints(tuples), longs(start), n_groups, ints(suffix), doubles(whole), doubles(without))
    return whole, without

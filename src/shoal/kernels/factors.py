"""From the edges of a factor to groups of rows: stars for [1,2]-factors, cycles for 2-factors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import NULL, check, doubles, ffi, ints, lib, longs, table
from shoal.kernels.packed import Packed

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]


def group_stars(weight: Longs, source: Ints, target: Ints, reach: NDArray[np.float64]) -> Ints:
    """A group for each row, rows sorted by tuple; −1 for a lone row that no edge touches.

    Tuple t stands for ``weight[t]`` equal rows. The edges come heaviest first. Those that both ends can do without are
    dropped, so that stars remain; of a star with many leaves, those of greatest ``reach`` are paired with each other.
    Groups have two or three rows, and as many as remain equal.
    """
    n, m = len(weight), len(source)
    if len(target) != m or len(reach) != n or (weight < 1).any():
        raise ValueError("one target per edge, one reach per tuple, at least one row per tuple")
    if m and (min(source.min(), target.min()) < 0 or max(source.max(), target.max()) >= n or (source == target).any()):
        raise IndexError("an edge has an end that is not the number of a tuple, or two equal ends")
    start = np.concatenate([[0], np.cumsum(weight)]).astype(np.int64)
    group = np.full(int(start[-1]), -1, dtype=np.int32)
    graph = ffi.new("shoal_graph *", (n, m, ints(source), ints(target), NULL))
    check(lib.shoal_stars(graph, longs(start), doubles(reach), ints(group)), "the groups")
    return group


def walk_cycles(near: Ints) -> tuple[Ints, Longs]:
    """The cycles of a graph in which each vertex has two neighbours, ``near[v]`` (or −1, −1 for one on no cycle).

    Gives the vertices in order, and where each cycle begins.
    """
    n = len(near)
    if near.shape != (n, 2) or (n and near.max() >= n) or ((near < 0).any(axis=1) != (near < 0).all(axis=1)).any():
        raise ValueError("two neighbours per vertex, or none")
    on = np.flatnonzero(near[:, 0] >= 0)
    for side in (0, 1):  # each neighbour knows the vertex, or the walk would not close
        if not (near[near[on, side]] == on[:, None]).any(axis=1).all() or (near[on, side] == on).any():
            raise ValueError("neighbours must be mutual")
    order = np.empty(n, dtype=np.int32)
    begin = np.empty(n + 1, dtype=np.int64)
    n_cycles = check(lib.shoal_cycles(n, ints(near), ints(order), longs(begin)), "the cycles")
    return order[: begin[n_cycles]].copy(), begin[: n_cycles + 1].copy()


def cut_cycles(packed: Packed, codes: Ints, tuples: Ints, begin: Longs) -> Ints:
    """A group for each position of cycles of tuples: runs of three to five neighbours, at the least real cost that such
    cuts allow.
    """
    if len(begin) == 0 or begin[0] != 0 or begin[-1] != len(tuples) or (np.diff(begin) < 3).any():
        raise ValueError("a cycle has at least three rows, and they follow each other")
    if codes.shape[1] != packed.n_trees or (len(tuples) and (tuples.min() < 0 or tuples.max() >= len(codes))):
        raise IndexError("a tuple is out of range")
    group = np.empty(len(tuples), dtype=np.int32)
    given = table(packed, codes, is_checked=False)
    check(lib.shoal_cut_cycles(given, ints(tuples), len(begin) - 1, longs(begin), ints(group)), "the groups")
    return group


def start_two_factor(
    n: int, u: Ints, v: Ints, weight: Longs, fee: Longs | None, n_passes: int, first: Longs | None = None
) -> tuple[Longs, Ints]:
    """Feasible prices and a tight matching to start the search for a lightest 2-factor from: a dual and a matched edge
    for each vertex of its gadget.

    Row x is the vertices 2x and 2x + 1, edge e the vertices 2n + 2e and 2n + 2e + 1. The gadget's edges come in five
    blocks: the first and second vertex of each u with its edge, the same of each v, and the two vertices of each edge.
    Prices are for gains of −2 · weight, and of −4 · fee between a row's two vertices. ``first`` are potentials of rows
    to begin with, such as those of a graph with fewer edges: even numbers, minus the prices of a row's vertices.
    """
    m = len(weight)
    if len(u) != m or len(v) != m or (fee is not None and len(fee) != n) or 5 * m + n >= 2**31:
        raise ValueError("one weight per edge, one fee per row")
    if first is not None and (len(first) != n or (first & 1).any()):
        raise ValueError("one even potential per row")
    if m and (min(u.min(), v.min()) < 0 or max(u.max(), v.max()) >= n or weight.min() < 0):
        raise IndexError("an edge has an end that is no row, or a negative weight")
    if n and len(np.union1d(u, v)) < n:
        raise ValueError("every row needs an edge")
    dual, mate_edge = np.empty(2 * (n + m), dtype=np.int64), np.empty(2 * (n + m), dtype=np.int32)
    graph = ffi.new("shoal_graph *", (n, m, ints(u), ints(v), longs(weight)))
    fees = NULL if fee is None else longs(fee)
    begin = NULL if first is None else longs(first)
    check(lib.shoal_start_two_factor(graph, fees, begin, n_passes, longs(dual), ints(mate_edge)), "the start")
    return dual, mate_edge

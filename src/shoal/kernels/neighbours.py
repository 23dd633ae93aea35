"""Exact nearest neighbours of tuples, where a distance is the price of the nodes that cover both."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.closures import closures
from shoal.kernels.flag import Flag, pointer_of
from shoal.kernels.native import NULL, check, doubles, ffi, ints, lib, numbers, table
from shoal.kernels.packed import Packed
from shoal.kernels.split import split
from shoal.kernels.threads import n_threads

Method = Literal["auto", "tree", "scan"]
METHODS = numbers("shoal_method")
MOST_SCAN = 4e9
"""Comparisons of cells beyond which distances are bounded and not scanned for; some ten seconds."""
MOST_TREE = 1e10
"""The same of a search in the tree, which looks at fewer of them in a second: half a minute."""


def neighbours(
    packed: Packed,
    codes: NDArray[np.int32],
    weight: NDArray[np.int64] | None,
    k: int,
    queries: NDArray[np.int32] | None = None,
    threads: int | None = None,
    method: Method = "auto",
    stop: Flag | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """The nearest other tuples of each tuple, nearest first: ``(index, distance)``, both of shape (n, k).

    The distance of u and v is the sum over the columns of the price of join(u_j, v_j).

    With ``weight`` None the k nearest tuples are listed. With weights, k counts rows: a tuple that stands for w rows
    has w − 1 companions in itself, and its list ends with the tuple that brings the k-th companion (so it is empty
    where w > k). Lists are padded with −1 and infinity. Every listed distance is exact; among tuples equally far, which
    are listed is arbitrary but the same in every run and for any number of threads.

    ``queries`` restricts the answer to some tuples, in that order. ``method`` is chosen by itself: a tree of boxes, or
    a scan of all pairs where the tree cannot prune. Prices must not fall towards a root. Memory is O(n · (k +
    columns)). InterruptedError once ``stop`` is set; so do all questions here.
    """
    n_answers = len(codes) if queries is None else len(queries)
    index = np.full((n_answers, k), -1, dtype=np.int32)
    distance = np.full((n_answers, k), np.inf)
    _search(
        packed, codes, weight, k, queries, threads, method, stop, {"index": ints(index), "distance": doubles(distance)}
    )
    return index, distance


def nearest(packed: Packed, codes: NDArray[np.int32], k: int, stop: Flag | None = None) -> NDArray[np.int32]:
    """The k nearest other tuples of each tuple, as :func:`neighbours` lists them, without their distances: a third of
    the memory.
    """
    index = np.full((len(codes), k), -1, dtype=np.int32)
    _search(packed, codes, None, k, None, None, "auto", stop, {"index": ints(index)})
    return index


def companion_distances(
    packed: Packed,
    codes: NDArray[np.int32],
    weight: NDArray[np.int64] | None,
    k: int,
    queries: NDArray[np.int32] | None = None,
    threads: int | None = None,
    method: Method = "auto",
    stop: Flag | None = None,
) -> NDArray[np.float64]:
    """How far each tuple's k-th companion is: the k-th nearest other row, rows of the same tuple included.

    Infinite where the table has no k other rows. As :func:`neighbours`, without the lists. Where a scan would compare
    :data:`MOST_SCAN` cells or more, and the tree :data:`MOST_TREE`, a lower bound takes its place: what joining the
    tuple with any other costs at least.
    """
    farthest = np.full(len(codes) if queries is None else len(queries), np.inf)
    _search(packed, codes, weight, k, queries, threads, method, stop, {"farthest": doubles(farthest)})
    return farthest


def covering_prices(
    packed: Packed,
    codes: NDArray[np.int32],
    weight: NDArray[np.int64] | None,
    k: int,
    threads: int | None = None,
    stop: Flag | None = None,
) -> NDArray[np.float64]:
    """What covering each tuple together with its k nearest companions costs; infinite where there are not so many.

    Where a search would compare too many cells (as above), an upper bound takes its place: what the tuple's group in a
    top-down split costs.
    """
    covering = np.full(len(codes), np.inf)
    taken, _ = _search(packed, codes, weight, k, None, threads, "auto", stop, {"covering": doubles(covering)})
    if taken != lib.SHOAL_METHOD_BOUNDS or weight is None or weight.sum() <= k:
        return covering
    group, n_groups = split(packed, codes, weight, k + 1)
    nodes = closures(packed, codes, np.arange(len(codes), dtype=np.int32), group, n_groups)
    price: NDArray[np.float64] = packed.price[packed.first[:-1] + nodes].sum(axis=1)
    np.minimum(covering, price[group], out=covering)
    return covering


def can_prune(
    packed: Packed, codes: NDArray[np.int32], k: int, queries: NDArray[np.int32], stop: Flag | None = None
) -> bool:
    """Whether the tree looks at less of the table than a scan would, and answers for all tuples in time: found by
    counting on some queries.
    """
    farthest = np.full(len(queries), np.inf)
    taken, looked = _search(packed, codes, None, k, queries, 1, "auto", stop, {"farthest": doubles(farthest)})
    return taken == lib.SHOAL_METHOD_TREE and looked * len(codes) < MOST_TREE


def _search(
    packed: Packed,
    codes: NDArray[np.int32],
    weight: NDArray[np.int64] | None,
    k: int,
    queries: NDArray[np.int32] | None,
    threads: int | None,
    method: Method,
    stop: Flag | None,
    out: dict[str, Any],
) -> tuple[int, float]:
    """The method taken, and the cells that a query in the tree looks at where it was chosen here."""
    n = len(codes)
    if k < 1:
        raise ValueError("at least one neighbour must be asked for")
    if codes.size == 0:
        raise ValueError("there is nothing to search")
    if queries is not None and len(queries) and (queries.min() < 0 or queries.max() >= n):
        raise IndexError("a query is not the number of a tuple")
    asked = {
        "k": k,
        "queries": NULL if queries is None else ints(queries),
        "n_queries": n if queries is None else len(queries),
        "method": METHODS[method],
        "n_threads": threads or n_threads(),
        "most_scan": MOST_SCAN,
        "most_tree": MOST_TREE,
        "stop": pointer_of(stop),
    }
    ask = ffi.new("shoal_neighbours_ask *", {**asked, **out})
    return check(lib.shoal_neighbours(table(packed, codes, weight), ask), "the neighbours"), ask.looked

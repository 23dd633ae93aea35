"""Pairs of tuples that are nearer than their potentials allow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import NULL, check, doubles, ffi, ints, lib, longs, table
from shoal.kernels.packed import Packed
from shoal.kernels.threads import n_threads

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
QUERIES = 20_000
"""Tuples asked about between two questions whether to stop."""


def near_pairs(
    packed: Packed,
    codes: Ints,
    reach: Floats,
    pull: Floats,
    most: int,
    up: Ints | None = None,
    within: Floats | None = None,
    known: tuple[Longs, Ints] | None = None,
    threads: int | None = None,
    wants_stop: Callable[[], bool] = lambda: False,
) -> tuple[Ints, Floats] | None:
    """For each tuple u, the other tuples v of least negative slack: ``(index, slack)``, both of shape (n, most).

    The slack of u and v is their distance less ``reach[u]`` and ``pull[v]``, plus ``within`` at their lowest common
    node in the tree ``up`` (whose first nodes are the tuples). Missing places hold −1 and 0. ``known`` are pairs not to
    be listed: the v of each u, sorted, end to end, and where they begin. Prices and potentials must be whole numbers,
    so that slacks are exact (halves and quarters do as well); which of equal slacks are listed is the same in every
    run. None if it was stopped. Time is near n log n where potentials are small, memory O(n · most).
    """
    n = len(codes)
    if len(reach) != n or len(pull) != n or most < 1:
        raise ValueError("one reach and one pull per tuple, at least one answer")
    index = np.full((n, most), -1, dtype=np.int32)
    slack = np.zeros((n, most))
    if n == 0:
        return index, slack
    given = table(packed, codes)
    if (up is None) != (within is None):
        raise ValueError("a tree over the tuples and the values of its nodes go together")
    if up is not None and within is not None and (len(up) <= n or len(up) != len(within) or within.min() < 0):
        raise ValueError("a tree over the tuples needs a value of at least 0 for each node")
    if known is not None and (
        len(known[0]) != n + 1 or known[0][0] != 0 or known[0][-1] != len(known[1]) or (np.diff(known[0]) < 0).any()
    ):
        raise ValueError("known pairs begin at 0, end at their number, and never go back")
    asked = {
        "reach": doubles(reach),
        "pull": doubles(pull),
        "up": NULL if up is None else ints(up),
        "within": NULL if within is None else doubles(within),
        "known_start": NULL if known is None else longs(known[0]),
        "known": NULL if known is None else ints(known[1]),
        "most": most,
        "n_threads": threads or n_threads(),
        "index": ints(index),
        "slack": doubles(slack),
    }
    ask = ffi.new("shoal_pairs_ask *", asked)
    for begin in range(0, n, QUERIES):
        ask.begin, ask.end = begin, min(begin + QUERIES, n)
        check(lib.shoal_pairs(given, ask), "the pairs")
        if begin + QUERIES < n and wants_stop():
            return None
    return index, slack

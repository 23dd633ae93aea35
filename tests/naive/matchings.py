"""Best matchings and lightest factors by exhaustion, and the recount of a matching's proof."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Matching


def join(up: NDArray[np.int32], a: int, b: int) -> int:
    while a != b:
        if a < b:
            a = int(up[a])
        else:
            b = int(up[b])
    return a


def best_gain(n: int, gain: dict[tuple[int, int], int], perfect: bool) -> float:
    """The greatest total gain of a matching, over sets of vertices; minus infinity if it must be perfect and cannot."""

    @cache
    def best(mask: int) -> float:
        if not mask:
            return 0.0
        v = mask.bit_length() - 1
        rest = mask ^ 1 << v
        found = float("-inf") if perfect else best(rest)
        for u in range(v):
            if rest >> u & 1 and (u, v) in gain:
                found = max(found, gain[u, v] + best(rest ^ 1 << u))
        return found

    return best((1 << n) - 1)


def proved_gain(n: int, gain: dict[tuple[int, int], int], found: Matching, perfect: bool) -> int:
    """What the prices prove to be the most that any matching gains, after checking that they are feasible."""
    for (u, v), worth in gain.items():
        assert found.dual[u] + found.dual[v] + found.within[join(found.up, u, v)] >= worth
    assert perfect or (found.dual >= 0).all()
    size = np.zeros(len(found.up), dtype=int)
    size[:n] = 1
    for node in range(len(found.up) - 1):
        assert found.up[node] > node
        size[found.up[node]] += size[node]
    total = int(found.dual.sum())
    for blossom in range(n, len(found.up) - 1):
        price = int(found.within[blossom] - found.within[found.up[blossom]])
        assert price >= 0
        assert size[blossom] % 2 == 1
        total += price * int(size[blossom] // 2)
    return total


def lightest_cover(weight: NDArray[np.float64]) -> float:
    """The lightest [1,2]-factor of a complete graph: partitions into edges and paths of two edges."""
    n = len(weight)

    @cache
    def best(mask: int) -> float:
        if not mask:
            return 0.0
        rows = [i for i in range(n) if mask >> i & 1]
        found, a = float("inf"), rows[0]
        for b in rows[1:]:
            rest = mask ^ 1 << a ^ 1 << b
            found = min(found, weight[a, b] + best(rest))
            for c in rows[1:]:
                if c > b:
                    three = sorted([weight[a, b], weight[a, c], weight[b, c]])
                    found = min(found, three[0] + three[1] + best(rest ^ 1 << c))
        return found

    return best((1 << n) - 1)


def lightest_two_factor(weight: NDArray[np.float64]) -> float:
    """The lightest 2-factor of a complete graph: the lightest cycle through every set, and partitions into such sets."""
    n = len(weight)

    @cache
    def path(mask: int, end: int) -> float:
        """From the lowest row of the set through all of it to ``end``."""
        low = (mask & -mask).bit_length() - 1
        if end == low:
            return 0.0 if mask == 1 << low else float("inf")
        rest = mask ^ 1 << end
        steps = (path(rest, v) + weight[v, end] for v in range(n) if rest >> v & 1)
        return min(steps, default=float("inf"))

    @cache
    def cycle(mask: int) -> float:
        low = (mask & -mask).bit_length() - 1
        return min(path(mask, v) + weight[v, low] for v in range(n) if mask >> v & 1 and v != low)

    @cache
    def best(mask: int) -> float:
        if not mask:
            return 0.0
        if mask.bit_count() < 3:
            return float("inf")
        first = mask & -mask
        rest, found, part = mask ^ first, float("inf"), mask ^ first
        while part:
            if part.bit_count() >= 2:
                found = min(found, cycle(part | first) + best(rest ^ part))
            part = (part - 1) & rest
        return found

    return best((1 << n) - 1)

"""Searching the distances of a space for the smallest threshold that succeeds, without ever storing them all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from shoal.kernels.space import Space

FEW = 1200
"""Up to so many points all distances are sorted; above, a sample guides the search."""
MANY = 30_000
"""Up to so many points the distances that lie between two of the sample are found by the tree; above, the search halves
the interval of numbers between them.
"""
SAMPLE = 200_000
PAIRS = 4_000_000

T = TypeVar("T")


class Radii:
    """The distances between points of a space, as thresholds to try."""

    def __init__(self, space: Space) -> None:
        self.space = space
        n = space.n
        self.are_all = n <= FEW
        self.searched = (np.inf, -np.inf)
        """Between these two, all distances are known."""
        if self.are_all:
            a, b = np.triu_indices(n, 1)
        else:
            rng = np.random.default_rng(0)
            a, b = rng.integers(0, n, SAMPLE), rng.integers(0, n, SAMPLE)
        self.known = np.unique(np.concatenate([[0.0], space.distances(a.astype(np.int32), b.astype(np.int32))]))

    @property
    def widest(self) -> float:
        """At least as large as every distance."""
        everything = np.arange(self.space.n, dtype=np.int32)
        return 2 * float(self.space.distances(0, everything).max())

    def between(self, low: float, high: float) -> float | None:
        """A threshold above ``low`` and below ``high``, about the middle of the distances there are; None if there is
        none.
        """
        i, j = np.searchsorted(self.known, low, "right"), np.searchsorted(self.known, high, "left")
        if i < j:
            return float(self.known[(i + j) // 2])
        if self.are_all or (self.searched[0] <= low and high <= self.searched[1]):
            return None
        if self.space.n > MANY:
            middle = (low + high) / 2
            return middle if low < middle < high else None
        found, is_all = self.space.distances_between(low, high, PAIRS)
        if is_all:
            self.searched = (low, high)
        self.known = np.union1d(self.known, found)
        return float(found[len(found) // 2]) if len(found) else None

    def smallest(self, attempt: Callable[[float], T | None], least: float) -> tuple[float, T]:
        """The threshold that halving finds, at least ``least``, and what the attempt gave there.

        Success need not be monotone; but where every threshold from some D* on succeeds, the one found is at most D*,
        because no distance lies between it and one that failed. ``attempt`` must succeed at the largest distance.
        """
        found = attempt(least)
        if found is not None:
            return least, found
        low, high = least, self.widest
        best = attempt(high)
        if best is None:
            raise AssertionError("a clustering into one cluster must succeed")
        while (middle := self.between(low, high)) is not None:
            found = attempt(middle)
            if found is None:
                low = middle
            else:
                high, best = middle, found
        return high, best

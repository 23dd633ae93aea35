"""The complete graph of a problem's tuples, in whole numbers.

An edge weighs what its two rows lose as a group of two: twice the price of their join, less both offsets. Prices are
rounded to whole multiples of a tiny unit (2⁻³⁸ of a row suppressed whole), so that sums are exact and proofs are valid.
Rounding keeps prices monotone. With w the price of a join, the triangle inequality holds column by column: of the three
joins of three leaves the two highest are one node, and each join is at least as dear as the leaves below it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.problem import Ints, Longs, Problem

Floats = NDArray[np.float64]
FAR = 2.0**45
"""More than any edge weighs."""
BITS = 38


@dataclass(frozen=True, eq=False)
class Distances:
    """What pairs of tuples weigh, in whole units."""

    packed: kernels.Packed
    """The trees, each node at twice its price."""
    codes: Ints
    offset: Floats
    """What is subtracted for each tuple."""
    own: Floats
    """What two equal rows weigh: nothing, unless a cell of theirs is suppressed whatever happens."""
    whole: float
    """What a row that is suppressed whole loses, offset not subtracted."""
    unit: float
    """One unit, as a loss in the measure."""

    @property
    def n(self) -> int:
        return len(self.codes)

    def between(self, u: Ints, v: Ints) -> Longs:
        """What each edge (u, v) weighs."""
        tuples = np.stack([u, v], axis=1).reshape(-1).astype(np.int32)
        edges = np.repeat(np.arange(len(u), dtype=np.int32), 2)
        nodes = kernels.closures(self.packed, self.codes, tuples, edges, len(u))
        total = -self.offset[u] - self.offset[v]
        for j in range(self.packed.n_trees):
            total += self.packed.price[self.packed.first[j] + nodes[:, j]]
        return total.astype(np.int64)

    def only(self, tuples: NDArray[np.int64]) -> Distances:
        """The same over some of the tuples, or over some of them more than once."""
        codes = np.ascontiguousarray(self.codes[tuples])
        return Distances(self.packed, codes, self.offset[tuples], self.own[tuples], self.whole, self.unit)


def distances(problem: Problem) -> Distances:
    """The complete graph of a problem's tuples."""
    dearest = problem.price_of_suppression or 1.0
    unit = 2.0 ** (np.ceil(np.log2(dearest)) - BITS)
    prices = [np.round(column.price / unit) for column in problem.columns]
    offset, own = np.zeros(problem.n_tuples), np.zeros(problem.n_tuples)
    for j, column in enumerate(problem.columns):
        leaves = problem.codes[:, j]
        offset += np.minimum(np.round(column.offset / unit), prices[j][: column.tree.n_leaves])[leaves]
        own += 2 * prices[j][leaves]
    packed = kernels.pack([column.tree.parent for column in problem.columns], [2 * price for price in prices])
    whole = float(sum(price[-1] for price in prices))
    return Distances(packed, problem.codes, offset, own - 2 * offset, whole, unit)


def nearest(space: Distances) -> tuple[Ints, Floats]:
    """The nearest other tuple of each tuple, and what the edge to it weighs; −1 and FAR if there is none."""
    found = kernels.near_pairs(space.packed, space.codes, space.offset + FAR, space.offset, 1)
    assert found is not None
    index, slack = found
    return index[:, 0], slack[:, 0] + FAR

"""Cuts of a proof: what groups may be overcharged by, because only so many of them fit into some rows.

A cut is a set U of tuples with a price. A group all of whose rows are in U may be overcharged by the price of the cut. At most ⌊|U| / k⌋ groups have all
their rows in U, so as many times the price is taken off what the proof proves. That is true of any set U: whether it is a box is not asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.errors import NotAnonymous
from shoal.proof.file import ProofCut
from shoal.proof.prices import LARGEST

Longs = NDArray[np.int64]
WORD = 64
AT_ONCE = 1 << 14
"""Sets that are looked at together."""


@dataclass(frozen=True, eq=False)
class Cuts:
    """The cuts of a proof, with a bit for each in the words of each tuple."""

    price: Longs
    holds: NDArray[np.uint64]
    """For each word of 64 cuts, which of them hold each tuple."""

    def in_order(self, tuples: Longs) -> Cuts:
        """The same cuts, of these tuples in this order."""
        return Cuts(self.price, self.holds[:, tuples])

    def allowed(self, tuples: Longs, first: Longs) -> Longs:
        """What each of some sets of tuples, which lie end to end, may be overcharged by: the sum of the cuts that hold all of it."""
        around = np.ascontiguousarray(np.bitwise_and.reduceat(self.holds[:, tuples], first, axis=1).T)
        parts = [around[start : start + AT_ONCE] for start in range(0, len(around), AT_ONCE)]
        return np.concatenate([np.unpackbits(part.view(np.uint8), axis=1, bitorder="little") @ self.price for part in parts])


def cuts_of(cuts: Sequence[ProofCut], number: Longs) -> Cuts:
    """The cuts of a proof, for tuples that have these numbers in it."""
    if sum(cut.price for cut in cuts) >= LARGEST:
        raise NotAnonymous("The proof does not hold: its cuts are beyond this table's prices.")
    n_words = -(-len(cuts) // WORD)
    price = np.zeros(n_words * WORD, dtype=np.int64)
    holds = np.zeros((n_words, len(number)), dtype="<u8")
    for place, cut in enumerate(cuts):
        price[place] = cut.price
        holds[place // WORD, np.isin(number, cut.tuples)] |= np.uint64(1) << np.uint64(place % WORD)
    return Cuts(price, holds)


def most_paid(cuts: Sequence[ProofCut], number: Longs, rows: Longs, k: int) -> int:
    """What the cuts cost at most: the price of each for every group that fits into its rows."""
    return sum(cut.price * (int(rows[np.isin(number, cut.tuples)].sum()) // k) for cut in cuts)

"""Cuts over groups, and those that shares of groups break.

Cut.         Some tuples, how often a row of each counts, and a divisor. Of all groups of a release, each taken ⌊what
             its rows count / divisor⌋ times, there are at most ⌊what all rows of these tuples count / divisor⌋: the
             parts that are rounded down add up to no more than the whole. Three rows that count once each, divisor 2:
             of the groups that hold two of them there is at most one.
Search.      All triples of rows; and other small sets by a search from each row on, one row exchanged at a time.
Reference.   Chvátal 1973. Jepsen, Petersen, Spoorendonk, Pisinger. Subset-row inequalities. Operations Research 56,
             2008. Pecin, Pessoa, Poggi, Uchoa, Santos. Limited memory rank-1 cuts. Operations Research Letters 45, 2017
             (the multipliers).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.kernels.groups import GroupCuts
from shoal.partition.work import Work
from shoal.problem import Floats, Longs

KINDS = (
    ((1, 1, 1, 1, 1), 2),
    ((1,) * 7, 2),
    ((2, 1, 1, 1), 3),
    ((3, 1, 1, 1, 1), 4),
    ((3, 2, 2, 1, 1), 5),
    ((1,) * 7, 4),
)
"""How often the rows of a small set count, and the divisor; triples are searched by themselves."""
BROKEN = 0.03
"""By how much a cut must be broken to be of use."""
USED = 1e-6
AT_ONCE, OF_A_TUPLE = 120, 5
"""New cuts at once, and how many of them may hold one tuple."""
MOST_EXCHANGES = 2


@dataclass(frozen=True)
class GroupCut:
    """Tuples by rising number, how often a row of each counts, and the divisor."""

    tuples: tuple[int, ...]
    times: tuple[int, ...]
    divisor: int


def matrix_of(cuts: Sequence[GroupCut], n_tuples: int) -> Any:
    """How often a row of each tuple counts in each cut: tuples × cuts, sparse."""
    from scipy import sparse

    tuples = [t for cut in cuts for t in cut.tuples]
    times = [float(m) for cut in cuts for m in cut.times]
    number = np.repeat(np.arange(len(cuts)), [len(cut.tuples) for cut in cuts])
    return sparse.csr_matrix((times, (tuples, number)), shape=(n_tuples, len(cuts)))


def divisors(cuts: Sequence[GroupCut]) -> Longs:
    return np.array([cut.divisor for cut in cuts], dtype=np.int64)


def most_of(cuts: Sequence[GroupCut], weight: Longs) -> Floats:
    """How many groups each cut allows."""
    counted = [int((weight[list(cut.tuples)] * np.array(cut.times)).sum()) for cut in cuts]
    return np.array([c // cut.divisor for c, cut in zip(counted, cuts, strict=True)], dtype=np.float64)


def met_by(cuts: Sequence[GroupCut], counts: Any) -> Any:
    """How many times each group (a row of ``counts``: how many rows of each tuple it has) is taken in each cut: groups
    × cuts, sparse.
    """
    from scipy import sparse

    if not cuts:
        return sparse.csr_matrix((counts.shape[0], 0))
    found = (counts @ matrix_of(cuts, counts.shape[1])).tocsr()
    found.data = np.floor(found.data / divisors(cuts)[found.indices] + 1e-9)
    found.eliminate_zeros()
    return found


def for_kernel(cuts: Sequence[GroupCut], price: Floats, n_tuples: int) -> GroupCuts:
    """The cuts that have a price, by their tuples."""
    kept = np.flatnonzero(price > 0)
    chosen = [cuts[c] for c in kept.tolist()]
    by_tuple = matrix_of(chosen, n_tuples)
    start, number, times = (
        by_tuple.indptr.astype(np.int64),
        by_tuple.indices.astype(np.int32),
        by_tuple.data.astype(np.int32),
    )
    return GroupCuts(start, number, times, divisors(chosen).astype(np.int32), price[kept])


# Which cuts shares of groups break.


class BrokenCuts:
    """Cuts that shares of groups break, looked for among the rows that are in parts of groups."""

    def __init__(self, counts: Any, share: Floats, weight: Longs, work: Work) -> None:
        used = np.flatnonzero((share > USED) & (share < 1.0 - USED))
        self.share, self.weight, self.work = share[used], weight, work
        dense = counts[used].toarray()
        self.loose: Longs = np.flatnonzero(dense.any(axis=0))
        """The tuples that have rows in parts of groups."""
        self.count: Floats = dense[:, self.loose]
        holds = (self.count > 0).astype(np.float64)
        self.together: Floats = (holds * self.share[:, None]).T @ holds
        """Of each two tuples, how much of groups holds both."""
        np.fill_diagonal(self.together, 0.0)

    def triples(self) -> dict[GroupCut, float]:
        """All triples of rows of which more than one group holds two, and by how much more; only of tuples of one
        row.
        """
        single = np.flatnonzero(self.weight[self.loose] == 1)
        pair, holds = self.together[np.ix_(single, single)], self.count[:, single] > 0
        found: dict[GroupCut, float] = {}
        for a in range(len(single)):
            if self.work.wants_stop():
                break
            self.work.counted(pair.size)
            both = pair + pair[a][:, None] + pair[a][None, :]
            rows, columns = np.nonzero(np.triu(both > 1.0 + BROKEN, 1))
            later = (rows > a) & (columns > a)
            rows, columns = rows[later], columns[later]
            with_a = holds[:, a]
            all_three = self.share[with_a] @ (holds[with_a][:, rows] & holds[with_a][:, columns])
            excess = both[rows, columns] - 2.0 * all_three - 1.0
            for b, c, e in zip(rows.tolist(), columns.tolist(), excess.tolist(), strict=True):
                if e > BROKEN:
                    tuples = self.loose[single[[a, b, c]]].tolist()
                    found[GroupCut((tuples[0], tuples[1], tuples[2]), (1, 1, 1), 2)] = e
        return found

    def others(self) -> dict[GroupCut, float]:
        """Cuts of other kinds that a search from each row on finds."""
        found: dict[GroupCut, float] = {}
        for times, divisor in KINDS:
            for seed in range(len(self.loose)):
                if self.work.wants_stop():
                    return found
                self.work.counted(len(times) * self.count.size // 3)
                chosen = self.grown(seed, times, divisor)
                if chosen is None:
                    continue
                excess = self.exchanged(chosen, times, divisor)
                if excess > BROKEN:
                    pairs = sorted(zip(self.loose[chosen].tolist(), times, strict=True))
                    found[GroupCut(tuple(t for t, _ in pairs), tuple(m for _, m in pairs), divisor)] = excess
        return found

    def grown(self, seed: int, times: Sequence[int], divisor: int) -> list[int] | None:
        """A set from one tuple on, each time with the one whose groups come nearest to the divisor; None where there
        are too few.
        """
        chosen, counted, near = [seed], times[0] * self.count[:, seed], self.together[seed].copy()
        for m in times[1:]:
            able = np.flatnonzero(near > 0)
            able = able[~np.isin(able, chosen)]
            if len(able) == 0:
                return None
            worth = self.share @ np.minimum((counted[:, None] + m * self.count[:, able]) / divisor, 1.0) ** 2
            best = int(able[np.argmax(worth)])
            chosen.append(best)
            counted, near = counted + m * self.count[:, best], near + self.together[best]
        return chosen

    def exchanged(self, chosen: list[int], times: Sequence[int], divisor: int) -> float:
        """Exchange one tuple at a time as long as the cut is broken more by it; by how much it is in the end."""
        weight, multiple = self.weight[self.loose], np.array(times)
        counted = self.count[:, chosen] @ multiple.astype(np.float64)
        whole = int((weight[chosen] * multiple).sum())
        excess = float(self.share @ np.floor(counted / divisor + 1e-9)) - whole // divisor
        for _ in range(MOST_EXCHANGES):
            before = excess
            for place, m in enumerate(times):
                rest, left = counted - m * self.count[:, chosen[place]], whole - m * weight[chosen[place]]
                able = np.flatnonzero(self.together[chosen].sum(axis=0) > 0)
                able = able[~np.isin(able, chosen)]
                if len(able) == 0:
                    continue
                worth = self.share @ np.floor((rest[:, None] + m * self.count[:, able]) / divisor + 1e-9)
                worth = worth - (left + m * weight[able]) // divisor
                best = int(np.argmax(worth))
                if worth[best] > excess + 1e-6:
                    chosen[place], excess = int(able[best]), float(worth[best])
                    counted, whole = rest + m * self.count[:, able[best]], left + m * int(weight[able[best]])
            if excess <= before:
                break
        return excess


def chosen_of(found: dict[GroupCut, float], have: set[GroupCut], n_tuples: int) -> list[GroupCut]:
    """The cuts to add: those that are broken most, not too many around one tuple."""
    number = np.zeros(n_tuples, dtype=np.int64)
    chosen: list[GroupCut] = []
    for cut, _ in sorted(found.items(), key=lambda item: (-round(item[1], 9), item[0].tuples, item[0].times)):
        tuples = list(cut.tuples)
        if cut not in have and number[tuples].max() < OF_A_TUPLE and len(chosen) < AT_ONCE:
            number[tuples] += 1
            chosen.append(cut)
    return chosen

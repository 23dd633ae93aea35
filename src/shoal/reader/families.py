"""What is known of a group that shows a set: no smaller set would have held its rows.

Where the sets of a column are nested (a hierarchy), the rows of a group that shows a set lie in at least two of the sets next below
it. Where sets cross, groups show their own: of an interval both ends occur, of a listed set every member.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Longs = NDArray[np.int64]
ALONE: Longs = np.zeros(1, dtype=np.int64)
"""The parts of a set of one value."""


@dataclass(frozen=True, eq=False)
class Family:
    """The sets of a column and how they lie in each other."""

    kind: Literal["nested", "crossing"]
    parts: tuple[Longs, ...]
    """For each set and each of its values: the number of the part next below that holds it; or, where sets cross, 1 for a value
    that must occur and 0 for any other."""


def family(sets: Sequence[Longs], n_values: int, rank: Longs | None, blocks: Sequence[Longs] = ()) -> Family:
    """How sets lie in each other. ``rank`` is the order of the values on their line, ``blocks`` are sets of the hierarchy, shown or not."""
    everything = [*sets, *blocks]
    around = np.arange(n_values, dtype=np.int64)  # the largest set so far that holds each value; below n_values, the value alone
    size = np.ones(n_values + len(everything), dtype=np.int64)
    inner: dict[int, Longs] = {}
    parts: dict[int, Longs] = {}
    for i in sorted(range(len(everything)), key=lambda i: len(everything[i])):
        here = everything[i]
        if len(here) == 1:
            parts[i] = ALONE  # single values come before all larger sets, so nothing holds them yet
            continue
        held, count = np.unique(around[here], return_counts=True)
        if (count < size[held]).any():
            return Family("crossing", tuple(_needed(s, rank) for s in sets))
        if len(held) == 1:
            parts[i] = inner[int(held[0])]  # the same set under another name
            continue
        parts[i] = np.searchsorted(held, around[here])
        number = n_values + i
        inner[number] = parts[i]
        size[number] = len(here)
        around[here] = number
    return Family("nested", tuple(parts[i] for i in range(len(sets))))


def _needed(leaves: Longs, rank: Longs | None) -> Longs:
    """Which values of a set must occur: the ends of a run of neighbours, else all."""
    if rank is not None and len(leaves) > 2:
        at = rank[leaves]
        if at.max() - at.min() == len(leaves) - 1:
            return np.asarray((at == at.min()) | (at == at.max()), dtype=np.int64)
    return np.ones(len(leaves), dtype=np.int64)

"""Which rows of the original may have been released, where some were withheld.

A released row stands for one row of the original that it covers and that agrees with it in every other column. Rows are looked
at by these other columns together (a *key*). Where the original has no more rows of a key than the release, all of them were
released. Otherwise, all rows that some released row of the key covers may have been released. These are never too few. The bound is proved for
all of them without the most expensive surplus ones. So it holds for the released rows, whichever they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import NotAnonymous
from shoal.release.reading import is_suppressed

Longs = NDArray[np.int64]


class Ladder(Protocol):
    """A hierarchy: the block of each value on each level, and what blocks are called."""

    @property
    def blocks(self) -> tuple[Longs, ...]: ...
    @property
    def labels(self) -> Mapping[int, str | None]: ...
    @property
    def free(self) -> str | None: ...


def may_be_released(
    leaves: Sequence[Longs], ladders: Sequence[Ladder], shown: Sequence[pl.Series], keys: Longs, released_keys: Longs
) -> tuple[NDArray[np.bool_], dict[int, int]]:
    """Which rows may have been released, and for each key that has more of them than were, how many more.

    ``leaves`` are the values of the original's rows, ``shown`` the labels of the released ones, each column by column.
    """
    n_keys = int(max(keys.max(initial=0), released_keys.max(initial=0))) + 1
    there, asked = np.bincount(keys, minlength=n_keys), np.bincount(released_keys, minlength=n_keys)
    if (asked > there).any():
        raise NotAnonymous("The release is not made of rows of this original: other columns show what no row of it has so often.")
    which = (asked == there)[keys]
    open_keys = (asked < there) & (asked > 0)
    rows, released = np.flatnonzero(open_keys[keys]), np.flatnonzero(open_keys[released_keys])
    if len(rows):
        covered = _covered(
            [leaf[rows] for leaf in leaves], ladders, [s.gather(released) for s in shown], keys[rows], released_keys[released]
        )
        which[rows[covered]] = True
    able = np.bincount(keys[which], minlength=n_keys)
    if (able < asked).any():
        raise NotAnonymous("The release is not made of rows of this original: it has rows that cover none of them.")
    more = able - asked
    return which, {int(key): int(more[key]) for key in np.flatnonzero(more)}


def _covered(
    leaves: Sequence[Longs], ladders: Sequence[Ladder], shown: Sequence[pl.Series], keys: Longs, released_keys: Longs
) -> NDArray[np.bool_]:
    """Which rows some released row of the same key covers.

    Released rows are taken by the levels of their labels: rows lifted to these levels must be among them. Rows are compared by
    a sum of random numbers; two that agree by chance make the answer larger, which is the safe side.
    """
    random = np.random.default_rng(2026)
    n_keys = int(max(keys.max(initial=0), released_keys.max(initial=0))) + 1
    of_key = random.integers(0, 2**63, n_keys).astype(np.uint64)
    of_block = [random.integers(0, 2**63, _n_blocks(ladder)).astype(np.uint64) for ladder in ladders]
    levels = np.empty((len(released_keys), len(ladders)), dtype=np.int64)
    asked = of_key[released_keys]
    for j, ladder in enumerate(ladders):
        level, block = _places(ladder, shown[j])
        levels[:, j] = level
        asked = asked + of_block[j][block]
    vectors, of_vector, n_rows = np.unique(levels, axis=0, return_inverse=True, return_counts=True)
    of_vector = of_vector.reshape(-1)
    order = np.argsort(of_vector, kind="stable")
    ends = np.cumsum(n_rows)
    left = np.arange(len(keys))
    for v in np.argsort(-n_rows, kind="stable"):
        if len(left) == 0:
            break
        lifted = of_key[keys[left]]
        for j, ladder in enumerate(ladders):
            lifted = lifted + of_block[j][ladder.blocks[int(vectors[v, j])][leaves[j][left]]]
        left = left[~np.isin(lifted, asked[order[ends[v] - n_rows[v] : ends[v]]])]
    covered = np.ones(len(keys), dtype=np.bool_)
    covered[left] = False
    return covered


def _n_blocks(ladder: Ladder) -> int:
    return max(ladder.labels) + 1


def _places(ladder: Ladder, shown: pl.Series) -> tuple[Longs, Longs]:
    """For each released label the level and the block that it stands for; everything, for stars and for labels that are not known."""
    top = len(ladder.blocks) - 1
    everything = int(ladder.blocks[top][0])
    known: dict[str | None, tuple[int, int] | None] = {}
    levels = ladder.blocks[:1] if ladder.free else ladder.blocks  # a free column shows values, or sets that are not read here
    for level, blocks in enumerate(levels):  # a label of several levels stands for its highest
        here: dict[str | None, set[int]] = {}
        for block in np.unique(blocks).tolist():
            here.setdefault(ladder.labels[block], set()).add(block)
        known.update({label: (level, next(iter(found))) if len(found) == 1 else None for label, found in here.items()})
    labels = shown.unique(maintain_order=True).to_list()
    places = [
        (top, everything) if label is not None and is_suppressed(label) else known.get(label) or (top, everything) for label in labels
    ]
    number = {label: i for i, label in enumerate(labels)}
    index = np.fromiter((number[label] for label in shown.to_list()), dtype=np.int64, count=len(shown))
    found = np.array(places, dtype=np.int64).reshape(-1, 2)
    return found[index, 0], found[index, 1]

"""How the values of a column are spread over the cells that do not show them.

A cell that shows a set B has the value v with a share proportional to p(v) to the power of *lean*: with lean 1 what is hidden does
not depend on the value, with lean 0 all values of a set are as likely as each other, and between them the rarer values are hidden
more often. The shares p of the whole column are those that make the release likeliest under this rule: start evenly, spread every
cell, add up, repeat (EM). What a group that shows a set must contain (:mod:`shoal.reader.families`) is taken into account: m rows that
lie in at least two of the parts c of B are in part c with the share  q(c) (1 − q(c)^(m−1)) / (1 − Σ q(c')^m).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.reader.families import Family
from shoal.reader.sums import add_up

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]

ROUNDS = 60
STILL = 1e-6
SMALLEST = 1e-12
SURE: Floats = np.ones(1)
"""What is taken of a set of one value."""
MOST_PRIOR = 0.1
"""An upper limit of the prior: the counts that all values together are given in advance, as a share of the rows."""


@dataclass(frozen=True, eq=False)
class Kinds:
    """The different cells of a column: a set, and the size of the group that shows it."""

    start: Longs
    leaf: Longs
    """Kind i may be any of the values ``leaf[start[i]:start[i + 1]]``."""
    part: Longs
    """For each of them, the part of the set that it lies in (numbered over all kinds), or whether it must occur."""
    open: Floats
    """0 for a value that is possible and taken to be unlikely, else 1."""
    size: Floats
    """How many rows the group has."""
    n_rows: Floats
    """How many rows of the release are of this kind."""
    n_values: int
    is_nested: bool

    @property
    def of(self) -> Longs:
        """The kind of each entry."""
        return np.repeat(np.arange(len(self.size)), np.diff(self.start))


def kinds(
    sets: Sequence[Longs], nearest: Family, outside: NDArray[np.bool_], label: Longs, size: Floats, n_rows: Floats, n_values: int
) -> Kinds:
    """The kinds of cells from the set and the group size of each."""
    near = [_near(leaves, part, outside, nearest) for leaves, part in zip(sets, nearest.parts, strict=True)]
    length = np.array([len(s) for s in sets], dtype=np.int64)[label] if len(label) else np.zeros(0, dtype=np.int64)
    start = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
    leaf = np.concatenate([sets[i] for i in label]) if len(label) else np.zeros(0, dtype=np.int64)
    part = np.concatenate([nearest.parts[i] for i in label]) if len(label) else np.zeros(0, dtype=np.int64)
    if nearest.kind == "nested":
        n_parts = np.array([p.max() + 1 for p in nearest.parts], dtype=np.int64)[label] if len(label) else np.zeros(0, dtype=np.int64)
        part = part + np.repeat(np.cumsum(n_parts) - n_parts, length)
    likely = np.concatenate([near[i] for i in label]) if len(label) else np.zeros(0)
    return Kinds(start, leaf, part, likely, size, n_rows, n_values, nearest.kind == "nested")


def _near(leaves: Longs, part: Longs, outside: NDArray[np.bool_], nearest: Family) -> Floats:
    """A number beyond all shown numbers is unlikely, unless the set needs it. An interval from 0 to 20 does not need the value 3."""
    if len(leaves) == 1:
        return SURE
    inside = ~outside[leaves]
    needed = part[inside]
    can_do_without = nearest.kind == "nested" and bool((needed != needed[:1]).any())
    return inside.astype(np.float64) if can_do_without else np.ones(len(leaves))


def fit(cells: Kinds, lean: float, prior: float) -> Floats:
    """The share of each entry: how likely a cell of its kind has its value. The shares of a kind add up to 1."""
    of = cells.of
    n_rows = float(cells.n_rows.sum())
    alpha = min(prior, MOST_PRIOR * n_rows / max(cells.n_values, 1))
    p = np.full(cells.n_values, 1 / max(cells.n_values, 1))
    share = np.zeros(len(cells.leaf))
    for _ in range(ROUNDS):
        share = spread(cells, of, p, lean)
        total = add_up(cells.leaf, share * cells.n_rows[of], cells.n_values) + alpha
        total /= total.sum()
        moved = float(np.abs(total - p).max())
        p = total
        if moved < STILL:
            break
    return share


def spread(cells: Kinds, of: Longs, p: Floats, lean: float) -> Floats:
    """The share of each entry, given the shares of the column."""
    raw = np.maximum(p, SMALLEST)[cells.leaf] ** lean * cells.open
    share = raw / _sums(raw, cells)[of]
    if not len(share):
        return share
    if not cells.is_nested:
        return _with_needed(cells, of, share)
    q = add_up(cells.part, share, 0)
    first = np.zeros(len(q), dtype=np.int64)
    first[cells.part] = of
    m = cells.size[first]
    alone = 1 - add_up(first, q**m, len(cells.size))  # the chance not to lie in one part
    allowed = alone > 1e-9
    factor = np.where(allowed[first], (1 - q ** (m - 1)) / np.maximum(alone, 1e-9)[first], 1.0)
    share = share * factor[cells.part]
    return share / _sums(share, cells)[of]


def _with_needed(cells: Kinds, of: Longs, share: Floats) -> Floats:
    """Each value that must occur has one of the group's rows; the rest is spread."""
    needed = np.add.reduceat(cells.part, cells.start[:-1])
    enough = (needed <= cells.size) & (needed > 1)
    once = np.where(enough[of], cells.part, 0)
    left = np.where(enough, cells.size - needed, cells.size)
    return (once + left[of] * share) / cells.size[of]


def _sums(weight: Floats, cells: Kinds) -> Floats:
    return np.add.reduceat(weight, cells.start[:-1]) if len(weight) else np.zeros(len(cells.size))

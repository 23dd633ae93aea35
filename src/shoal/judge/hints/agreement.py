"""Whether one column's cells follow from another's: rows are sorted by the one, and rows beside each other compared in the other.

Rows are in random order at first and sorts are stable, so rows with equal keys stand beside each other by accident alone. Two such rows are a fair draw of two
rows with this key. What a key tells is measured against what the released label tells already: how often two rows with one label agree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.judge.hints.cells import DrawnColumn, Flags, Floats, HiddenColumn, Longs, Shorts
from shoal.text.chance import is_no_accident

NEARLY = 0.9
"""Pairs of rows that agree where each row does with a chance of 95 %."""
LEFT = 0.2
"""At most this share of what the label leaves open may be left open."""
NEAR = 0.35
"""A number is narrowed if rows beside each other are nearer than this share of what two rows with one label are."""
SOME = 0.35
"""A copy of so many cells, in others anything, is found too, if by chance few would agree (:data:`RARE`)."""
RARE = 0.25
TWINS = 0.1
"""Where fewer rows than this have a twin, that twins agree says nothing: they may be of one person."""
FEW = 60
"""With fewer hidden rows the whole column is looked at, and a few hidden rows are enough."""
SEVERAL = 8
"""A number with fewer different values has no range to be narrowed."""
TRIM = 0.1
"""Of differences the largest are left out: some cells may have been changed."""


@dataclass(frozen=True, eq=False)
class Ground:
    """Rows of one quasi-identifier, and what their labels tell of it."""

    hidden: HiddenColumn
    rows: Flags
    """The hidden ones; all where these are few."""
    label: Shorts
    """A number for each label; one for all where all rows are looked at."""
    pairs: tuple[Longs, Longs]
    """Rows with one label, beside each other."""
    told: float
    """How often two of them agree."""
    apart: float
    """How far two of them are from each other, in the mean."""

    @property
    def cells(self) -> DrawnColumn:
        return self.hidden.cells


def ground(hidden: HiddenColumn) -> Ground | None:
    """None if nothing is hidden, or nothing can be said of it."""
    if not hidden.is_hidden.any():
        return None
    is_few = int(hidden.is_hidden.sum()) < FEW or not _varies(hidden.cells, hidden)
    rows = hidden.cells.is_there if is_few else hidden.is_hidden
    label = np.zeros(len(rows), dtype=np.int16) if is_few else hidden.shown
    a, b = _pairs(label, rows)
    if not len(a):
        return None
    return Ground(hidden, rows, label, (a, b), agree(hidden.cells.place, a, b), gap(hidden.cells.number, a, b))


def _pairs(label: Shorts, rows: Flags) -> tuple[Longs, Longs]:
    """Rows with one label, beside each other."""
    a, b = beside(label, rows)
    alike = label[a] == label[b]
    return a[alike], b[alike]


def beside(key: Shorts, rows: Flags) -> tuple[Longs, Longs]:
    """Rows that stand beside each other when some rows are sorted by a key."""
    order = np.argsort(key, kind="stable")
    order = order[rows[order]]
    return order[:-1], order[1:]


def agree(place: Shorts | Longs, a: Longs, b: Longs) -> float:
    """How many of these pairs of rows have equal cells."""
    return float((place[a] == place[b]).mean()) if len(a) else 0.0


def gap(number: Floats, a: Longs, b: Longs) -> float:
    """The mean difference of these pairs, without the largest."""
    apart = np.abs(number[a] - number[b])
    apart = apart[np.isfinite(apart)]
    keep = int(len(apart) * (1 - TRIM))
    return float(np.partition(apart, keep)[:keep].mean()) if 0 < keep < len(apart) else 0.0


def is_told(n: int, seen: float, by_label: float) -> bool:
    """Whether so many pairs agree nearly always, and not because their label says it."""
    return seen >= NEARLY and 1 - seen <= LEFT * (1 - by_label) and is_no_accident(n, seen, by_label)


def is_copied(n: int, seen: float, by_chance: float) -> bool:
    """Whether so many rows show what they hide: nearly all, or some where chance gives few."""
    lift = (seen - by_chance) / max(1 - by_chance, 1e-12)
    return (lift >= 1 - LEFT or (lift >= SOME and by_chance <= RARE)) and is_no_accident(n, seen, by_chance)


def gives(x: DrawnColumn, at: Ground) -> bool:
    """Whether rows that agree on x, or are beside each other in its order, agree on what is hidden: by themselves, or together with the label."""
    rows, y = at.rows & x.is_there, at.cells.place
    if int(rows.sum()) < 2:
        return False
    a, b = beside(x.place, rows)
    alike = x.place[a] == x.place[b]
    if is_told(len(a), agree(y, a, b), at.told):
        return True
    if _has_twins(x, alike) and is_told(int(alike.sum()), agree(y, a[alike], b[alike]), at.told):
        return True
    order = np.append(a, b[-1:])
    order = order[np.argsort(at.label[order], kind="stable")]
    a, b = order[:-1], order[1:]
    alike = (x.place[a] == x.place[b]) & (at.label[a] == at.label[b])
    return _has_twins(x, alike) and is_told(int(alike.sum()), agree(y, a[alike], b[alike]), at.told)


def _has_twins(x: DrawnColumn, alike: Flags) -> bool:
    return x.repeats >= TWINS and int(alike.sum()) >= TWINS * len(alike) * min(x.repeats, 1.0)


def narrows(x: DrawnColumn, at: Ground) -> float | None:
    """The share of a hidden number's range that x leaves, if that is little."""
    if not (at.cells.is_numeric and x.is_numeric) or at.apart <= 0:
        return None
    a, b = beside(x.place, at.rows & x.is_there)
    if len(a) < FEW or len(np.unique(at.cells.place[a])) < SEVERAL:
        return None
    left = gap(at.cells.number, a, b) / at.apart
    return left if left <= NEAR else None


def follows(x: DrawnColumn, at: Ground) -> bool:
    """Whether x says a part of what is hidden: rows that agree on the hidden value, or are beside each other in its order, agree on x, and rows with one label do not."""
    rows = at.hidden.is_hidden & x.is_there & mixed(x, at.hidden)[at.hidden.shown]
    if not rows.any():
        return False
    is_few = int(rows.sum()) < 5 * FEW
    label, rows = (np.zeros_like(at.label), at.cells.is_there & x.is_there) if is_few else (at.hidden.shown, rows)
    by_label = agree(x.place, *_pairs(label, rows))
    a, b = beside(at.cells.place, rows)
    if at.cells.is_numeric and is_told(len(a), agree(x.place, a, b), by_label):
        return True
    alike = at.cells.place[a] == at.cells.place[b]
    return float(alike.mean()) >= TWINS and is_told(int(alike.sum()), agree(x.place, a[alike], b[alike]), by_label)


def mixed(x: DrawnColumn, hidden: HiddenColumn) -> Flags:
    """For each label, whether hidden rows that show it differ in x. The last entry is for cells that are missing."""
    found = np.zeros(int(hidden.shown.max(initial=-1)) + 2, dtype=bool)
    a, b = _pairs(hidden.shown, hidden.is_hidden & x.is_there)
    found[hidden.shown[a[x.place[a] != x.place[b]]]] = True
    return found


def _varies(x: DrawnColumn, hidden: HiddenColumn) -> bool:
    """Whether some hidden rows with one label differ in x."""
    return bool(mixed(x, hidden).any())

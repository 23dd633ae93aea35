"""How alike the rows of a group are: whether one of them has a value that is asked for tells something of the others.

Two things act. People who are put into one group resemble each other, so their hidden values agree more often than by chance (:data:`ALIKE`). And what the group shows was
needed (:mod:`shoal.reader.families`): its rows do not all lie in one part of the set, and of a set that crosses others each needed value occurs. In a group of two rows that shows
``{a, b}`` there is one of each, and nothing is uncertain about how many.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from shoal.reader.fit import Kinds
from shoal.reader.sums import add_up

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]

ALIKE = 0.35
"""How similar the hidden values of a group's rows are before it is known what they must contain: the correlation of two of them."""
EVEN = (1 - ALIKE) / ALIKE
"""The concentration of the Dirichlet distribution of a group's shares in which two rows are so similar."""
LEAST = 1e-9


def grouped(size: Floats) -> Floats:
    """How much the variance of a row counts where ``size`` rows of a group have the same cells: more than size, less than its square."""
    return size * (1 + (size - 1) * ALIKE)


def correlation(cells: Kinds, share: Floats, asked: Floats, place: Longs | None = None, kind: Longs | None = None) -> Floats:
    """The correlation of two rows of a group: does one have a value that is asked for, if the other has? Below 0 where they must differ.

    ``share`` and ``asked`` are by entry: how likely a cell has a value, and how much of the value is asked for. One question is asked of each kind, or several: ``place`` is the one that
    an entry is asked for, and ``kind`` the kind of each.
    """
    place = cells.of if place is None else place
    kind = np.arange(len(cells.size)) if kind is None else kind
    size, chance = cells.size[kind], np.clip(add_up(place, share * asked, len(kind)), 0.0, 1.0)
    alone = chance * (1 - chance)
    spread = (_in_parts if cells.is_nested else _of_needed)(cells, share, asked, place, kind, chance)
    m = np.maximum(size, 2.0)
    found = (spread / np.maximum(m * alone, LEAST) - 1) / (m - 1)
    return np.where((alone > LEAST) & (size > 1), np.clip(found, -1 / (m - 1), 1.0), ALIKE)


def _of_needed(cells: Kinds, share: Floats, asked: Floats, place: Longs, kind: Longs, chance: Floats) -> Floats:
    """The variance of a group's count where each needed value has one row, and the others are free."""
    size, needed = cells.size[kind], add_up(cells.of, cells.part.astype(np.float64), len(cells.size))[kind]
    enough = (needed <= size) & (needed > 1)
    met = np.where(enough, add_up(place, cells.part * asked, len(kind)), 0.0)
    free = np.where(enough, size - needed, size)
    of_free = np.clip((size * chance - met) / np.maximum(free, 1.0), 0.0, 1.0)
    return np.asarray(grouped(free) * of_free * (1 - of_free))


def _in_parts(cells: Kinds, share: Floats, asked: Floats, place: Longs, kind: Longs, chance: Floats) -> Floats:
    """The variance of a group's count where its rows are not all in one part of the set: the shares of a group are of a Dirichlet distribution, from which those cases are taken away."""
    m, (part_of, part, at) = cells.size[kind], _pieces(cells.part, place)
    q = np.maximum(add_up(cells.part, share, 0), LEAST)
    of = np.zeros(len(q), dtype=np.int64)
    of[cells.part] = cells.of
    n = cells.size[of]
    one = np.exp(gammaln(EVEN * q + n) - gammaln(EVEN * q) - gammaln(EVEN + n) + gammaln(EVEN))
    left = 1 - add_up(of, one, len(cells.size))[kind]
    inside = np.clip(add_up(part_of, share * asked, len(part)) / q[part], 0.0, 1.0)
    one, n, q = one[part], n[part], q[part]
    square = n * inside * (1 - inside) * (1 + (n - 1) / (1 + EVEN * q)) + (n * inside) ** 2
    mean = m * chance - add_up(at, one * n * inside, len(m))
    second = grouped(m) * chance * (1 - chance) + (m * chance) ** 2 - add_up(at, one * square, len(m))
    several = left > LEAST
    left = np.where(several, left, 1.0)
    spread = np.maximum(second / left - (mean / left) ** 2, 0.0)
    return np.where(several, spread, grouped(m) * chance * (1 - chance))


def _pieces(part: Longs, place: Longs) -> tuple[Longs, Longs, Longs]:
    """What lies in one part of a set and is asked for by one question: which of these each entry is in, and the part and the question of each."""
    n_places = int(place.max(initial=0)) + 1
    found, of = np.unique(part * n_places + place, return_inverse=True)
    return of, *np.divmod(found, n_places)

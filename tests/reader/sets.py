"""Cells that show sets of four values."""

from __future__ import annotations

import numpy as np

from shoal.reader.families import family
from shoal.reader.fit import kinds

SETS = [np.array([0]), np.array([1]), np.array([0, 1]), np.array([0, 1, 2, 3])]
"""A hierarchy over four values: two of them alone, a pair, and everything."""


def cells_of(sets, label, size, n_rows, n_values=4, outside=None):
    found = family(sets, n_values, None)
    mask = np.zeros(n_values, dtype=bool) if outside is None else outside
    return kinds(sets, found, mask, np.array(label), np.array(size, dtype=float), np.array(n_rows, dtype=float), n_values)

"""A-posteriori entropy: the bits that are missing from a column's cells for somebody who has the original column, in no
order, beside the release.

Formula.     Σ H(X_i) over the cells i, X_i drawn as all orders of the original column are that agree with the released
             labels, each as likely as another.
Method.      The paper gives examples and doubts that it can be computed. For one column whose labels are nested or
             apart it can: labels are filled from the smallest up, each from the values below it that are left. How many
             ways there are for the labels above depends on how many are left and not on which, as these labels hold
             them all. So the cells of a label draw from what is left alike; on average each value below keeps the same
             share, and a cell's chance of a value is the value's expected rest over the rest of all.
Note.        Columns are taken one by one. It is an owner's figure: it depends on the original column, and is in nothing
             that is published.
Reference.   Gionis and Tassa 2009, section 4.2.1, examples 4.4 and 4.5.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shoal.measures.base import Counts

NAME = "a-posteriori-entropy"
TITLE = (
    "bits that cells lack for somebody who has the original's columns in no order; exact where labels are nested or "
    "apart"
)
FORMULA = "sum of H(X) over the cells, X drawn as all orders of the column that agree with the labels"
REFERENCE = "Gionis and Tassa 2009, section 4.2.1"
Places = NDArray[np.int64]


def bits_left(labels: Sequence[tuple[Places, int]], count: Counts) -> float | None:
    """The sum over all cells, from the values that each label holds (sorted places) and its number of cells, and how
    often each value occurs.

    None where labels cross each other, or no order of the column agrees with them. Values that no cell takes were
    withheld.

    >>> bits_left([(np.array([0, 1, 2]), 2), (np.array([2]), 2)], np.array([1, 1, 2]))
    2.0
    """
    merged: dict[bytes, tuple[Places, int]] = {}
    for places, cells in labels:
        key = np.asarray(places, dtype=np.int64).tobytes()
        merged[key] = (places, cells + (merged[key][1] if key in merged else 0))
    around = np.full(len(count), -1)  # the last label that held each value
    rest, total = count.astype(np.float64), 0.0
    # the same sum to the bit, however they came
    ordered = [merged[key] for key in sorted(merged, key=lambda key: (len(key), key))]
    for number, (places, cells) in enumerate(ordered):
        inside = np.unique(around[places])
        if any(not np.isin(ordered[i][0], places).all() for i in inside.tolist() if i >= 0):
            return None
        around[places] = number
        left = float(rest[places].sum())
        if cells > left + 1e-6:
            return None
        if cells:
            chance = rest[places][rest[places] > 0] / left
            total -= cells * float((chance * np.log2(chance)).sum())
            rest[places] *= max(1 - cells / left, 0.0)
    return abs(total)

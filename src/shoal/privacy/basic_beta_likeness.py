"""Basic β-likeness: in no group is a sensitive value much more frequent than in the whole table.

Formula.     (q − p) / p ≤ β for every value, q being its share in the group and p in the whole table. A missing cell is
             a value of its own. Closed under merging: q in two groups together lies between their shares.
Reference.   Cao and Karras, Publishing microdata with a robust privacy guarantee, PVLDB 5(11), 2012, definition 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.privacy.base import TOLERANCE, Criterion, Floats, Histogram, Parameter, Parameters, Primitive


def reached(counts: Histogram, parameters: Parameters) -> Floats:
    most = np.zeros(counts.n_groups)
    np.maximum.at(most, counts.group, counts.lift() - 1.0)
    return most


def is_met(gain: Floats, parameters: Parameters) -> NDArray[np.bool_]:
    return gain <= parameters["beta"] * (1 + TOLERANCE) + TOLERANCE


BASIC_BETA_LIKENESS = Criterion(
    name="basic-beta-likeness",
    title="No sensitive value is more frequent in a group than in the whole table by more than β times",
    reference="Cao and Karras 2012, definition 1",
    parameters=(Parameter("beta", "gain of a value's share over the whole table's, at most", is_above=True),),
    primitive=lambda asked, share: Primitive("capped", takes_missing=True, cap=share * (1 + asked["beta"])),
    reached=reached,
    is_met=is_met,
    worst=lambda gain: float(gain.max(initial=0.0)),
    compares_with_whole=True,
)

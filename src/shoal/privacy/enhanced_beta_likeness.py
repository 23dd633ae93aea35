"""Enhanced β-likeness: as the basic one, and frequent values may gain even less.

Formula.     (q − p) / p ≤ min(β, −ln p) for every value, q being its share in the group and p in the whole table. A
             missing cell is a value of its own. Closed under merging: q in two groups together lies between their
             shares.
Reached.     The greatest gain; infinite where one is above −ln p, as no β allows that.
Reference.   Cao and Karras, Publishing microdata with a robust privacy guarantee, PVLDB 5(11), 2012, definition 3.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.privacy.base import TOLERANCE, Criterion, Floats, Histogram, Parameter, Parameters, Primitive


def reached(counts: Histogram, parameters: Parameters) -> Floats:
    gain = counts.lift() - 1.0
    share = counts.whole[counts.value] / max(int(counts.whole.sum()), 1)
    most = np.zeros(counts.n_groups)
    np.maximum.at(most, counts.group, np.where(gain <= -np.log(share) + TOLERANCE, gain, np.inf))
    return most


def is_met(gain: Floats, parameters: Parameters) -> NDArray[np.bool_]:
    return gain <= parameters["beta"] * (1 + TOLERANCE) + TOLERANCE


def caps(asked: Parameters, share: Floats) -> Primitive:
    return Primitive(
        "capped",
        takes_missing=True,
        cap=share * (1 + np.minimum(asked["beta"], -np.log(np.maximum(share, np.finfo(float).tiny)))),
    )


ENHANCED_BETA_LIKENESS = Criterion(
    name="enhanced-beta-likeness",
    title="As basic β-likeness, and a value of share p in the whole table gains at most −ln p",
    reference="Cao and Karras 2012, definition 3",
    parameters=(Parameter("beta", "gain of a value's share over the whole table's, at most", is_above=True),),
    primitive=caps,
    reached=reached,
    is_met=is_met,
    worst=lambda gain: float(gain.max(initial=0.0)),
    compares_with_whole=True,
)

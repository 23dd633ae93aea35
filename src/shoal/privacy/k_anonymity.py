"""k-anonymity: every row is one of at least k that look alike.

Reference.   Samarati and Sweeney 1998; Sweeney, k-anonymity: a model for protecting privacy, 2002.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.privacy.base import Criterion, Floats, Histogram, Parameter, Parameters


def reached(counts: Histogram, parameters: Parameters) -> Floats:
    return counts.sizes().astype(np.float64)


def is_met(size: Floats, parameters: Parameters) -> NDArray[np.bool_]:
    return size >= parameters["k"]


K_ANONYMITY = Criterion(
    name="k-anonymity",
    title="At least k rows look alike",
    reference="Samarati and Sweeney 1998",
    parameters=(Parameter("k", "rows that look alike, at least", least=2, is_whole=True),),
    about_rows=True,
    option="-k K",
    reached=reached,
    is_met=is_met,
    worst=lambda sizes: float(sizes.min(initial=np.inf)),
)

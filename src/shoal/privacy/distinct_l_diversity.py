"""Distinct l-diversity: at least l different sensitive values in every group. A missing cell is none of them.

Reference.   Machanavajjhala et al., l-diversity, ICDE 2006; paper 000, section 7.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.privacy.base import Criterion, Floats, Histogram, Parameters


def reached(counts: Histogram, parameters: Parameters) -> Floats:
    there = counts.group if counts.missing is None else counts.group[counts.value != counts.missing]
    return np.bincount(there, minlength=counts.n_groups).astype(np.float64)


def is_met(distinct: Floats, parameters: Parameters) -> NDArray[np.bool_]:
    return distinct >= parameters["l"]


def check(parameters: Parameters) -> str | None:
    l = parameters["l"]
    return None if l >= 1 and l == int(l) else "l must be a whole number of at least 1"


DISTINCT_L_DIVERSITY = Criterion(
    name="distinct-l-diversity",
    title="At least l different sensitive values in every group",
    reference="Machanavajjhala et al. 2006",
    parameters=("l",),
    reached=reached,
    is_met=is_met,
    worst=lambda distinct: float(distinct.min(initial=np.inf)),
    check=check,
)

"""Distinct l-diversity: at least l different sensitive values in every group. A missing cell does not count as one.

Reference.   Machanavajjhala et al., l-diversity, ICDE 2006; Aggarwal et al. 2005, section 7.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.privacy.base import Criterion, Floats, Histogram, Parameter, Parameters, Primitive


def reached(counts: Histogram, parameters: Parameters) -> Floats:
    return counts.n_different().astype(np.float64)


def is_met(distinct: Floats, parameters: Parameters) -> NDArray[np.bool_]:
    return distinct >= parameters["l"]


DISTINCT_L_DIVERSITY = Criterion(
    name="distinct-l-diversity",
    title="At least l different sensitive values in every group",
    reference="Machanavajjhala et al. 2006",
    parameters=(Parameter("l", "different values, at least", least=1, is_whole=True),),
    shorthand="l_diversity",
    kind="distinct",
    different="l",
    primitive=lambda asked, share: Primitive("distinct", l=asked["l"]),
    reported=("different values in a group (distinct l-diversity)", ".0f"),
    reached=reached,
    is_met=is_met,
    worst=lambda distinct: float(distinct.min(initial=np.inf)),
)

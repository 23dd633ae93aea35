"""Entropy l-diversity: the sensitive values of every group are as uncertain as l equally likely ones.

Formula.     2^H(values of the group) ≥ l. Closed under merging because entropy is concave.
             A missing cell counts as the group's commonest value.
Reference.   Machanavajjhala et al., l-diversity, ICDE 2006, definition 4.1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.privacy.base import TOLERANCE, Criterion, Floats, Histogram, Parameter, Parameters, Primitive


def reached(counts: Histogram, parameters: Parameters) -> Floats:
    counts = counts.most_likely()
    size = np.maximum(counts.per_group(counts.count), 1.0)
    spent = counts.per_group(counts.count * np.log2(counts.count))
    return np.exp2(np.maximum(np.log2(size) - spent / size, 0.0))


def is_met(effective: Floats, parameters: Parameters) -> NDArray[np.bool_]:
    return effective >= parameters["l"] * (1 - TOLERANCE)


ENTROPY_L_DIVERSITY = Criterion(
    name="entropy-l-diversity",
    title="The sensitive values of every group are as uncertain as l equally likely ones",
    reference="Machanavajjhala et al. 2006",
    parameters=(Parameter("l", "equally likely values that it is as uncertain as, at least", least=1),),
    shorthand="l_diversity",
    kind="entropy",
    primitive=lambda asked, share: Primitive("entropy", l=asked["l"]),
    reported=("as uncertain as so many equally likely ones (entropy l-diversity)", ".2f"),
    reached=reached,
    is_met=is_met,
    worst=lambda effective: float(effective.min(initial=np.inf)),
)

"""Recursive (c, l)-diversity: in every group the commonest sensitive value is not too common.

Formula.     r_1 < c · (r_l + … + r_m), the counts of the group's values in falling order.
             A missing cell counts as the group's commonest value.
Reached.     r_1 / (r_l + … + r_m), to be less than c; infinite where the group has fewer than l values.
Reference.   Machanavajjhala et al., l-diversity, ICDE 2006, definition 4.2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.privacy.base import Criterion, Floats, Histogram, Parameter, Parameters, Primitive


def reached(counts: Histogram, parameters: Parameters) -> Floats:
    counts = counts.most_likely()
    order = np.lexsort((-counts.count, counts.group))
    group, count = counts.group[order], counts.count[order]
    first = np.searchsorted(group, np.arange(counts.n_groups))
    rank = np.arange(len(group)) - first[group]
    tail = np.bincount(group, weights=np.where(rank >= int(parameters["l"]) - 1, count, 0), minlength=counts.n_groups)
    most = np.bincount(group, weights=np.where(rank == 0, count, 0), minlength=counts.n_groups)
    ratio = np.full(counts.n_groups, np.inf)
    np.divide(most, tail, out=ratio, where=tail > 0)
    return ratio


def is_met(ratio: Floats, parameters: Parameters) -> NDArray[np.bool_]:
    return ratio < parameters["c"]


RECURSIVE_L_DIVERSITY = Criterion(
    name="recursive-l-diversity",
    title=(
        "In every group the commonest sensitive value is less than c times the l-th commonest and rarer ones together"
    ),
    reference="Machanavajjhala et al. 2006",
    parameters=(
        Parameter("c", "times that the commonest may outnumber the rare ones", is_above=True),
        Parameter("l", "where the rare ones begin", least=1, is_whole=True),
    ),
    shorthand="l_diversity",
    kind="recursive",
    primitive=lambda asked, share: Primitive("recursive", l=asked["l"], c=asked["c"]),
    reached=reached,
    is_met=is_met,
    worst=lambda ratio: float(ratio.max(initial=0.0)),
)

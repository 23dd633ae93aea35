"""(α, k)-anonymity: in every group no sensitive value has more than the share α.

Formula.     The commonest value's count over the group's size ≤ α. The k is asked for by its own setting. A missing
             cell counts as the group's commonest value. Closed under merging: a share in two groups together lies
             between their shares.
Reference.   Wong, Li, Fu and Wang, (α, k)-anonymity: an enhanced k-anonymity model for privacy preserving data
             publishing, KDD 2006, definition 3, asked of every value of the column (the paper's general model).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.privacy.base import TOLERANCE, Criterion, Floats, Histogram, Parameter, Parameters, Primitive


def reached(counts: Histogram, parameters: Parameters) -> Floats:
    filled = counts.most_likely()
    most = np.zeros(counts.n_groups)
    np.maximum.at(most, filled.group, filled.count.astype(np.float64))
    return most / np.maximum(filled.sizes(), 1)


def is_met(share: Floats, parameters: Parameters) -> NDArray[np.bool_]:
    return share <= parameters["alpha"] + TOLERANCE


ALPHA_K_ANONYMITY = Criterion(
    name="alpha-k-anonymity",
    title="No sensitive value has more than the share α of a group",
    reference="Wong, Li, Fu and Wang 2006",
    parameters=(Parameter("alpha", "share of the commonest value, at most", most=1, is_above=True),),
    primitive=lambda asked, share: Primitive("capped", cap=np.full(len(share), asked["alpha"])),
    reached=reached,
    is_met=is_met,
    worst=lambda share: float(share.max(initial=0.0)),
)

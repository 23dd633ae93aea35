"""Stars: the number of cells that do not show their own value.

Formula.     1 for a cell shown as more than one value, else 0. Under suppression alone: the number of ``*``.
Reference.   Meyerson and Williams, On the complexity of optimal k-anonymity, PODS 2004; Aggarwal et al., Approximation
             algorithms for k-anonymity, 2005, section 2.
"""

from __future__ import annotations

import numpy as np

from shoal.hierarchies.tree import Tree
from shoal.measures.base import Counts, Floats, Measure, SetForm, Sets


def price(tree: Tree, count: Counts) -> Floats:
    return (tree.n_below > 1).astype(np.float64)


def set_price(tree: Tree, count: Counts, sets: Sets) -> Floats:
    return (np.diff(sets.start) > 1).astype(np.float64)


STARS = Measure(
    name="stars",
    title="Cells that do not show their own value",
    formula="1 if the cell stands for more than one value, else 0",
    reference="Meyerson and Williams 2004; Aggarwal et al. 2005, section 2",
    price=price,
    set_price=set_price,
    set_form=SetForm("several"),
    reads="label",
)

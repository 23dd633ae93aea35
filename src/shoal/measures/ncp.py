"""NCP, the normalized certainty penalty: the part of the domain that a cell stands for.

Formula.     For a column of numbers under intervals, the interval's width over the domain's; for categories, the values
             covered over all values, and 0 for a cell that shows its own value. Columns may have weights.
Note.        For numbers this is LM. For categories it is not: LM takes one off both numbers, so that two of four values
             cost 1/3 by LM and 1/2 by NCP. Both are 1 for a suppressed cell. A set that is not a node of a hierarchy
             counts its own values.
Reference.   Xu, Wang, Pei, Wang, Shi and Fu, Utility-based anonymization using local recoding, KDD 2006, section 2.2.
"""

from __future__ import annotations

import numpy as np

from shoal.hierarchies.tree import Tree
from shoal.measures.base import Counts, Floats, Measure, SetForm, Sets


def price(tree: Tree, count: Counts) -> Floats:
    by_count = np.where(tree.n_below > 1, tree.n_below / tree.n_leaves, 0.0)
    if tree.bounds is None:
        return by_count
    return by_width(tree.bounds[:, 1] - tree.bounds[:, 0], tree, by_count)


def set_price(tree: Tree, count: Counts, sets: Sets) -> Floats:
    n = np.diff(sets.start)
    by_count = np.where(n > 1, n / tree.n_leaves, 0.0)
    if tree.bounds is None or len(sets) == 0:
        return by_count
    low = np.minimum.reduceat(tree.bounds[sets.leaves, 0], sets.start[:-1])
    high = np.maximum.reduceat(tree.bounds[sets.leaves, 1], sets.start[:-1])
    return by_width(high - low, tree, by_count)


def by_width(width: Floats, tree: Tree, otherwise: Floats) -> Floats:
    """The share of the domain's width; where a set has none, as one with a missing cell in it, by its values.

    Of a single number nothing can be lost.
    """
    assert tree.bounds is not None
    whole = tree.bounds[tree.root, 1] - tree.bounds[tree.root, 0]
    if not whole > 0:
        return np.zeros(len(width))
    return np.where(np.isnan(width), otherwise, width / whole)


NCP = Measure(
    name="ncp",
    title="Normalized certainty penalty",
    formula="values covered / values, 0 for one; for numbers, width / width of the domain",
    reference="Xu et al. 2006",
    price=price,
    set_price=set_price,
    set_form=SetForm(None, is_width=True),
)

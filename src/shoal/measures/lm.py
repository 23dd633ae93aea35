"""LM: the share of the domain that a cell might be.

Formula.     (values covered − 1) / (values − 1); for a column of numbers under intervals, the interval's width over the
             domain's.
Reference.   Iyengar, Transforming data to satisfy privacy constraints, KDD 2002.
"""

from __future__ import annotations

import numpy as np

from shoal.hierarchies.tree import Tree
from shoal.measures.base import Counts, Floats, Measure, SetForm, Sets


def price(tree: Tree, count: Counts) -> Floats:
    if tree.bounds is None:
        return (tree.n_below - 1) / max(tree.n_leaves - 1, 1)
    width = tree.bounds[:, 1] - tree.bounds[:, 0]
    whole = width[tree.root]
    by_width = width / whole if whole > 0 else np.zeros(tree.n_nodes)
    by_count = (tree.n_below - 1) / max(tree.n_leaves - 1, 1)
    return np.where(np.isnan(by_width), by_count, by_width)


def set_price(tree: Tree, count: Counts, sets: Sets) -> Floats:
    by_count = (np.diff(sets.start) - 1) / max(tree.n_leaves - 1, 1)
    if tree.bounds is None or len(sets) == 0:
        return by_count
    whole = tree.bounds[tree.root, 1] - tree.bounds[tree.root, 0]
    low = np.minimum.reduceat(tree.bounds[sets.leaves, 0], sets.start[:-1])
    high = np.maximum.reduceat(tree.bounds[sets.leaves, 1], sets.start[:-1])
    by_width = (high - low) / whole if whole > 0 else np.zeros(len(sets))
    return np.where(np.isnan(by_width), by_count, by_width)


LM = Measure(
    name="lm",
    title="Share of the domain",
    formula="(values covered − 1) / (values − 1); for numbers, width / width of the domain",
    reference="Iyengar 2002",
    price=price,
    set_price=set_price,
    set_form=SetForm("leaves", lambda weight, tree, count: weight / max(tree.n_leaves - 1, 1), is_width=True),
)

"""Root share: how much wider a cell has become, on the scale of square roots, as a part of what suppressing its column
would cost.

Formula.     (√Pr(X in B) − √Pr(X = a)) / (1 − Σ Pr(X = v)^(3/2)) for a cell with value a shown as B, X drawn from the
             column of the table.
Note.        A column that is suppressed whole costs 1 a cell on average, whatever its values are. Monotone. Rows of one
             group pay differently, so the multiplicative guarantees of the papers do not carry over. A column of one
             value costs nothing. With the power α in place of 1/2 and 1 + α in place of 3/2 this is a family: α → 0 is
             information share (Shannon's entropy, order 1), α = 1 has the Gini impurity as its sum (order 2). Root
             share lies in the middle. Logarithms charge as much for the step from one value to two as from half of the
             domain to all of it; shares charge almost nothing for the first step. Counts vary by their square root, so
             that is the scale on which an analyst's errors are alike. It was chosen by what analysts can still do
             (docs/decisions.md).
Reference.   This project. Tsallis, Possible generalization of Boltzmann-Gibbs statistics, J. Stat. Physics 52, 1988,
             for entropies of an order.
"""

from __future__ import annotations

import numpy as np

from shoal.hierarchies.tree import Tree
from shoal.measures.base import Counts, Floats, Measure, SetForm, Sets
from shoal.measures.entropy import weight_of_sets

LEAN = 0.85
"""Measured on real tables: minimising it hides rare values a little more often than frequent ones."""


def per_root(count: Counts) -> float:
    """What the square root of one row costs: n / (n√n − Σ c√c); 0 for a column of one value."""
    if np.count_nonzero(count) <= 1:
        return 0.0
    n = float(count.sum())
    return n / float(n**1.5 - (count.astype(np.float64) ** 1.5).sum())


def price(tree: Tree, count: Counts) -> Floats:
    return per_root(count) * np.sqrt(tree.sum_up(count))


def set_price(tree: Tree, count: Counts, sets: Sets) -> Floats:
    return per_root(count) * np.sqrt(weight_of_sets(count, sets))


def offset(tree: Tree, count: Counts) -> Floats:
    return per_root(count) * np.sqrt(count)


ROOT_SHARE = Measure(
    name="root-share",
    title="Share of the column on the scale of square roots",
    formula="(√Pr(X in B) − √Pr(X = a)) / (1 − Σ Pr(X = v)^(3/2))",
    reference="this project; Tsallis 1988 for the order 3/2",
    price=price,
    set_price=set_price,
    offset=offset,
    set_form=SetForm("root-rows", lambda weight, tree, count: weight * per_root(count)),
    lean=LEAN,
)

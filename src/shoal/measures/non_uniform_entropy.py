"""Non-uniform entropy: the bits that are missing from a cell, given its own value's frequency.

Formula.     −log2 Pr(X = a | X in B) for a cell with value a shown as B: log2 of B's count less log2 of a's.
Note.        Rows of one group pay differently, so the multiplicative guarantees of the papers do not carry over.
Reference.   Gionis and Tassa 2009, definition 4.11; De Waal and Willenborg 1999.
"""

from __future__ import annotations

import numpy as np

from shoal.hierarchies.tree import Tree
from shoal.measures.base import Counts, Floats, Measure, SetForm, Sets
from shoal.measures.entropy import weight_of_sets

LEAN = 0.9
"""Measured on real tables: minimising it hides rare values hardly more often than frequent ones."""


def price(tree: Tree, count: Counts) -> Floats:
    return np.log2(np.maximum(tree.sum_up(count), 1))


def set_price(tree: Tree, count: Counts, sets: Sets) -> Floats:
    return np.log2(np.maximum(weight_of_sets(count, sets), 1))


def offset(tree: Tree, count: Counts) -> Floats:
    return np.log2(np.maximum(count, 1))


NON_UNIFORM_ENTROPY = Measure(
    name="non-uniform-entropy",
    title="Non-uniform entropy",
    formula="−log2 Pr(X = a | X in B), in bits",
    reference="Gionis and Tassa 2009, section 4.4",
    price=price,
    set_price=set_price,
    offset=offset,
    set_form=SetForm("log-rows"),
    lean=LEAN,
)

"""Monotone entropy: entropy times the probability of the set.

Formula.     Pr(X in B) · H(X | X in B), in bits. Never more than entropy; equal to it under suppression alone.
Reference.   Gionis and Tassa 2009, definition 4.8 and lemma 4.10.
"""

from __future__ import annotations

from shoal.hierarchies.tree import Tree
from shoal.measures import entropy
from shoal.measures.base import Counts, Floats, Measure, SetForm, Sets


def price(tree: Tree, count: Counts) -> Floats:
    return tree.sum_up(count) / max(int(count.sum()), 1) * entropy.price(tree, count)


def set_price(tree: Tree, count: Counts, sets: Sets) -> Floats:
    return entropy.weight_of_sets(count, sets) / max(int(count.sum()), 1) * entropy.set_price(tree, count, sets)


def scale(weight: float, tree: Tree, count: Counts) -> float:
    """The search's form counts rows instead of a probability, so divide by the number of rows."""
    return weight / max(float(count.sum()), 1.0)


MONOTONE_ENTROPY = Measure(
    name="monotone-entropy",
    title="Monotone entropy",
    formula="Pr(X in B) · H(X | X in B), in bits",
    reference="Gionis and Tassa 2009, section 4.3",
    price=price,
    set_price=set_price,
    set_form=SetForm("rows-bits", scale),
)

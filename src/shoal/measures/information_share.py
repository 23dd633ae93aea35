"""Information share: the part of its column's information that a cell has lost.

Formula.     −log2 Pr(X = a | X in B) / H(X) for a cell with value a shown as B, X drawn from the column of the table.
Note.        Non-uniform entropy with every column over its own entropy: a column that is suppressed whole costs 1 a
             cell, whatever its values are. Monotone. Rows of one group pay differently, so the multiplicative
             guarantees of the papers do not carry over. A column of one value costs nothing.
Reference.   Gionis and Tassa 2009, definition 4.11, normalised.
"""

from __future__ import annotations

from shoal.hierarchies.tree import Tree
from shoal.measures import non_uniform_entropy
from shoal.measures.base import Counts, Floats, Measure, SetForm, Sets
from shoal.measures.entropy import column_bits


def per_bit(count: Counts) -> float:
    """One over the column's entropy; 0 for a column of one value."""
    bits = column_bits(count)
    return 1 / bits if bits > 0 else 0.0


def price(tree: Tree, count: Counts) -> Floats:
    return per_bit(count) * non_uniform_entropy.price(tree, count)


def set_price(tree: Tree, count: Counts, sets: Sets) -> Floats:
    return per_bit(count) * non_uniform_entropy.set_price(tree, count, sets)


def offset(tree: Tree, count: Counts) -> Floats:
    return per_bit(count) * non_uniform_entropy.offset(tree, count)


INFORMATION_SHARE = Measure(
    name="information-share",
    title="Share of the column's information",
    formula="−log2 Pr(X = a | X in B) / H(X)",
    reference="Gionis and Tassa 2009, section 4.4, each column over its entropy",
    price=price,
    set_price=set_price,
    offset=offset,
    set_form=SetForm("log-rows", lambda weight, tree, count: weight * per_bit(count)),
    lean=non_uniform_entropy.LEAN,
)

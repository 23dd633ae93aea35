"""Information share: the part of its column's information that a cell has lost.

Formula.     −log2 Pr(X = a | X in B) / H(X) for a cell with value a shown as B, X drawn from the column of the table.
Note.        Non-uniform entropy with every column over its own entropy: a column that is suppressed whole costs 1 a cell, whatever its
             values are. Monotone. Rows of one group pay differently, so the multiplicative guarantees of the papers do not carry over.
             A column of one value costs nothing.
Reference.   Gionis and Tassa 2009, definition 4.11, normalised.
"""

from __future__ import annotations

from fractions import Fraction

from shoal.hierarchies.tree import Tree
from shoal.measures import non_uniform_entropy
from shoal.measures.base import Counts, Floats, Measure, SetForm, Sets
from shoal.measures.entropy import column_bits, recount_whole
from shoal.measures.exact import Bits, Known, log_above, log_below
from shoal.measures.recount import LabelSet, Recounted


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


def floor(node: Known) -> Fraction:
    return log_below(node.held) / node.bits.above if node.bits.below > 0 else Fraction(0)


def offset_ceiling(n: int, bits: Bits) -> Fraction:
    return log_above(n) / bits.below if bits.below > 0 else Fraction(0)


def recount(shown: LabelSet, column: Recounted) -> float:
    return recount_per_bit(column) * non_uniform_entropy.recount(shown, column)


def recount_offset(count: Counts, column: Recounted) -> Floats:
    return recount_per_bit(column) * non_uniform_entropy.recount_offset(count, column)


def recount_per_bit(column: Recounted) -> float:
    bits = recount_whole(column)
    return 1 / bits if bits > 0 else 0.0


INFORMATION_SHARE = Measure(
    name="information-share",
    title="Share of the column's information",
    formula="−log2 Pr(X = a | X in B) / H(X)",
    reference="Gionis and Tassa 2009, section 4.4, each column over its entropy",
    price=price,
    set_price=set_price,
    recount=recount,
    offset=offset,
    recount_offset=recount_offset,
    set_form=SetForm("log-rows", lambda weight, tree, count: weight * per_bit(count)),
    lean=non_uniform_entropy.LEAN,
    floor=floor,
    offset_ceiling=offset_ceiling,
)

"""Entropy: the bits that are missing from a cell, if only its column's distribution is known.

Formula.     H(X | X in B) for a cell shown as the set B, X drawn from the column of the table. Base 2.
Note.        Not monotone: on counts 1, 1, 7 the pair of rare values costs 1 bit and the whole domain 0.986.
Reference.   Gionis and Tassa, k-anonymization with minimal loss of information, 2009, definition 4.1.
"""

from __future__ import annotations

import numpy as np

from shoal.hierarchies.tree import Tree
from shoal.measures.base import Counts, Floats, Leaves, Measure, SetForm, Sets


def information(count: Counts) -> Floats:
    """count · log2(count), 0 for 0."""
    positive = np.maximum(count, 1)
    return positive * np.log2(positive)


def conditional_entropy(weight: Counts, spent: Floats) -> Floats:
    """H of a set from its total count and the sum of count · log2(count) over its values."""
    positive = np.maximum(weight, 1)
    return np.maximum(np.log2(positive) - spent / positive, 0.0)


def column_bits(count: Counts) -> float:
    """The entropy of a whole column; 0 where it has one value."""
    if np.count_nonzero(count) <= 1:
        return 0.0
    return float(conditional_entropy(count.sum(), information(count).sum()))


def price(tree: Tree, count: Counts) -> Floats:
    spent = np.zeros(tree.n_nodes)
    spent[: tree.n_leaves] = information(count)
    for level in tree.levels:
        here = np.flatnonzero(tree.level[:-1] == level)
        np.add.at(spent, tree.parent[here], spent[here])
    bits = conditional_entropy(tree.sum_up(count), spent)
    bits[: tree.n_leaves] = 0.0
    return bits


def weight_of_sets(count: Counts, sets: Sets) -> Counts:
    return np.add.reduceat(count[sets.leaves], sets.start[:-1]) if len(sets) else np.zeros(0, dtype=np.int64)


def set_price(tree: Tree, count: Counts, sets: Sets) -> Floats:
    if len(sets) == 0:
        return np.zeros(0)
    spent = np.add.reduceat(information(count)[sets.leaves], sets.start[:-1])
    bits = conditional_entropy(weight_of_sets(count, sets), spent)
    return np.where(np.diff(sets.start) > 1, bits, 0.0)


def pair_floor(count: Counts, left: Leaves, right: Leaves) -> Floats:
    """The least entropy of a set that holds two values.

    With t the share of the set's other values, of which the most frequent occurs m times in the table, and H the
    entropy of the two alone, it is at least h(t) + (1 − t) H + t · max(0, log2(count of the others / m)). Up to a count
    of m this is concave in t, beyond it convex; so it is least at one of four places (docs/guarantees.md).
    """
    both = np.maximum((count[left] + count[right]).astype(float), 1.0)
    alone = binary_entropy(count[left] / both)
    most = max(float(count.max(initial=0)), 1.0)
    rest = np.maximum(float(count.sum()) - both, 0.0)

    def spread(others: Floats) -> Floats:
        t = others / (both + others)
        return np.asarray(
            binary_entropy(t) + (1.0 - t) * alone + t * np.maximum(np.log2(np.maximum(others, 1e-300) / most), 0.0)
        )

    slope = alone - np.log2(both / most)
    kept = np.where(slope > 0, 1.0 / (np.log(2.0) * np.maximum(slope, 1e-300)), 1.0)
    bottom = both * (1.0 - np.clip(kept, 1e-9, 1.0)) / np.clip(kept, 1e-9, 1.0)
    first = np.minimum(most, rest)
    least = np.minimum.reduce([alone, spread(first), spread(np.clip(bottom, first, rest)), spread(rest)])
    return np.where(left == right, 0.0, np.maximum(least * (1.0 - 1e-9), 0.0))


def binary_entropy(share: Floats) -> Floats:
    p = np.clip(share, 1e-300, 1.0)
    r = np.clip(1.0 - share, 1e-300, 1.0)
    return np.asarray(-(p * np.log2(p) + r * np.log2(r)))


ENTROPY = Measure(
    name="entropy",
    title="Entropy",
    formula="H(X | X in B), in bits",
    reference="Gionis and Tassa 2009, section 4.2",
    price=price,
    set_price=set_price,
    set_form=SetForm("bits"),
    monotone=False,
    pair_floor=pair_floor,
)

"""Entropy (paper 002, definition 4.1): the bits of a set of values, which may fall as the set grows."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import measures, registry
from shoal.hierarchies.rows import tree_from_rows
from shoal.problem import quasi_identifier
from tests.measures.columns import price


def test_the_smallest_case_in_which_entropy_is_not_monotone() -> None:
    tree = tree_from_rows([["0", "01", "*"], ["1", "01", "*"], ["2", "2", "*"]])
    paid = price("entropy", tree, np.array([1, 1, 7]))
    assert paid[3] == pytest.approx(1.0)
    assert paid[4] == pytest.approx(0.9864, abs=5e-5)
    column = quasi_identifier("c", tree, np.array([1, 1, 7]), registry.find(measures.CATALOG, "entropy"))
    assert column.shown.tolist() == [0, 1, 2, 4, 4]
    assert (column.price <= column.price[tree.parent]).all()


def test_a_set_costs_the_bits_that_are_missing_from_it() -> None:
    """By hand: four values that occur alike are two bits; three to one are 2 − 0.75 · log2(3); a value that does not
    occur adds none.
    """
    tree = tree_from_rows([[v, g, "*"] for v, g in (("0", "a"), ("1", "a"), ("2", "b"), ("3", "b"))])
    paid = dict(zip(tree.labels, price("entropy", tree, np.array([2, 2, 2, 2])).tolist(), strict=True))
    assert paid == pytest.approx({"0": 0.0, "1": 0.0, "2": 0.0, "3": 0.0, "a": 1.0, "b": 1.0, "*": 2.0})
    paid = dict(zip(tree.labels, price("entropy", tree, np.array([3, 1, 5, 0])).tolist(), strict=True))
    assert paid["a"] == pytest.approx(2 - 0.75 * np.log2(3))
    assert paid["b"] == 0.0

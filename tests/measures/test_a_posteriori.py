"""A-posteriori entropy: the paper's examples, and every order of small columns."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.hierarchies.rows import tree_from_rows
from shoal.measures.a_posteriori import NAME, bits_left


def by_all_orders(values: list[int], labels: list[frozenset[int]]) -> float:
    """The sum of the cells' entropies over all orders of the values that agree with the labels."""
    seen: list[Counter[int]] = [Counter() for _ in labels]
    for order in permutations(values):
        if all(value in label for value, label in zip(order, labels, strict=False)):
            for cell, value in zip(seen, order, strict=False):
                cell[value] += 1
    shares = [np.array(list(cell.values())) / cell.total() for cell in seen]
    return float(sum(-(share * np.log2(share)).sum() for share in shares))


@pytest.mark.parametrize(
    ("column", "released", "bits"), [([1, 2, 3, 3], "**33", 2.0), ([1, 2] + [3] * 6, "***33333", 3 * np.log2(3))]
)
def test_examples_4_4_and_4_5(column: list[int], released: str, bits: float) -> None:
    before, after = pl.DataFrame({"a": [str(v) for v in column]}), pl.DataFrame({"a": list(released)})
    found = shoal.measure(before, after, quasi_identifiers=["a"], hierarchies={"a": shoal.suppression()})
    assert found.measures[NAME]["total"] == pytest.approx(bits)
    assert found.columns["a"][NAME] == pytest.approx(bits)


def test_every_order_of_small_columns() -> None:
    rng = np.random.default_rng(2)
    tree = tree_from_rows([["0", "01", "*"], ["1", "01", "*"], ["2", "23", "*"], ["3", "23", "*"]])
    below = [frozenset(tree.leaves_below(v).tolist()) for v in range(tree.n_nodes)]
    for _ in range(60):
        values = rng.integers(0, 4, size=int(rng.integers(2, 8))).tolist()
        kept = values[: int(rng.integers(1, len(values) + 1))]  # the others are withheld
        labels = [below[int(rng.choice([v for v, held in enumerate(below) if value in held]))] for value in kept]
        cells = [(np.array(sorted(label)), n) for label, n in Counter(labels).items()]
        found = bits_left(cells, np.bincount(values, minlength=4))
        assert found == pytest.approx(by_all_orders(values, labels))


def test_labels_that_cross_have_no_figure() -> None:
    assert bits_left([(np.array([0, 1]), 1), (np.array([1, 2]), 1)], np.array([1, 1, 1])) is None
    assert bits_left([(np.array([0]), 2)], np.array([1, 1])) is None


def test_the_order_of_the_labels_changes_no_bit() -> None:
    count = np.arange(1, 13)
    labels = [(np.array([2 * i, 2 * i + 1]), 2 * i + 3) for i in range(6)]
    assert len({bits_left([labels[i] for i in order], count) for order in permutations(range(6))}) == 1

"""NCP (Xu et al. 2006): LM for numbers, and for categories the values covered over all values."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given

import shoal
from shoal.hierarchies import intervals
from shoal.hierarchies.encode import encode
from shoal.hierarchies.rows import tree_from_rows
from shoal.hierarchies.tree import Tree
from shoal.measures.lm import LM
from shoal.measures.ncp import NCP
from shoal.problem import quasi_identifier
from tests.measures.columns import as_sets, columns


def test_by_hand() -> None:
    """Four values, two and two: a pair is half of the domain."""
    tree = tree_from_rows([["a", "ab", "*"], ["b", "ab", "*"], ["c", "cd", "*"], ["d", "cd", "*"]])
    assert NCP.price(tree, np.ones(4, dtype=np.int64)).tolist() == [0, 0, 0, 0, 0.5, 0.5, 1]
    assert NCP.set_price(tree, np.ones(4, dtype=np.int64), as_sets([[0], [0, 2], [0, 1, 2]])).tolist() == [0, 0.5, 0.75]


@given(column=columns())
def test_for_categories_it_is_lm_without_the_ones_taken_off(column: tuple[Tree, np.ndarray]) -> None:
    tree, count = column
    n = tree.n_leaves
    expected = np.where(tree.n_below > 1, (LM.price(tree, count) * (n - 1) + 1) / n, 0.0)
    assert NCP.price(tree, count) == pytest.approx(expected)


@pytest.mark.parametrize("weight", [1.0, 2.5])
def test_for_numbers_it_is_lm_with_any_weight(weight: float) -> None:
    encoded = encode("age", ["17", "20", "29", "35", "90"], False, intervals(10, 20))
    count = np.arange(1, 6)
    one, two = (quasi_identifier("age", encoded.tree, count, measure, weight) for measure in (NCP, LM))
    assert one.price.tolist() == two.price.tolist()
    sets = as_sets([[0], [1, 3], [0, 1, 2, 3, 4]])
    assert NCP.set_price(encoded.tree, count, sets).tolist() == LM.set_price(encoded.tree, count, sets).tolist()


@pytest.mark.parametrize(
    "hierarchy", [shoal.any_interval(), shoal.any_subset(), shoal.intervals(5, 20)], ids=["interval", "subset", "tree"]
)
def test_a_release_s_figure_is_the_definition_on_its_cells(hierarchy: object) -> None:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({"age": rng.integers(20, 60, 80), "job": rng.choice(["cook", "nurse", "smith", "tailor"], 80)})
    made = shoal.anonymize(
        frame, k=4, quasi_identifiers=["age", "job"], hierarchies={"age": hierarchy}, measure="ncp", time_limit=1
    )
    if not isinstance(hierarchy, type(shoal.any_subset())):
        assert made.loss == pytest.approx(
            sum(width(cell, frame["age"]) for cell in made.frame["age"]) + (made.frame["job"] == "*").sum()
        )
    assert made.lower_bound is not None
    assert made.lower_bound <= made.loss + 1e-9


def width(cell: str, age: pl.Series) -> float:
    """The share of the domain of an interval as it is written."""
    if cell == "*":
        return 1.0
    if not cell.startswith("["):
        return 0.0
    low, high = (float(x) for x in cell.strip("[])").split(","))
    return (min(high, age.max()) - max(low, age.min())) / (age.max() - age.min())

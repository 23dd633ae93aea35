"""Stars (Meyerson and Williams 2004): the number of cells that do not show their own value."""

import numpy as np
import pytest

import shoal
from shoal.hierarchies.rows import tree_from_rows
from shoal.measures.stars import STARS
from tests.measures.columns import as_sets


def test_every_cell_that_is_not_shown_counts_one_however_much_it_hides() -> None:
    tree = tree_from_rows([["0", "01", "*"], ["1", "01", "*"], ["2", "2", "*"]])
    paid = dict(zip(tree.labels, STARS.price(tree, np.array([1, 1, 9])).tolist(), strict=True))
    assert paid == {"0": 0.0, "1": 0.0, "2": 0.0, "01": 1.0, "*": 1.0}
    assert STARS.set_price(tree, np.array([1, 1, 9]), as_sets([[1], [0, 2], [0, 1, 2]])).tolist() == [0.0, 1.0, 1.0]


def test_the_loss_of_a_release_is_the_number_of_its_stars() -> None:
    """The table of three columns in paper 000, section 2: under suppression alone the loss can be counted by eye."""
    table = {"a": ["1", "1", "1", "2"], "b": ["x", "x", "y", "y"], "c": ["p", "p", "p", "p"]}
    import polars as pl

    release = shoal.anonymize(
        pl.DataFrame(table), k=2, quasi_identifiers=["a", "b", "c"], measure="stars", algorithm="exact"
    )
    shown = sum(cell == "*" for column in release.frame.iter_columns() for cell in column)
    assert release.loss == pytest.approx(shown) == pytest.approx(2)

"""Columns as the kernels price them, against the measure's own prices of the same sets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shoal import measures, registry
from shoal.hierarchies import any_interval
from shoal.hierarchies.encode import encode
from shoal.kernels import FreeColumn, TreeColumn
from shoal.measures.base import Sets
from shoal.problem import QuasiIdentifier, quasi_identifier
from shoal.spaces import FORMULAS, column_of, interval_prices
from tests.tables import flat_tree

COUNT = np.array([4, 1, 3, 2, 5])


def column(measure: str, free: str | None) -> QuasiIdentifier:
    made = quasi_identifier("x", flat_tree(list("abcde")), COUNT, registry.find(measures.CATALOG, measure), 2.0)
    return replace(made, free=free)


def test_a_tree_is_taken_as_it_is() -> None:
    given = column("tree", None)
    found = column_of(given, registry.find(measures.CATALOG, "tree"))
    assert isinstance(found, TreeColumn)
    assert (found.price == given.price).all()


@pytest.mark.parametrize("name", measures.CATALOG)
def test_the_form_that_a_measure_declares_is_one_that_the_kernels_know(name: str) -> None:
    form = registry.find(measures.CATALOG, name).set_form
    assert form is None or form.form is None or form.form in FORMULAS


@pytest.mark.parametrize("name", measures.CATALOG)
def test_intervals_are_priced_as_the_measure_prices_their_sets(name: str) -> None:
    measure, given = registry.find(measures.CATALOG, name), column(name, "interval")
    grid = interval_prices(given, measure)
    for low in range(5):
        for high in range(low, 5):
            leaves = np.arange(low, high + 1, dtype=np.int32)
            one = measure.set_price(given.tree, given.count, Sets(np.array([0, len(leaves)]), leaves))
            assert grid[low, high] == pytest.approx(2.0 * float(one[0]))


def test_a_measure_without_a_form_has_its_intervals_priced_one_by_one_and_its_subsets_as_nodes() -> None:
    measure = replace(registry.find(measures.CATALOG, "tree"), set_form=None)
    one, other = (column_of(column("tree", kind), measure) for kind in ("interval", "subset"))
    assert isinstance(one, FreeColumn)
    assert one.grid is not None
    assert isinstance(other, TreeColumn)


def test_numbers_on_a_line_are_priced_by_their_width() -> None:
    made = encode("x", ["1", "2", "4", "10"], False, any_interval())
    measure = registry.find(measures.CATALOG, "lm")
    given = quasi_identifier("x", made.tree, np.ones(4, dtype=np.int64), measure, 1.0, "interval")
    found = column_of(given, measure)
    assert isinstance(found, FreeColumn)
    if measure.set_form is not None and measure.set_form.is_width:
        assert found.low is not None
        assert (np.diff(found.low) > 0).all()

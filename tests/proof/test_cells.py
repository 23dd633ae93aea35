"""What sets of values cost at least, for the walk over sets: never above the cheapest set around them that a release may show, and next to it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shoal.proof import cells as proof_cells
from shoal.proof.cells import NodeCells, SubsetCells, cells_of
from shoal.proof.prices import price_column
from tests.contract.test_bounds import MEASURES
from tests.naive.free import cheapest_superset
from tests.proof.cases import case_of_problem
from tests.proof.test_sets import small
from tests.tables import numbers_with_gaps

SHIFT = 30


@pytest.mark.parametrize("measure", MEASURES)
def test_prices_are_those_of_the_cheapest_allowed_sets(measure: str) -> None:
    rng, seen = np.random.default_rng(8), 0
    for _ in range(30):
        problem = small(rng, measure)
        case = case_of_problem(problem)
        for column, ladder in zip(problem.columns, case.ladders, strict=True):
            cells = cells_of(ladder, price_column(ladder, case.measure, SHIFT), case.measure, SHIFT)
            for _ in range(6):
                leaves = rng.integers(0, column.tree.n_leaves, size=int(rng.integers(1, 4)))
                cell, node = cells.own(leaves[:1]), int(leaves[0])
                for leaf in leaves[1:].tolist():
                    cell, node = cells.join(cell, np.array([leaf])), column.tree.join(node, leaf)
                found = int(cells.price(cell)[0]) / 2**SHIFT
                true = float(column.price[node])
                if column.free is not None:
                    true = cheapest_superset(problem, column, frozenset(leaves.tolist()))
                    seen += 1
                assert found <= true + 1e-12
                assert math.isclose(found, true, abs_tol=1e-6)
                assert cells.price(cell)[0] <= cells.dearest()
                assert (cells.join(np.repeat(cell, len(leaves)), leaves) == cell).all(), "it holds what came in"
    assert seen > 50


def test_more_values_than_bits_are_priced_along_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    case = case_of_problem(numbers_with_gaps(np.random.default_rng(1), "entropy"))
    column = case.ladders[0]
    priced = price_column(column, case.measure, SHIFT)
    monkeypatch.setattr(proof_cells, "MOST_INTERVAL", 0)
    monkeypatch.setattr(proof_cells, "MOST_SUBSET", 0)
    assert isinstance(cells_of(column, priced, case.measure, SHIFT), NodeCells)


def test_subsets_are_priced_alike_with_and_without_a_place_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    while True:
        case = case_of_problem(small(rng, "entropy"))
        found = [ladder for ladder in case.ladders if ladder.free == "subset" and len(ladder.values) > 3]
        if found:
            break
    asked = rng.integers(1, 1 << len(found[0].values), size=40)
    tabled = SubsetCells(found[0], case.measure, SHIFT).price(asked)
    monkeypatch.setattr(proof_cells, "MOST_TABLED", 0)
    listed = SubsetCells(found[0], case.measure, SHIFT)
    assert [int(listed.price(asked[i : i + 1])[0]) for i in range(40)] == tabled.tolist()
    assert (listed.price(asked) == tabled).all()

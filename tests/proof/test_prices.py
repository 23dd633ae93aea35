"""What nodes cost at least, by the measure's own word."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from shoal.bounds.dual import DUAL
from shoal.errors import DataError, Refused
from shoal.hierarchies.tree import Tree
from shoal.judge.measures.base import definition_of
from shoal.problem import Bound, Watch, quasi_identifier
from shoal.proof.check import check_proof
from shoal.proof.prices import price_column
from shoal.release.witness import write_proof
from tests.contract.test_bounds import MEASURES
from tests.proof.cases import case_of_problem, ladder_of
from tests.proof.proving import small


def test_a_measure_without_exact_prices_has_no_proof_and_says_so(tmp_path: Path) -> None:
    """The judge's half recounts, and says nothing in fractions."""
    problem = small()
    case = case_of_problem(problem, replace(definition_of("tree"), name="sizes", floor=None))
    with pytest.raises(Refused, match="measure 'sizes' does not say"):
        write_proof(tmp_path / "proof", problem, Bound("box", 0.0, np.zeros(problem.n_tuples)), case)


def test_a_measure_of_ones_own_gets_proofs_that_hold(tmp_path: Path) -> None:
    """Nothing but its two halves is needed: what the search pays, and what the checker counts."""

    def price(tree: Tree, count: np.ndarray) -> np.ndarray:
        return np.asarray((tree.n_below - 1) ** 2 / 7.0)

    problem = small()
    squares = replace(problem.measure, name="squares", price=price)
    columns = tuple(quasi_identifier(c.name, c.tree, c.count, squares) for c in problem.columns)
    problem = replace(problem, measure=squares, columns=columns)
    floor = replace(definition_of("tree"), name="squares", floor=lambda node: Fraction((len(node.counts) - 1) ** 2, 7))
    bound, case = DUAL.compute(problem, Watch()), case_of_problem(problem, floor)
    write_proof(tmp_path / "proof", problem, bound, case)
    assert check_proof(case, tmp_path / "proof") == pytest.approx(bound.value, rel=1e-6)


@pytest.mark.parametrize("measure", MEASURES)
def test_no_node_is_priced_above_what_the_solver_pays_for_it(measure: str) -> None:
    """Whole numbers, rounded down: a proof can only claim too little. What is taken off is rounded up."""
    for seed in range(5):
        problem = small(measure, seed)
        for column in problem.columns:
            made = price_column(ladder_of(column), definition_of(measure), 40)
            for leaf in range(column.tree.n_leaves):
                for cut, blocks in zip(made.cuts, ladder_of(column).blocks, strict=True):
                    paid = float(column.price[blocks[leaf]])
                    assert made.price[cut[leaf]] / 2**40 <= paid + 1e-9
                    assert made.price[cut[leaf]] / 2**40 >= paid - 1e-6
                assert made.offset[leaf] / 2**40 >= float(column.offset[leaf]) - 1e-12


def test_a_unit_that_is_too_fine_is_refused() -> None:
    problem = small("entropy")
    with pytest.raises(DataError, match="too fine"):
        price_column(ladder_of(problem.columns[0]), definition_of("entropy"), 70)

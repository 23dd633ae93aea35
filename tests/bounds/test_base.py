"""What prices prove, and what is refused or remarked before."""

from dataclasses import replace

import numpy as np
import pytest

from shoal.bounds.base import check, proved
from shoal.errors import Infeasible
from tests.tables import make_problem

ROWS = [["a", "x"], ["a", "x"], ["b", "y"]]


def test_fewer_rows_than_a_group_needs_have_no_release_to_bound() -> None:
    with pytest.raises(Infeasible, match="There are 3 rows and a group needs 4"):
        check(make_problem(ROWS, 4))
    assert check(make_problem(ROWS, 3)) == ""


def test_a_bound_of_an_easier_problem_says_so() -> None:
    problem = make_problem(ROWS, 2)
    free = replace(problem, columns=tuple(replace(c, free="subset") for c in problem.columns))
    assert "Free columns" in check(free)


def test_prices_are_summed_over_the_rows_and_never_rounded_up() -> None:
    problem = make_problem(ROWS, 2)
    bound = proved(problem, "box", np.array([0.5, 2.0]))
    assert bound.value <= 2 * 0.5 + 2.0
    assert bound.value == pytest.approx(3.0)
    assert (bound.prices < [0.5, 2.0]).all()


def test_what_a_row_costs_whatever_is_done_is_taken_off() -> None:
    problem = make_problem(ROWS, 2, measure="non-uniform-entropy")
    assert proved(problem, "box", problem.offset_of_tuple).value == 0.0, "a bound is never below nothing"
    assert proved(problem, "box", problem.offset_of_tuple + 1.0).value == pytest.approx(3.0)

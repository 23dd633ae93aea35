"""The one caller of HiGHS, on programs that are solved by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from shoal import highs
from shoal.problem import Watch
from tests.house.sources import ROOT, SRC, imports_of


def program(whole: bool, least: float = 3.0):
    """min 2x + 3y with 2x + y ≥ least, x and y up to 4."""
    given = np.array([2.0, 3.0]), np.zeros(2), np.full(2, 4.0), sparse.csr_matrix(np.array([[2.0, 1.0]]))
    return highs.load(*given, np.array([least]), np.array([np.inf]), np.ones(2, dtype=bool) if whole else None)


def test_a_linear_program_has_its_optimum_and_its_prices() -> None:
    found = program(whole=False)
    assert highs.run(found, Watch())
    assert highs.is_optimal(found)
    assert highs.values(found) == pytest.approx([1.5, 0.0])
    assert highs.cost(found) == pytest.approx(3.0)
    assert highs.duals(found) == pytest.approx([1.0])


def test_whole_variables_are_whole() -> None:
    found = program(whole=True)
    assert highs.run(found, Watch())
    assert highs.has_solution(found)
    assert highs.values(found) == pytest.approx([2.0, 0.0])
    assert highs.dual_bound(found) == pytest.approx(4.0)


def test_what_cannot_be_is_said() -> None:
    found = program(whole=True, least=99.0)
    assert highs.run(found, Watch())
    assert highs.is_infeasible(found)


def test_nobody_else_calls_highs() -> None:
    """There were two wrappers."""
    callers = {path.relative_to(ROOT) for path in SRC.rglob("*.py") for _, module in imports_of(path) if module.startswith("highspy")}
    assert callers == {(SRC / "highs.py").relative_to(ROOT)}

"""Proofs: what is true passes, what is raised does not, and what passes is below the optimum."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.errors import Refused
from shoal.judge.measures.exact import log_above, log_below
from shoal.problem import Bound, quasi_identifier
from shoal.release.witness import write_proof
from tests.contract.test_bounds import MEASURES, random_table
from tests.naive.optimum import optimum
from tests.proof.cases import case_of_problem
from tests.proof.proving import check, prove, small

TMP = [HealthCheck.function_scoped_fixture]


@settings(deadline=None, max_examples=80, suppress_health_check=TMP)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES), name=st.sampled_from(["box", "dual"]))
def test_a_true_proof_passes_and_stays_below_the_optimum(tmp_path: Path, seed: int, measure: str, name: str) -> None:
    problem = random_table(np.random.default_rng(seed), measure)
    bound = prove(problem, tmp_path / "proof", name)
    checked = check(problem, tmp_path / "proof")
    assert checked <= optimum(problem) + 1e-12
    assert bound.value - 1e-6 <= checked <= bound.value + 1e-9


@settings(deadline=None, max_examples=40, suppress_health_check=TMP)
@given(weight=st.sampled_from([1e-9, 1e-3, 1.0, 1e6, 1e12]), measure=st.sampled_from(MEASURES), seed=st.integers(0, 10**6))
def test_tiny_and_huge_weights_keep_the_bound_to_nine_digits(tmp_path: Path, weight: float, measure: str, seed: int) -> None:
    """Sums must fit the checker's integers, and prices must not vanish in the rounding."""
    problem = random_table(np.random.default_rng(seed), measure)
    columns = tuple(quasi_identifier(c.name, c.tree, c.count, problem.measure, weight) for c in problem.columns)
    problem = replace(problem, columns=columns)
    bound = prove(problem, tmp_path / "proof", "box")
    assert check(problem, tmp_path / "proof") == pytest.approx(bound.value, rel=1e-6, abs=1e-9 * problem.price_of_suppression)


def test_what_would_be_rejected_is_not_written(tmp_path: Path) -> None:
    problem = small()
    with pytest.raises(Refused, match="its own check failed"):
        write_proof(tmp_path / "proof", problem, Bound("wrong", 0.0, np.full(problem.n_tuples, 3.0)), case_of_problem(problem))
    assert not (tmp_path / "proof").exists()


def test_logarithms_are_bracketed() -> None:
    for n in (1, 2, 3, 7, 8, 1000, 30162, 10**9):
        assert log_below(n) <= log_above(n)
        assert abs(float(log_below(n)) - np.log2(n)) < 1e-12
        assert 2 ** float(log_below(n)) <= n * (1 + 1e-12)

"""The checker: what is raised, or about another table, is rejected; and it takes nothing from the solver."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from shoal.errors import NotAnonymous
from shoal.judge.measures.base import definition_of
from shoal.proof.check import check_proof
from shoal.proof.file import unpack_prices
from tests.naive.boxes import is_feasible
from tests.proof.cases import case_of_problem
from tests.proof.proving import check, forge, prove, small


def test_one_price_raised_is_rejected(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    problem = small("entropy", 5)
    n_rejected = 0
    for _ in range(20):
        bound = prove(problem, tmp_path / "proof")
        which = int(rng.integers(problem.n_tuples))
        forge(tmp_path / "proof", lambda c, which=which: c["prices"].__setitem__(which, c["prices"][which] + 10**11))
        proof = unpack_prices(tmp_path / "proof", 10**7)
        if is_feasible(problem, np.ldexp(proof.prices.astype(float), -proof.shift).tolist()):  # the price had room to rise
            assert check(problem, tmp_path / "proof") >= bound.value - 1e-6
        else:
            n_rejected += 1
            with pytest.raises(NotAnonymous, match="priced above a box"):
                check(problem, tmp_path / "proof")
    assert n_rejected > 10


def test_a_proof_for_another_table_k_or_measure_is_rejected(tmp_path: Path) -> None:
    problem = small("entropy")
    prove(problem, tmp_path / "proof")
    with pytest.raises(NotAnonymous, match=r"does not hold.*flags"):
        check(small("entropy", seed=7), tmp_path / "proof")
    with pytest.raises(NotAnonymous, match=r"priced above a box.*flags"):
        check(replace(problem, k=2), tmp_path / "proof")
    with pytest.raises(NotAnonymous, match=r"priced above a box.*flags"):
        check_proof(replace(case_of_problem(problem), measure=definition_of("tree")), tmp_path / "proof")

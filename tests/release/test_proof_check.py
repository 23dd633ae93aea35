"""The checker: what is raised, or about another table, is rejected; and it takes nothing from the solver."""

from __future__ import annotations

import ast
import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shoal import bounds, registry
from shoal.errors import NotAnonymous
from shoal.problem import Bound, Problem, Watch
from shoal.release.proof import write_proof
from shoal.release.proof_check import Checked, check_proof
from shoal.release.proof_file import unpack_prices
from tests.naive.boxes import is_feasible
from tests.release.cases import case_of_problem
from tests.tables import random_problem

Content = dict[str, Any]


def prove(problem: Problem, path: Path, name: str = "dual") -> Bound:
    bound = registry.find(bounds.CATALOG, name).compute(problem, Watch())
    write_proof(path, problem, bound, case_of_problem(problem))
    return bound


def check(problem: Problem, path: Path) -> Checked:
    return check_proof(case_of_problem(problem), path)


def forge(path: Path, change: Callable[[Content], Any]) -> None:
    """Rewrite a proof with other contents."""
    content = json.loads(gzip.decompress(path.read_bytes()))
    changed = change(content)
    text = changed if isinstance(changed, str) else json.dumps(content)
    path.write_bytes(gzip.compress(text.encode()))


def small(measure: str = "tree", seed: int = 6) -> Problem:
    return random_problem(np.random.default_rng(seed), 60, 3, 3, values=6, measure=measure, deep=True)


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
            assert check(problem, tmp_path / "proof").lower_bound >= bound.value - 1e-6
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
        check_proof(replace(case_of_problem(problem), measure=small("tree").measure), tmp_path / "proof")


def test_the_checker_knows_nothing_of_the_solver() -> None:
    from shoal.release import proof_case, proof_check, proof_file, proof_free, proof_nodes, proof_prices, proof_rows, proof_walk

    used: set[str | None] = set()
    for module in (proof_case, proof_check, proof_file, proof_free, proof_nodes, proof_prices, proof_rows, proof_walk):
        tree = ast.parse(Path(str(module.__file__)).read_text())
        used |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        used |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    rooms = {u.split(".")[1] for u in used if u and u.startswith("shoal.")}
    assert rooms == {"errors", "release", "measures", "hierarchies", "table", "policy"}

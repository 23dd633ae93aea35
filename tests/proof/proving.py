"""Proofs of small problems: made, checked, and forged."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from shoal import bounds, registry
from shoal.problem import Bound, Problem, Watch
from shoal.proof.check import check_proof
from shoal.release.witness import write_proof
from tests.proof.cases import case_of_problem
from tests.tables import random_problem


def prove(problem: Problem, path: Path, name: str = "dual") -> Bound:
    bound = registry.find(bounds.CATALOG, name).compute(problem, Watch())
    write_proof(path, problem, bound, case_of_problem(problem))
    return bound


def check(problem: Problem, path: Path) -> float:
    return check_proof(case_of_problem(problem), path)


def small(measure: str = "tree", seed: int = 6) -> Problem:
    return random_problem(np.random.default_rng(seed), 60, 3, 3, values=6, measure=measure, deep=True)


Content = dict[str, Any]


def forge(path: Path, change: Callable[[Content], Any]) -> None:
    """Rewrite a proof with other contents."""
    content = json.loads(gzip.decompress(path.read_bytes()))
    changed = change(content)
    text = changed if isinstance(changed, str) else json.dumps(content)
    path.write_bytes(gzip.compress(text.encode()))

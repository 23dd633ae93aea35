"""Ways to begin: each makes groups of at least k."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest

from shoal import kernels
from shoal.bounds.dual import RisingPrices
from shoal.problem import Watch, close
from shoal.search.constructions import cover, runs, top_down
from shoal.search.neighbours import near_tuples
from tests.tables import random_problem


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("measure", ["entropy", "tree"])
def test_all_constructions_make_groups_of_k(seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 6))
    problem = random_problem(rng, int(rng.integers(30, 200)), 3, k, 5, measure, deep=True)
    prices = RisingPrices(problem)
    prices.turn()
    for group in (top_down(problem), runs(problem), cover(problem, prices.best, prices.own, prices.boxes, near_tuples(problem))):
        assert group is not None
        assert len(group) == problem.n_rows
        sizes = np.bincount(group)
        assert sizes[sizes > 0].min() >= k
        assert prices.result().bound.value <= close(problem, group).loss + 1e-9


def test_a_cover_that_is_stopped_gives_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a million rows it takes two seconds: a stop was heard only after it."""
    problem = random_problem(np.random.default_rng(1), 80, 3, 4, values=6, measure="tree", deep=True)
    prices = RisingPrices(problem)
    near, flag = near_tuples(problem), kernels.Flag()
    flag.set()
    monkeypatch.setattr("shoal.search.constructions.stoppable", lambda watch: nullcontext(flag))
    assert cover(problem, prices.best, prices.own, prices.boxes, near, Watch()) is None

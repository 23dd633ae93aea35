"""Ways to begin: each makes groups of at least k."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest

from shoal import kernels
from shoal.bounds.dual import RisingPrices
from shoal.problem import Watch, close
from shoal.search.constructions import cover, left_of, runs, top_down
from shoal.search.neighbours import near_tuples
from shoal.search.withholding import bring_back
from tests.tables import random_problem


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("measure", ["entropy", "tree"])
def test_all_constructions_make_groups_of_k(seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 6))
    problem = random_problem(rng, int(rng.integers(30, 200)), 3, k, 5, measure, deep=True)
    prices = RisingPrices(problem)
    prices.turn()
    for group in (
        top_down(problem),
        runs(problem),
        cover(problem, prices.best, prices.own, prices.boxes, near_tuples(problem)),
    ):
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


def test_rows_that_no_tight_box_takes_are_grouped_with_each_other() -> None:
    """At a million rows nearly half of them find no tight box with k rows left: to let them join groups that are there
    cost 40 % more than to split them.
    """
    rng = np.random.default_rng(4)
    problem = random_problem(rng, 3000, 4, 5, 12, "entropy", deep=True)
    prices = RisingPrices(problem)
    near = near_tuples(problem)
    few = prices.boxes.tightest(0.999)
    alone = cover(problem, prices.best, prices.own, few, near)
    assert alone is not None
    assert np.bincount(alone)[np.unique(alone)].min() >= 5
    group = np.full(problem.n_units, -1, dtype=np.int32)
    left = left_of(problem, group)
    left.put(
        group,
        left.weight,
        kernels.cover_along_prices(problem.packed, problem.codes, problem.weight, 5, prices.best, few, prices.own),
    )
    assert 0.3 * problem.n_rows < (group < 0).sum() < problem.n_rows
    joined = bring_back(problem, group, near, int((group < 0).sum()))
    assert close(problem, alone).loss < 0.9 * close(problem, joined).loss


def test_boxes_that_are_too_many_are_not_walked_for_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = random_problem(np.random.default_rng(2), 400, 4, 4, 9, "entropy", deep=True)
    prices = RisingPrices(problem)
    monkeypatch.setattr("shoal.search.constructions.MOST_WORK", 1)
    group = cover(problem, prices.best, prices.own, prices.boxes.tightest(0.999), near_tuples(problem))
    assert group is not None
    assert np.bincount(group)[np.unique(group)].min() >= 4

"""Programs for some of the tuples: a gain on the listed boxes, and nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.bounds import dual
from shoal.bounds.rank_block import Block, Standing
from shoal.bounds.rank_nodes import NodeCuts, TreeNodes
from shoal.bounds.rank_walk import WalkedClimb, blocks, with_heavy
from shoal.budget import Budget
from shoal.problem import Watch
from tests.tables import random_problem


@pytest.mark.parametrize("k", [2, 3])
def test_a_block_gains_and_leaves_the_others_as_they_are(k: int) -> None:
    problem = random_problem(np.random.default_rng(2), 260, 4, k, values=5, measure="entropy", deep=True)
    climb = WalkedClimb(problem, dual.prices(problem, 3, Watch()).bound.prices, Budget(100.0, Watch()))
    assert climb.keep(climb.best)
    listed = with_heavy(problem, climb.listed)
    parts = blocks(problem, listed, 60, 1)
    assert np.sort(np.concatenate(parts)).tolist() == list(range(problem.n_tuples))
    gained = 0
    for part in parts:
        now = Standing(climb.best.net, NodeCuts(TreeNodes(problem)), np.zeros(0))
        found = Block(problem, listed, part, now, 0.1).improve(Budget(100.0, Watch()))
        if found is None:
            continue
        gained += 1
        other = np.setdiff1d(np.arange(problem.n_tuples), part)
        assert (found.net[other] <= now.net[other]).all()
        assert found.worth(problem) > climb.best.worth(problem)
    assert gained >= 1


def test_without_steps_there_is_no_gain() -> None:
    problem = random_problem(np.random.default_rng(2), 60, 3, 2, values=5, measure="entropy", deep=True)
    climb = WalkedClimb(problem, dual.prices(problem, 3, Watch()).bound.prices, Budget(100.0, Watch()))
    assert climb.keep(climb.best)
    block = Block(problem, climb.listed, np.arange(problem.n_tuples), climb.best, 0.1)
    assert block.improve(Budget(0.0, Watch())) is None

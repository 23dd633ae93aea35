"""k-member clustering (Byun et al. 2007), against its own pseudo-code on single rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shoal.algorithms.k_member import K_MEMBER, MOST_TUPLES
from shoal.problem import Problem, Watch, close
from tests.tables import make_problem, random_problem


def loss_of(problem: Problem, rows: list[int]) -> float:
    """What the rows lose as one group."""
    group = np.full(problem.n_rows, -1, dtype=np.int32)
    group[rows] = 0
    return close(problem, group).loss


def by_pseudo_code(problem: Problem) -> list[set[int]]:
    """The paper's algorithm, row by row; the first row is the one that the seed draws."""
    left = list(range(problem.n_rows))
    drawn = int(np.random.default_rng(problem.seed).integers(problem.n_tuples))
    last = int(np.flatnonzero(problem.tuple_of_unit == drawn)[0])
    found: list[list[int]] = []
    while len(left) >= problem.k:
        last = max(left, key=lambda r: round(loss_of(problem, [last, r]) if r != last else 0.0, 9))
        left.remove(last)
        group = [last]
        while len(group) < problem.k:
            last = min(left, key=lambda r: round(loss_of(problem, [*group, r]), 9))
            left.remove(last)
            group.append(last)
        found.append(group)
    for r in left:
        min(found, key=lambda g: round(loss_of(problem, [*g, r]) - loss_of(problem, g), 9)).append(r)
    return [set(g) for g in found]


@pytest.mark.parametrize("measure", ["lm", "entropy", "tree", "non-uniform-entropy"])
@pytest.mark.parametrize("seed", range(5))
def test_it_makes_the_groups_of_the_pseudo_code(measure: str, seed: int) -> None:
    """On different rows; of rows that are equally near, both take the first."""
    rng = np.random.default_rng(seed)
    rows = sorted({tuple(str(v) for v in row) for row in rng.integers(0, 6, size=(23, 3))})
    problem = replace(make_problem(rows, 3, measure=measure, weights=[1.0, 1.37, 2.11]), seed=seed)
    assert problem.n_tuples == problem.n_rows
    group = K_MEMBER.solve(problem, Watch()).group
    assert {frozenset(np.flatnonzero(group == g).tolist()) for g in range(group.max() + 1)} == set(
        map(frozenset, by_pseudo_code(problem))
    )


def test_equal_rows_stay_together_as_far_as_a_group_needs_them() -> None:
    problem = make_problem([["a"]] * 6 + [["b"]] * 3 + [["c"]] * 4, 3)
    assert K_MEMBER.solve(problem, Watch()).loss == 0


def test_when_time_is_over_every_row_still_has_a_group() -> None:
    problem = replace(random_problem(np.random.default_rng(2), 300, 3, 4, values=9, measure="lm"), time_limit=1e-9)
    size = np.bincount(K_MEMBER.solve(problem, Watch()).group)
    assert size.sum() == 300
    assert size.min() >= 4


def test_rows_that_may_be_withheld_are_those_that_cost_most() -> None:
    problem = replace(random_problem(np.random.default_rng(4), 120, 3, 4, values=7, measure="lm"), max_withheld=12)
    with_all = K_MEMBER.solve(replace(problem, max_withheld=0), Watch())
    some = K_MEMBER.solve(problem, Watch())
    assert 0 < some.n_withheld <= 12
    assert some.loss < with_all.loss


def test_too_many_different_rows_are_refused_by_name() -> None:
    n = MOST_TUPLES + 1
    problem = make_problem([[str(i), "x"] for i in range(n)], 2)
    assert f"{n} different rows" in (K_MEMBER.refuses(problem) or "")

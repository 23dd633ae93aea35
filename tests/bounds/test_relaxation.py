"""Free columns stood in for by trees that cost no more."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from shoal.bounds.relaxation import laminar, least_sets
from shoal.measures.base import Sets
from shoal.measures.entropy import pair_floor
from tests.tables import random_problem


def test_no_set_of_values_undercuts_the_floor_of_two_of_them() -> None:
    rng = np.random.default_rng(9)
    for _ in range(60):
        count = rng.integers(1, rng.choice([4, 30, 1000]), size=7)
        count[int(rng.integers(7))] *= int(rng.choice([1, 50]))
        left, right = (a.astype(np.int32) for a in np.triu_indices(7, 1))
        floor = pair_floor(count, left, right)
        for i, (u, v) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
            others = [x for x in range(7) if x not in (u, v)]
            for size in range(6):
                for more in combinations(others, size):
                    share = count[[u, v, *more]] / count[[u, v, *more]].sum()
                    assert floor[i] <= -(share * np.log2(share)).sum() + 1e-12


def free_problem(kind: str, seed: int = 3):
    problem = random_problem(np.random.default_rng(seed), 30, 2, 3, values=7, measure="tree", deep=True)
    return replace(problem, columns=tuple(replace(c, free=kind) for c in problem.columns))


def test_a_problem_with_hierarchies_is_taken_as_it_is() -> None:
    problem = random_problem(np.random.default_rng(1), 20, 2, 3, deep=True)
    assert laminar(problem) is problem


@pytest.mark.parametrize("kind", ["interval", "subset"])
def test_no_allowed_set_costs_less_than_the_node_that_stands_for_it(kind: str) -> None:
    """All sets that a release may show are tried: each interval, or each subset."""
    problem = free_problem(kind)
    easier = laminar(problem)
    assert easier.is_laminar
    for given, made in zip(problem.columns, easier.columns, strict=True):
        n = given.tree.n_leaves
        allowed = [range(i, j + 1) for i in range(n) for j in range(i, n)] if kind == "interval" else [
            s for size in range(1, n + 1) for s in combinations(range(n), size)
        ]  # fmt: skip
        for leaves in allowed:
            node = leaves[0]
            for leaf in leaves:
                node = given.tree.join(node, leaf)
            start = np.array([0, len(leaves)])
            [paid] = problem.measure.set_price(given.tree, given.count, Sets(start, np.array(leaves, dtype=np.int32)))
            assert made.price[node] <= given.weight * paid + 1e-12


@pytest.mark.parametrize(("kind", "between"), [("interval", [1, 2, 3]), ("subset", [1, 3])])
def test_the_least_set_with_two_values(kind: str, between: list[int]) -> None:
    column = free_problem(kind).columns[0]
    for left, right in ((1, 3), (3, 1)):
        assert (
            least_sets(column, np.array([left], dtype=np.int32), np.array([right], dtype=np.int32))[0].tolist()
            == between
        )

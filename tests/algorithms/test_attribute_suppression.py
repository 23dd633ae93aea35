"""Attribute suppression: the fewest columns, against all sets of columns."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from shoal import privacy, registry
from shoal.algorithms import attribute_suppression
from shoal.algorithms.attribute_suppression import solve
from shoal.errors import Infeasible
from shoal.privacy.base import Demand
from shoal.problem import Problem, Watch
from tests.naive.released import meets_demands
from tests.tables import make_problem, random_problem


def most_kept(problem: Problem) -> int:
    """How many columns may stay, by trying every set of them."""
    codes = problem.codes[problem.tuple_of_unit]
    for size in range(problem.n_columns, -1, -1):
        for kept in combinations(range(problem.n_columns), size):
            groups: dict[tuple[int, ...], list[int]] = {}
            for i, row in enumerate(codes):
                groups.setdefault(tuple(int(row[j]) for j in kept), []).append(i)
            small = [rows for rows in groups.values() if len(rows) < problem.k]
            if problem.demands:
                fits = not small and all(meets_demands(problem, rows) for rows in groups.values())
            else:
                fits = sum(map(len, small)) <= problem.max_withheld and len(small) < len(groups)
            if fits:
                return size
    raise AssertionError("not even without any column")


def n_kept(problem: Problem, nodes: np.ndarray) -> int:
    roots = [column.tree.root for column in problem.columns]
    return sum(
        bool((nodes[:, j] != roots[j]).any()) or problem.columns[j].tree.n_nodes == 1 for j in range(problem.n_columns)
    )


@pytest.mark.parametrize("withheld", [0, 2])
@pytest.mark.parametrize("measure", ["stars", "entropy", "non-uniform-entropy"])
def test_no_fewer_columns_would_do(withheld: int, measure: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        problem = random_problem(
            rng, int(rng.integers(4, 14)), int(rng.integers(1, 6)), int(rng.integers(2, 4)), 3, measure
        )
        problem = replace(problem, max_withheld=withheld)
        solution = solve(problem, Watch())
        assert n_kept(problem, solution.nodes) == most_kept(problem)
        assert "proved to be the fewest" in solution.note
        assert np.bincount(solution.group[solution.group >= 0]).min() >= problem.k
        assert solution.n_withheld <= withheld


def test_a_suppressed_column_is_a_star_everywhere() -> None:
    problem = make_problem([list(row) for row in ("0a", "0a", "0b", "1a", "1a", "1a")], 2)
    solution = solve(problem, Watch())
    roots = [column.tree.root for column in problem.columns]
    assert (solution.nodes[:, 1] == roots[1]).all()
    assert solution.loss == 6.0


def test_other_criteria_are_kept() -> None:
    rng = np.random.default_rng(4)
    demand = Demand(registry.find(privacy.CATALOG, "distinct-l-diversity"), "illness", {"l": 2.0})
    for _ in range(40):
        value = rng.integers(0, 3, size=10).astype(np.int32)
        problem = replace(random_problem(rng, 10, 4, 2, 2), demands=(demand,), sensitive=(value,))
        if len(set(value)) < 2:
            continue
        solution = solve(problem, Watch())
        assert n_kept(problem, solution.nodes) == most_kept(problem)
        assert all(meets_demands(problem, list(np.flatnonzero(solution.group == g))) for g in range(solution.n_groups))


def test_cut_off_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attribute_suppression, "PROJECTIONS", 5)
    problem = random_problem(np.random.default_rng(5), 40, 8, 2, 2)
    solution = solve(problem, Watch())
    assert "cut off" in solution.note
    assert np.bincount(solution.group).min() >= 2


def test_too_few_rows_and_unreachable_criteria_are_infeasible() -> None:
    with pytest.raises(Infeasible, match="no group of 3"):
        solve(random_problem(np.random.default_rng(6), 2, 2, 3), Watch())
    demand = Demand(registry.find(privacy.CATALOG, "distinct-l-diversity"), "illness", {"l": 2.0})
    alike = replace(
        random_problem(np.random.default_rng(6), 5, 2, 2), demands=(demand,), sensitive=(np.zeros(5, dtype=np.int32),)
    )
    with pytest.raises(Infeasible, match="every column suppressed"):
        solve(alike, Watch())

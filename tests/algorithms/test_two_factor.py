"""The two-factor: its guarantees over many tables, and what happens when time is short or rows may stay out."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement, product

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import instances, privacy, registry
from shoal.algorithms.two_factor import TWO_FACTOR, solve
from shoal.errors import Infeasible
from shoal.matching import two_factor
from shoal.privacy.base import Demand
from shoal.problem import Problem, Watch
from tests.naive.optima import optima
from tests.naive.optimum import optimum
from tests.tables import make_problem, random_problem


class Hurry(Watch):
    """Asks to stop from the first moment on."""

    def wants_stop(self) -> bool:
        return True


def hold(problems: list[Problem], watch: Watch | None = None) -> float:
    """Every problem within its guarantee; the worst ratio seen."""
    worst = 1.0
    for problem, best in zip(problems, optima(problems), strict=True):
        solution = solve(problem, watch or Watch())
        assert np.bincount(solution.group).min() >= 3
        assert best - 1e-9 <= solution.loss
        assert solution.guarantee is not None or watch is not None
        assert solution.guarantee is None or solution.loss <= solution.guarantee * best + 1e-9
        worst = max(worst, solution.loss / best if best > 1e-9 else 1.0)
    return worst


@pytest.mark.parametrize(("n", "q"), [(3, 2), (4, 2), (5, 2), (6, 2), (7, 2), (4, 3), (5, 3)])
def test_the_factor_is_kept_on_all_small_binary_tables(n: int, q: int) -> None:
    tables = combinations_with_replacement(product("01", repeat=q), n)
    problems = [make_problem(rows, 3) for rows in tables]
    assert hold(problems) <= 2


@pytest.mark.parametrize("measure", ["stars", "tree", "lm", "entropy", "monotone-entropy"])
def test_the_factor_is_kept_on_random_tables(measure: str) -> None:
    rng = np.random.default_rng(21)
    problems = [random_problem(rng, int(rng.integers(3, 10)), int(rng.integers(1, 5)), 3, 5, measure, deep=bool(i % 2)) for i in range(150)]
    assert hold(problems) <= 3


def test_the_factor_is_kept_on_hard_instances() -> None:
    rng = np.random.default_rng(22)
    graphs = [[(int(a), int(b)) for a, b in {tuple(sorted(rng.choice(6, 2, replace=False))) for _ in range(8)}] for _ in range(30)]
    problems = [make_problem(make(edges).rows, 3) for edges in graphs for make in (instances.triangles, instances.triangles_and_stars)]
    problems += [make_problem(instances.restricted_from_graph(6, edges).rows, 3) for edges in graphs]
    hold(problems)


def test_the_guarantee_holds_when_time_is_over_at_once() -> None:
    rng = np.random.default_rng(23)
    problems = [random_problem(rng, int(rng.integers(3, 9)), 3, 3, 4, deep=bool(i % 2)) for i in range(100)]
    hold(problems, Hurry())


def test_says_so_when_the_proof_was_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two_factor, "NEAR", 1)
    problem = random_problem(np.random.default_rng(24), 60, 6, 3, 9)
    cut, proved = solve(problem, Hurry()), solve(problem, Watch())
    assert "proved optimal among all pairs" in proved.note
    assert proved.guarantee == 3
    assert "time was over" in cut.note
    assert cut.guarantee is None or cut.guarantee > 3


def test_withheld_rows_stay_within_their_number_and_the_guarantee_is_for_the_others() -> None:
    rng = np.random.default_rng(25)
    for _ in range(60):
        problem = replace(random_problem(rng, 9, 3, 3, 4), max_withheld=2)
        solution = solve(problem, Watch())
        assert solution.n_withheld <= 2
        assert solution.loss <= solve(replace(problem, max_withheld=0), Watch()).loss
        assert solution.guarantee is not None
        assert solution.loss <= solution.guarantee * optimum(problem.over_rows(solution.group >= 0)) + 1e-9


def test_equal_rows_cost_nothing_and_lend_themselves() -> None:
    problem = make_problem([["a"]] * 1000 + [["b"], ["c"]], 3)
    assert solve(problem, Watch()).loss == 3


def test_groups_are_merged_for_other_criteria() -> None:
    rng = np.random.default_rng(28)
    demand = Demand(registry.find(privacy.CATALOG, "distinct-l-diversity"), "illness", {"l": 2.0})
    for _ in range(20):
        value = np.concatenate([[0, 1], rng.integers(0, 3, size=10)]).astype(np.int32)
        problem = replace(random_problem(rng, 12, 3, 3, 3), demands=(demand,), sensitive=(value,))
        solution = solve(problem, Watch())
        assert solution.guarantee is None
        assert "merged" in solution.note
        assert all(len(set(value[solution.group == g])) >= 2 for g in range(solution.n_groups))


def test_no_guarantee_is_said_where_there_is_none() -> None:
    problem = random_problem(np.random.default_rng(26), 9, 3, 3, 4, "non-uniform-entropy")
    solution = solve(problem, Watch())
    assert solution.guarantee is None
    assert "non-uniform-entropy" in solution.note


def test_refuses_other_k_and_names_another() -> None:
    for k, other in ((2, "one-two-factor"), (5, "forest")):
        reason = TWO_FACTOR.refuses(random_problem(np.random.default_rng(0), 9, 2, k))
        assert reason is not None
        assert f"Take --algorithm {other}" in reason


def test_two_rows_are_infeasible() -> None:
    with pytest.raises(Infeasible):
        solve(make_problem([["a"], ["a"]], 3), Watch())


def test_rows_beyond_three_equal_ones_leave_with_them():
    """Five rows that cost as much together as left out: all three of their vertices are deleted, and the two others are deleted too."""
    cells = ["a"] * 8 + ["b"] + ["c"] * 2 + [None] * 5
    frame = pl.DataFrame({"mark": cells, "other": [str(i) for i in range(16)]})
    release = shoal.anonymize(
        frame, k=3, quasi_identifiers=["mark"], algorithm="two-factor", measure="stars", deletion=True, missing="suppress", keep=["other"]
    )
    assert release.frame.height >= 8
    shoal.verify(frame, release.frame, policy=release.policy)

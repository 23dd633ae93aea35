"""What the two factor algorithms promise alike; the tests of each take this as their base and say how they differ."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from shoal import instances, privacy, registry
from shoal.algorithms.base import Algorithm
from shoal.errors import Infeasible
from shoal.privacy.base import Demand
from shoal.problem import Problem, Solution, Watch
from tests.naive.optima import optima
from tests.naive.optimum import optimum
from tests.tables import PAID_ALIKE, make_problem, random_problem


class Hurry(Watch):
    """Asks to stop from the first moment on."""

    def wants_stop(self) -> bool:
        return True


class Factor:
    """The tests; a subclass says which algorithm, for which k, and within which factors."""

    algorithm: Algorithm
    k: int
    binary: float
    """The factor where every column has two values."""
    otherwise: float
    others: tuple[tuple[int, str], ...]
    """Other k, and the algorithm that is named for each."""
    always_guaranteed = False
    """Whether there is a guarantee even when time is over at once."""

    def solve(self, problem: Problem, watch: Watch | None = None) -> Solution:
        return self.algorithm.solve(problem, watch or Watch())

    def hold(self, problems: list[Problem], watch: Watch | None = None) -> float:
        """Every problem within its guarantee; the worst ratio seen."""
        worst = 1.0
        for problem, best in zip(problems, optima(problems), strict=True):
            solution = self.solve(problem, watch)
            assert np.bincount(solution.group).min() >= self.k
            assert best - 1e-9 <= solution.loss
            assert solution.guarantee is not None or (watch is not None and not self.always_guaranteed)
            assert solution.guarantee is None or solution.loss <= solution.guarantee * best + 1e-9
            worst = max(worst, solution.loss / best if best > 1e-9 else 1.0)
        return worst

    def random(self, seed: int, count: int, most: int, q: int, values: int) -> Iterable[Problem]:
        rng = np.random.default_rng(seed)
        return (
            random_problem(rng, int(rng.integers(self.k, most)), q, self.k, values, deep=bool(i % 2))
            for i in range(count)
        )

    @pytest.mark.parametrize(("n", "q"), [(2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (7, 2), (4, 3), (5, 3)])
    def test_the_factor_is_kept_on_all_small_binary_tables(self, n: int, q: int) -> None:
        tables = combinations_with_replacement(product("01", repeat=q), max(n, self.k))
        assert self.hold([make_problem(rows, self.k) for rows in tables]) <= self.binary

    @pytest.mark.parametrize("measure", PAID_ALIKE)
    def test_the_factor_is_kept_on_random_tables(self, measure: str) -> None:
        rng = np.random.default_rng(21)
        problems = [
            random_problem(
                rng, int(rng.integers(self.k, 10)), int(rng.integers(1, 5)), self.k, 5, measure, deep=bool(i % 2)
            )
            for i in range(150)
        ]
        assert self.hold(problems) <= self.otherwise

    def test_the_factor_is_kept_on_hard_instances(self) -> None:
        rng = np.random.default_rng(22)
        graphs = [
            [(int(a), int(b)) for a, b in {tuple(sorted(rng.choice(6, 2, replace=False))) for _ in range(8)}]
            for _ in range(30)
        ]
        made = [make(edges) for edges in graphs for make in (instances.triangles, instances.triangles_and_stars)]
        made += [instances.restricted_from_graph(6, edges) for edges in graphs]
        self.hold([make_problem(instance.rows, self.k) for instance in made])

    def test_the_guarantee_holds_when_time_is_over_at_once(self) -> None:
        self.hold(list(self.random(23, 100, 9, 3, 4)), Hurry())

    def test_withheld_rows_stay_within_their_number_and_the_factor_holds_beside_the_best_release_of_the_others(
        self,
    ) -> None:
        rng = np.random.default_rng(25)
        for _ in range(60):
            problem = replace(random_problem(rng, 9, 3, self.k, 4), max_withheld=2)
            solution = self.solve(problem)
            assert solution.n_withheld <= 2
            assert solution.loss <= self.solve(replace(problem, max_withheld=0)).loss
            assert solution.guarantee is None
            factor = self.algorithm.guarantee(replace(problem, max_withheld=0))
            assert solution.loss <= factor * optimum(problem.over(solution.group >= 0)) + 1e-9

    def test_groups_are_merged_for_other_criteria(self) -> None:
        rng = np.random.default_rng(28)
        demand = Demand(registry.find(privacy.CATALOG, "distinct-l-diversity"), "illness", {"l": 2.0})
        for _ in range(20):
            value = np.concatenate([[0, 1], rng.integers(0, 3, size=10)]).astype(np.int32)
            problem = replace(random_problem(rng, 12, 3, self.k, 3), demands=(demand,), sensitive=(value,))
            solution = self.solve(problem)
            assert solution.guarantee is None
            assert "merged" in solution.note
            assert all(len(set(value[solution.group == g])) >= 2 for g in range(solution.n_groups))

    def test_no_guarantee_is_said_where_there_is_none(self) -> None:
        solution = self.solve(random_problem(np.random.default_rng(26), 9, 3, self.k, 4, "non-uniform-entropy"))
        assert solution.guarantee is None
        assert "non-uniform-entropy" in solution.note

    def test_refuses_other_k_and_names_another(self) -> None:
        for k, other in self.others:
            reason = self.algorithm.refuses(random_problem(np.random.default_rng(0), 9, 2, k))
            assert reason is not None
            assert f"Take --algorithm {other}" in reason

    def test_fewer_rows_than_a_group_needs_are_infeasible(self) -> None:
        with pytest.raises(Infeasible):
            self.solve(make_problem([["a"]] * (self.k - 1), self.k))

"""What algorithms share: when there is no guarantee and why, too few rows, demands."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from shoal import privacy, registry
from shoal.algorithms import CATALOG
from shoal.algorithms.base import harmonic, meet_demands, promise, solve, too_few, why_none
from shoal.errors import Infeasible
from shoal.privacy.base import Demand
from shoal.problem import Problem, Watch
from tests.tables import make_problem, random_problem


def diverse(problem: Problem, value: list[int], least: float) -> Problem:
    demand = Demand(registry.find(privacy.CATALOG, "distinct-l-diversity"), "illness", {"l": least})
    return replace(problem, demands=(demand,), sensitive=(np.array(value, dtype=np.int32),))


@dataclass
class Factor:
    """A factor that was found, and what is proved of it."""

    weight: float
    bound: float

    @property
    def is_proved(self) -> bool:
        return self.bound >= self.weight


def test_no_guarantee_is_explained_by_what_it_lacks() -> None:
    problem = make_problem([["a"], ["b"], ["a"], ["b"]], 2)
    assert why_none(problem, "it") is None
    assert "criteria" in str(why_none(diverse(problem, [0, 1, 0, 1], 2.0), "it"))
    assert "freely, and it needs hierarchies" in str(
        why_none(replace(problem, columns=tuple(replace(c, free="subset") for c in problem.columns)), "it")
    )
    assert "non-uniform-entropy" in str(
        why_none(make_problem([["a"], ["b"], ["a"], ["b"]], 2, measure="non-uniform-entropy"), "it")
    )


@pytest.mark.parametrize(
    ("found", "factor", "words"),
    [
        (Factor(10.0, 10.0), 2.0, "proved optimal"),
        (Factor(10.0, 8.0), 2.5, "time was over before the factor was proved optimal"),
        (Factor(10.0, 0.0), None, "before anything was proved"),
    ],
)
def test_a_factor_that_is_not_proved_optimal_promises_less(found: Factor, factor: float | None, words: str) -> None:
    problem = make_problem([["a"], ["b"], ["a"], ["b"]], 2)
    told = promise(problem, 2.0, found, "factor")
    assert told["guarantee"] == factor
    assert words in str(told["note"])


def test_fewer_rows_than_k_are_withheld_or_infeasible() -> None:
    problem = make_problem([["a"], ["b"]], 3)
    with pytest.raises(Infeasible, match="let 2 rows be withheld"):
        too_few(problem)
    for allowed in (replace(problem, max_withheld=2), replace(problem, deletion=True)):
        solution = too_few(allowed)
        assert solution is not None
        assert solution.n_withheld == 2
    assert too_few(make_problem([["a"], ["b"], ["c"]], 3)) is None


def test_groups_are_merged_until_each_meets_every_demand() -> None:
    problem = diverse(random_problem(np.random.default_rng(2), 12, 2, 2), [0, 1, 2] * 4, 3.0)
    group = meet_demands(problem, (np.arange(12) // 2).astype(np.int32), Watch())
    values = problem.sensitive[0]
    assert all(len(set(values[group == g])) == 3 for g in set(group.tolist()))


def test_rows_that_were_left_out_come_back_where_the_demand_needs_them() -> None:
    problem = diverse(make_problem([["a"]] * 4, 2), [0, 0, 0, 1], 2.0)
    group = meet_demands(problem, np.array([0, 0, 0, -1], dtype=np.int32), Watch())
    assert group.tolist() == [0, 0, 0, 0]


def test_harmonic_numbers() -> None:
    assert harmonic(3) == pytest.approx(1 + 1 / 2 + 1 / 3)


@dataclass
class Patience(Watch):
    """Asks to stop once it was asked so many times whether to."""

    left: int

    def wants_stop(self) -> bool:
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("name", ["full-domain", "set-cover", "attribute-suppression", "k-member"])
@pytest.mark.parametrize("patience", [0, 1, 3, 10, 30])
def test_deletion_never_loses_more_than_its_absence_where_a_run_is_cut_short(name: str, patience: int) -> None:
    algorithm = registry.find(CATALOG, name)
    for seed in range(4):
        problem = random_problem(np.random.default_rng(seed), 40, 3, 3)
        kept = solve(problem, algorithm, Patience(patience))
        assert solve(replace(problem, deletion=True), algorithm, Patience(patience)).loss <= kept.loss + 1e-9

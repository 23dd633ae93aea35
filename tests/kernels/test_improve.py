"""The local search: what it says it costs is what it costs, it never gets worse when cold, and it keeps every
promise.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shoal import demands, kernels, measures, privacy, registry
from shoal.algorithms.exact import by_subsets
from shoal.kernels import Effort, Rows
from shoal.privacy.base import Demand
from shoal.problem import Problem, Watch, close
from shoal.search.constructions import runs, top_down
from shoal.search.neighbours import near_in_orders, near_tuples
from shoal.search.promises import can_search
from shoal.spaces import space_of
from tests.kernels.problems import rows_of
from tests.naive.optimum import optimum
from tests.tables import random_problem


def cost_of(problem: Problem, group: np.ndarray) -> float:
    """The loss before offsets, from the definition."""
    kept = problem.tuple_of_unit[group >= 0]
    return close(problem, group).loss + float(problem.offset_of_tuple[kept].sum())


def free(problem: Problem, kinds: list[str | None]) -> Problem:
    shown = [np.arange(c.tree.n_nodes, dtype=np.int32) for c in problem.columns]
    columns = [replace(c, free=kind, shown=s) for c, kind, s in zip(problem.columns, kinds, shown, strict=True)]
    return replace(problem, columns=tuple(columns))


@pytest.mark.parametrize("measure", list(measures.CATALOG))
@pytest.mark.parametrize("values", [4, 9, 90])
@pytest.mark.parametrize(
    "kinds", [[None, None, None], ["interval", "subset", None], ["subset", "subset", "interval"]], ids=str
)
def test_costs_what_it_says_and_never_gets_worse_when_cold(measure: str, values: int, kinds: list[str | None]) -> None:
    rng = np.random.default_rng(values)
    problem = free(random_problem(rng, 150, 3, 4, values, measure, deep=True), kinds)
    rows, group, part = rows_of(problem), runs(problem), np.arange(150, dtype=np.int32)
    before = cost_of(problem, group)
    for seed in range(6):
        outcome = rows.improve(group, part, 4, Effort(work=40_000, seed=seed))
        assert np.bincount(outcome.group, minlength=outcome.n_groups).min() >= 4
        after = cost_of(problem, outcome.group)
        if is_priced_as_shown(problem):
            assert outcome.cost == pytest.approx(after)
            assert after <= before + 1e-9
        else:
            assert outcome.cost >= after - 1e-9, "a set is priced as the smallest node around it, which costs no less"
        group, before = outcome.group, after


def is_priced_as_shown(problem: Problem) -> bool:
    """Whether the search can price the sets of this problem as the measure does: it declares a form for them, or no
    column shows subsets.
    """
    form = problem.measure.set_form
    return form is None or form.form is not None or not any(column.free == "subset" for column in problem.columns)


def test_hot_searches_cost_what_they_say_too() -> None:
    problem = random_problem(np.random.default_rng(8), 300, 4, 3, 6, "entropy", deep=True)
    outcome = rows_of(problem).improve(
        top_down(problem), np.arange(300, dtype=np.int32), 3, Effort(work=300_000, hot=5.0, cold=0.1)
    )
    assert outcome.cost == pytest.approx(cost_of(problem, outcome.group))
    assert np.bincount(outcome.group).min() >= 3


@pytest.mark.parametrize("seed", range(10))
def test_finds_the_optimum_of_small_tables(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, 11, 3, 3, 4, "tree", deep=True)
    outcome = rows_of(problem).improve(
        runs(problem), np.arange(11, dtype=np.int32), 3, Effort(work=100_000, hot=2.0, cold=0.01, seed=seed)
    )
    best = optimum(problem)
    assert best - 1e-9 <= cost_of(problem, outcome.group) <= 1.1 * best + 1e-9


def test_rows_leave_where_that_is_cheaper() -> None:
    problem = random_problem(np.random.default_rng(3), 200, 4, 4, 6, "entropy", deep=True)
    group, part = runs(problem), np.arange(200, dtype=np.int32)
    for leave in (0.5, 2.0, 5.0):
        outcome = rows_of(problem, leave).improve(group, part, 4, Effort(work=200_000))
        left = int((outcome.group < 0).sum())
        assert cost_of(problem, outcome.group) + leave * left <= cost_of(problem, group) + 1e-9
        assert left > 0 or leave == 5.0
        again = rows_of(problem, leave).improve(outcome.group, part, 4, Effort(work=50_000, seed=1))
        assert (
            cost_of(problem, again.group) + leave * int((again.group < 0).sum())
            <= cost_of(problem, outcome.group) + leave * left + 1e-9
        )


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("distinct-l-diversity", {"l": 3.0}),
        ("entropy-l-diversity", {"l": 2.0}),
        ("recursive-l-diversity", {"c": 2.0, "l": 2.0}),
        ("t-closeness", {"t": 0.4}),
        ("t-closeness", {"t": 0.25, "ordered": 1.0}),
    ],
)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_keeps_every_promise(name: str, what: dict[str, float], missing: float) -> None:
    """With missing cells too, by the meaning that the verifier has of them."""
    rng = np.random.default_rng(4)
    problem = random_problem(rng, 240, 3, 3, 5, "entropy", deep=True)
    value = rng.integers(0, 5, 240).astype(np.int32)
    value[rng.random(240) < missing] = 5
    problem = replace(
        problem, demands=(Demand(registry.find(privacy.CATALOG, name), "x", what, 5),), sensitive=(value,)
    )
    assert can_search(problem)
    group = demands.satisfy(problem, runs(problem), Watch())
    outcome = rows_of(problem).improve(group, np.arange(240, dtype=np.int32), 3, Effort(work=2_000_000))
    assert demands.are_met(problem, outcome.group).all()
    assert outcome.cost < 0.95 * cost_of(problem, group)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("distinct-l-diversity", {"l": 2.0}),
        ("entropy-l-diversity", {"l": 1.6}),
        ("recursive-l-diversity", {"c": 3.0, "l": 2.0}),
        ("t-closeness", {"t": 0.5}),
        ("t-closeness", {"t": 0.5, "ordered": 1.0}),
    ],
)
def test_missing_cells_forbid_nothing_that_is_allowed(name: str, what: dict[str, float], seed: int) -> None:
    """Against all partitions of ten rows, three of them without a sensitive value: what the search thinks broken is
    broken.
    """
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, 10, 2, 2, 3, "tree", deep=True)
    value = np.array([3, 3, 3, 0, 0, 0, 1, 1, 2, 2], dtype=np.int32)[rng.permutation(10)]
    problem = replace(
        problem, demands=(Demand(registry.find(privacy.CATALOG, name), "x", what, 3),), sensitive=(value,)
    )
    best = by_subsets(problem)
    found = [
        rows_of(problem).improve(
            np.zeros(10, dtype=np.int32),
            np.arange(10, dtype=np.int32),
            2,
            Effort(work=60_000, hot=2.0, cold=0.01, seed=s),
        )
        for s in range(4)
    ]
    assert all(demands.are_met(problem, outcome.group).all() for outcome in found)
    assert min(cost_of(problem, outcome.group) for outcome in found) == pytest.approx(best.loss, abs=1e-9)


def test_units_that_stand_for_many_rows_stay_together() -> None:
    problem = random_problem(np.random.default_rng(5), 60, 3, 4, 5, "entropy")
    n = problem.n_tuples
    unit = np.arange(n, dtype=np.int32)
    weight = np.where(unit % 7 == 0, 9, 1).astype(np.int32)
    rows = Rows(space_of(problem), problem.codes, near_tuples(problem), unit, weight, np.zeros(n))
    outcome = rows.improve(np.zeros(n, dtype=np.int32), unit, 4, Effort(work=200_000))
    assert np.bincount(outcome.group, weights=weight).min() >= 4
    assert outcome.n_groups > 1


def test_parts_keep_groups_whole() -> None:
    problem = random_problem(np.random.default_rng(6), 2000, 4, 5, 8, "entropy", deep=True)
    rows, group = rows_of(problem), runs(problem)
    part, n_parts = rows.parts(group, int(group.max()) + 1, 300, 1)
    assert 2 <= n_parts <= 7
    assert set(part.tolist()) == set(range(n_parts))
    for g in range(int(group.max()) + 1):
        assert len(set(part[group == g].tolist())) == 1
    other, _ = rows.parts(group, int(group.max()) + 1, 300, 2)
    assert (other != part).any()


def test_a_part_is_searched_by_itself() -> None:
    problem = random_problem(np.random.default_rng(6), 600, 4, 5, 8, "entropy", deep=True)
    rows, group = rows_of(problem), runs(problem)
    part, _ = rows.parts(group, int(group.max()) + 1, 200, 1)
    mine = np.flatnonzero(part == 0).astype(np.int32)
    one, two = (rows.improve(group, mine, 5, Effort(work=100_000, seed=3)) for _ in range(2))
    assert (one.group == two.group).all()
    assert len(one.group) == len(mine)


def test_refuses_what_does_not_fit() -> None:
    problem = random_problem(np.random.default_rng(0), 40, 2, 3)
    rows, all_rows = rows_of(problem), np.arange(40, dtype=np.int32)
    with pytest.raises(ValueError, match="fewer than k"):
        rows.improve(all_rows.copy(), all_rows, 3, Effort(work=10))
    with pytest.raises(ValueError, match="none may leave"):
        rows.improve(np.full(40, -1, dtype=np.int32), all_rows, 3, Effort(work=10))
    with pytest.raises(IndexError):
        rows.improve(runs(problem), all_rows + 1, 3, Effort(work=10))
    near, ones = near_tuples(problem), np.ones(40, dtype=np.int32)
    with pytest.raises(IndexError, match="no leaf"):
        Rows(space_of(problem), problem.codes + 99, near, problem.tuple_of_unit, ones, np.zeros(problem.n_tuples))


def test_near_in_orders_lists_other_tuples() -> None:
    problem = random_problem(np.random.default_rng(1), 300, 3, 2, 9)
    near = near_in_orders(problem, 30, 1)
    assert near.shape == (problem.n_tuples, 30)
    assert (near != np.arange(problem.n_tuples)[:, None]).all()
    assert kernels.can_prune(problem.packed, problem.codes, 5, np.arange(10, dtype=np.int32)) in (True, False)

"""FOREST and DECOMPOSE-COMPONENT."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import kernels
from shoal.algorithms.forest import FOREST, factor, grow
from shoal.errors import Infeasible
from shoal.problem import Watch, close
from tests.naive.optimum import optimum
from tests.naive.trees import all_trees, spans_are_disjoint, towards
from tests.tables import PAID_ALIKE, make_problem, random_problem


def decompose(to: list[int], k: int, length: np.ndarray | None = None) -> list[int]:
    far = np.zeros(len(to)) if length is None else length
    return kernels.decompose(np.array(to, dtype=np.int32), far, k).tolist()


def holds(to: list[int], group: list[int], k: int) -> bool:
    sizes = np.bincount(group)
    return bool(sizes.min() >= k and sizes.max() <= factor(k) and spans_are_disjoint(to, group))


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_all_small_trees_are_cut_well_from_every_root(k: int) -> None:
    rng = np.random.default_rng(k)
    for n in range(k, 12):
        for tree in all_trees(n):
            for root in range(n):
                to = towards(n, tree, root)
                assert holds(to, decompose(to, k, rng.random(n)), k), (tree, root)


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_all_trees_up_to_fourteen_vertices_are_cut_well(k: int) -> None:
    for n in (12, 13, 14):
        for tree in all_trees(n):
            to = towards(n, tree, 0)
            assert holds(to, decompose(to, k), k), tree


def test_the_star_on_which_the_printed_form_leaves_a_group_of_one() -> None:
    to = [-1, 0, 0, 0, 0, 0]
    assert sorted(np.bincount(decompose(to, 2)).tolist()) == [2, 2, 2]


@pytest.mark.parametrize("k", [3, 4, 5, 6])
def test_the_spider_on_which_the_printed_form_fails_from_every_start(k: int) -> None:
    to = [-1] + [0 if i % (k - 1) == 0 else i for i in range(4 * (k - 1))]
    assert holds(to, decompose(to, k), k)


def test_large_random_trees_are_cut_well() -> None:
    rng = np.random.default_rng(1)
    for k in (2, 3, 5, 9):
        for _ in range(60):
            n = int(rng.integers(k, 200))
            to = [-1] + [int(rng.integers(max(0, v - 1 - int(rng.integers(0, 40))), v)) for v in range(1, n)]
            assert holds(to, decompose(to, k, rng.random(n)), k)


def test_a_cycle_is_an_error() -> None:
    with pytest.raises(ValueError, match="cycle"):
        decompose([1, 2, 0], 2)


@settings(deadline=None)
@given(
    seed=st.integers(0, 10**9),
    n=st.integers(2, 9),
    k=st.integers(2, 4),
    q=st.integers(1, 3),
    measure=st.sampled_from(PAID_ALIKE),
    deep=st.booleans(),
)
def test_never_beyond_the_guarantee(seed: int, n: int, k: int, q: int, measure: str, deep: bool) -> None:
    problem = random_problem(np.random.default_rng(seed), n, q, k, values=4, measure=measure, deep=deep)
    if n < k:
        with pytest.raises(Infeasible, match="a group needs"):
            FOREST.solve(problem, Watch())
        return
    solution = FOREST.solve(problem, Watch())
    best = optimum(problem)
    assert np.bincount(solution.group).min() >= k
    assert solution.guarantee == factor(k)
    assert best - 1e-9 <= solution.loss <= factor(k) * best + 1e-9


def test_lemma_3_the_edges_weigh_no_more_than_the_distances_to_the_companions() -> None:
    for seed in range(30):
        problem = random_problem(np.random.default_rng(seed), 40, 3, 4, values=5, measure="tree", deep=True)
        index, distance = kernels.neighbours(problem.packed, problem.codes, problem.weight, problem.k - 1)
        to, length = kernels.grow_forest(problem.weight, problem.k, index, distance)
        farthest = kernels.companion_distances(problem.packed, problem.codes, problem.weight, problem.k - 1)
        assert (length[to >= 0] <= farthest[to >= 0]).all()


def test_equal_rows_stay_together_at_no_cost() -> None:
    problem = make_problem([["a"]] * 23 + [["b"]] * 7, 3)
    solution = FOREST.solve(problem, Watch())
    assert solution.loss == 0
    sizes = np.bincount(solution.group)
    assert sizes.min() >= 3
    assert sizes.max() <= factor(3)


def test_tables_with_the_same_distances_have_different_costs() -> None:
    """Paper 000, end of section 3: the two instances have the same distances and costs k²l and k(4l − 2)."""
    for k in (3, 4):
        l = 2 ** (k - 2)
        one = [["1" if i * l <= c < (i + 1) * l else "0" for c in range(k * l)] for i in range(k)]
        two = [["1" if (c // (4 * l // 2 ** (i + 1))) % 2 == 0 else "0" for c in range(4 * l)] for i in range(k)]
        assert FOREST.solve(make_problem(one, k), Watch()).loss == k * k * l
        varying = [c for c in range(4 * l) if len({row[c] for row in two}) > 1]
        assert FOREST.solve(make_problem(two, k), Watch()).loss == k * len(varying)
        assert len(varying) == 4 * l - 2


def test_attribute_weights_decide_which_column_is_kept() -> None:
    rows = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]]
    kept_first = FOREST.solve(make_problem(rows, 2, weights=[3.0, 1.0]), Watch())
    assert kept_first.group[0] == kept_first.group[1]
    assert kept_first.loss == 4


def test_withheld_rows_save_most_and_the_rest_keeps_the_guarantee() -> None:
    rows = [["a", "a"]] * 3 + [["b", "b"]] * 3 + [["z", "y"]]
    without = FOREST.solve(make_problem(rows, 3), Watch())
    solution = FOREST.solve(make_problem(rows, 3, max_withheld=1), Watch())
    assert without.loss > 0
    assert solution.loss == 0
    assert solution.group[6] == -1
    assert solution.n_withheld == 1
    assert "same rows" in solution.note


def test_never_withholds_more_than_allowed_nor_breaks_a_group() -> None:
    for seed in range(40):
        for most in (1, 3, 10, 100):
            problem = random_problem(np.random.default_rng(seed), 40, 3, 4, values=5, measure="entropy", deep=True)
            allowed = replace(problem, max_withheld=most)
            solution = FOREST.solve(allowed, Watch())
            assert solution.n_withheld <= most
            assert np.bincount(solution.group[solution.group >= 0]).min() >= 4
            assert solution.loss <= FOREST.solve(problem, Watch()).loss + 1e-9


def test_deletion_pays_the_full_price_and_only_where_it_saves() -> None:
    rows = [["a", "a", "a"]] * 9 + [["z", "y", "x"]]
    problem = make_problem(rows, 9, deletion=True)
    kept = grow(problem)
    solution = FOREST.solve(problem, Watch())
    assert close(problem, kept).loss == 30
    assert solution.n_withheld == 1
    assert solution.loss == problem.price_of_suppression == 3


def test_it_makes_the_same_groups_every_time() -> None:
    problem = random_problem(np.random.default_rng(11), 800, 4, 5, values=8, measure="entropy", deep=True)
    assert (FOREST.solve(problem, Watch()).group == FOREST.solve(problem, Watch()).group).all()


def test_other_criteria_are_met_by_merging() -> None:
    from shoal import privacy, registry
    from shoal.demands import are_met
    from shoal.privacy.base import Demand

    rng = np.random.default_rng(12)
    problem = random_problem(rng, 60, 3, 3, values=4, measure="tree", deep=True)
    name = next(n for n in registry.names(privacy.CATALOG) if "distinct" in n)
    demand = Demand(registry.find(privacy.CATALOG, name), "illness", {"l": 2.0})
    asked = replace(problem, demands=(demand,), sensitive=((rng.random(60) < 0.2).astype(np.int32),))
    solution = FOREST.solve(asked, Watch())
    assert are_met(asked, solution.group).all()
    assert solution.guarantee is None
    assert "No guarantee" in solution.note


def test_stopped_before_the_neighbours_are_known_it_still_answers_and_promises_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*rows: object, **options: object) -> None:
        raise InterruptedError

    monkeypatch.setattr("shoal.kernels.neighbours", interrupted)
    problem = random_problem(np.random.default_rng(4), 100, 3, 4, values=5, measure="tree", deep=True)
    solution = FOREST.solve(problem, Watch())
    assert np.bincount(solution.group).min() >= 4
    assert solution.guarantee is None
    assert "Stopped" in solution.note

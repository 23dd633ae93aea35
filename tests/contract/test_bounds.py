"""Every bound of the catalog stays below the exhaustive optimum, for every measure, with weights and folded rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import bounds, measures, registry
from shoal.algorithms.exact import EXACT
from shoal.errors import Infeasible, Refused
from shoal.hierarchies.rows import tree_from_rows
from shoal.hierarchies.tree import Tree
from shoal.privacy.base import Demand
from shoal.privacy.distinct_l_diversity import DISTINCT_L_DIVERSITY
from shoal.problem import Problem, Watch, quasi_identifier
from tests.naive.boxes import is_feasible
from tests.naive.free import free_optimum
from tests.naive.optimum import optimum
from tests.naive.released import least_paid
from tests.tables import make_problem, numbers_with_gaps

MEASURES = registry.names(measures.CATALOG)
NAMES = registry.names(bounds.CATALOG)


def random_tree(rng: np.random.Generator, values: int) -> Tree:
    """A hierarchy of up to four levels, unbalanced as often as not."""
    rows = [[str(v)] for v in range(values)]
    block = np.arange(values)
    for level in range(int(rng.integers(0, 4))):
        n_blocks = int(block.max()) + 1
        merged = rng.integers(0, max(n_blocks - 1, 1), size=n_blocks)
        _, merged = np.unique(merged, return_inverse=True)
        block = merged[block]
        for v in range(values):
            rows[v].append(f"{level}:{block[v]}")
    for row in rows:
        row.append("*")
    return tree_from_rows(rows)


def random_table(rng: np.random.Generator, measure: str) -> Problem:
    k = int(rng.integers(2, 5))
    n, q, values = int(rng.integers(k, 10)), int(rng.integers(1, 4)), int(rng.integers(2, 6))
    cells = rng.integers(0, values, size=(n, q))
    if rng.random() < 0.5:  # repeat some rows
        cells = cells[rng.integers(0, n, size=n)]
    weights = [float(w) for w in rng.choice([0.5, 1.0, 3.0], size=q)] if rng.random() < 0.5 else None
    trees = [random_tree(rng, values) for _ in range(q)]
    return make_problem([[str(v) for v in row] for row in cells], k, trees, measure, weights)


def demanding(rng: np.random.Generator, problem: Problem) -> Problem:
    """The same where every group must hold two or three different sensitive values; some of them may be missing."""
    value = rng.integers(0, 4, size=problem.n_rows).astype(np.int32)
    missing = 4 if rng.random() < 0.5 else None
    if missing is not None:
        value[rng.random(problem.n_rows) < 0.2] = missing
    asked = Demand(DISTINCT_L_DIVERSITY, "illness", {"l": int(rng.integers(2, 4))}, missing)
    return replace(problem, demands=(asked,), sensitive=(value,))


def with_missing(rng: np.random.Generator, problem: Problem) -> Problem:
    """The same where one value of some columns is a missing cell that is starred whatever happens: one that lies right below the root."""
    columns = []
    for c in problem.columns:
        below = [v for v in range(c.tree.n_leaves) if c.tree.parent[v] == c.tree.root]
        if below and c.free is None and rng.random() < 0.7:
            c = quasi_identifier(c.name, c.tree, c.count, problem.measure, c.weight, starred=int(rng.choice(below)))
        columns.append(c)
    return replace(problem, columns=tuple(columns))


def check(problem: Problem, optimal: float) -> None:
    for name in NAMES:
        try:
            bound = registry.find(bounds.CATALOG, name).compute(problem, Watch())
        except Refused:
            continue
        assert bound.value <= optimal + 1e-9, name
        if bound.prices is not None and problem.is_laminar:
            assert is_feasible(problem, bound.prices.tolist(), cuts=bound.cuts), name
            each = np.repeat(bound.prices - problem.offset_of_tuple, problem.weight)
            worth = each.sum() - np.maximum(np.sort(each)[problem.n_rows - problem.max_withheld :], 0.0).sum()
            worth -= sum(cut.price * (problem.weight[cut.tuples].sum() // problem.k) for cut in bound.cuts)
            assert worth >= bound.value - 1e-9


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES))
def test_never_above_the_optimum(seed: int, measure: str) -> None:
    problem = random_table(np.random.default_rng(seed), measure)
    check(problem, optimum(problem))


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES))
def test_never_above_the_optimum_of_free_generalizations(seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    problem = random_table(rng, measure)
    kinds = rng.choice(["interval", "subset", ""], size=problem.n_columns)
    columns = tuple(replace(c, free=str(kind) or None) for c, kind in zip(problem.columns, kinds, strict=True))
    problem = replace(problem, columns=columns)
    check(problem, free_optimum(problem))


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES))
def test_never_above_the_optimum_of_groups_that_must_be_diverse(seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    problem = demanding(rng, random_table(rng, measure))
    if rng.random() < 0.3:
        kinds = rng.choice(["interval", "subset", ""], size=problem.n_columns)
        problem = replace(
            problem, columns=tuple(replace(c, free=str(kind) or None) for c, kind in zip(problem.columns, kinds, strict=True))
        )
    check(problem, free_optimum(problem))


@settings(deadline=None, max_examples=100)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES))
def test_never_above_the_optimum_of_starred_missing_cells(seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    problem = with_missing(rng, random_table(rng, measure))
    check(problem, optimum(problem))


def leaving(rng: np.random.Generator, problem: Problem) -> Problem:
    """The same where any row may be deleted at the price of a row of stars, or some rows withheld for nothing."""
    if rng.random() < 0.5:
        return replace(problem, deletion=True)
    return replace(problem, max_withheld=int(rng.integers(1, problem.n_rows + 1)))


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES))
def test_never_above_the_optimum_over_all_choices_of_rows_that_leave(seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    problem = leaving(rng, random_table(rng, measure))
    if rng.random() < 0.3:
        problem = demanding(rng, problem)
    check(problem, least_paid(problem))


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES))
def test_never_above_the_optimum_of_free_columns_over_all_choices_of_rows_that_leave(seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    problem = leaving(rng, random_table(rng, measure))
    kinds = rng.choice(["interval", "subset"], size=problem.n_columns)
    problem = replace(problem, columns=tuple(replace(c, free=str(kind)) for c, kind in zip(problem.columns, kinds, strict=True)))
    check(problem, free_optimum(problem))


@pytest.mark.parametrize("measure", MEASURES)
def test_never_above_the_optimum_of_numbers_with_gaps(measure: str) -> None:
    """A missing cell beside numbers shows the whole domain, and widths are not counts of values."""
    rng = np.random.default_rng(7)
    for _ in range(40):
        problem = numbers_with_gaps(rng, measure)
        optimal = free_optimum(problem)
        check(problem, optimal)
        found = EXACT.solve(problem, Watch())
        assert found.loss >= optimal - 1e-9
        assert found.bound is None or found.bound.value <= optimal + 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_rows_that_were_withheld_do_not_count(name: str) -> None:
    problem = make_problem([["a", "x"]] * 3 + [["b", "y"]] * 3 + [["c", "z"]], 3)
    released = np.array([True] * 6 + [False])
    assert registry.find(bounds.CATALOG, name).compute(problem.over(released), Watch()).value == 0


@pytest.mark.parametrize("name", NAMES)
def test_nothing_released_costs_nothing_and_too_few_rows_have_no_release(name: str) -> None:
    problem = make_problem([["a", "x"]] * 2 + [["b", "y"]], 4)
    method = registry.find(bounds.CATALOG, name)
    assert method.compute(problem.over(np.zeros(3, dtype=bool)), Watch()).value == 0
    with pytest.raises(Infeasible, match="no release"):
        method.compute(problem, Watch())


def test_each_stronger_bound_proves_at_least_as_much() -> None:
    for seed in range(40):
        problem = random_table(np.random.default_rng(seed), "tree")
        near, box, dual = (registry.find(bounds.CATALOG, n).compute(problem, Watch()).value for n in ("neighbour", "box", "dual"))
        assert near <= box + 1e-9
        assert box <= dual + 1e-9
        assert bounds.best(problem, Watch()).value >= dual


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("measure", MEASURES)
def test_never_above_the_optimum_of_many_small_tables(measure: str) -> None:
    rng = np.random.default_rng(20)
    for _ in range(3400):
        problem = random_table(rng, measure)
        check(problem, optimum(problem))

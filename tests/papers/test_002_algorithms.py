"""Gionis and Tassa, k-anonymization with minimal loss of information, section 6: the lemmas and the theorem behind set-cover."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import measures, registry
from shoal.algorithms.base import harmonic
from shoal.algorithms.set_cover import SET_COVER
from shoal.measures.base import Sets
from shoal.problem import Problem, Watch
from tests.contract.test_algorithms import random_table
from tests.naive.cover import candidates, greedy, make_partition, price
from tests.naive.released import least_paid
from tests.tables import flat_tree

MONOTONE = ["stars", "tree", "lm", "entropy", "monotone-entropy"]


@st.composite
def tables(draw: st.DrawFn, n: int = 7) -> Problem:
    seed = draw(st.integers(0, 2**32 - 1))
    return random_table(np.random.default_rng(seed), draw(st.sampled_from(MONOTONE)), draw(st.sampled_from([2, 3])), n=n)


def some_rows(problem: Problem, rng: np.random.Generator) -> frozenset[int]:
    size = int(rng.integers(1, problem.n_rows + 1))
    return frozenset(int(i) for i in rng.choice(problem.n_rows, size=size, replace=False))


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(0, 1000))
def test_lemma_6_3_sets_that_meet_cost_together_no_more_than_apart(problem: Problem, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(20):
        s, t = some_rows(problem, rng), some_rows(problem, rng)
        if s & t:
            assert price(problem, s | t) <= price(problem, s) + price(problem, t) + 1e-9


def test_lemma_6_3_fails_where_any_subset_may_be_shown() -> None:
    """The example after the lemma: values 1, 2, 3 with probabilities ½ − ε, 2ε, ½ − ε."""
    count = np.array([495, 10, 495], dtype=np.int64)
    sets = Sets(np.array([0, 2, 4, 7]), np.array([0, 1, 1, 2, 0, 1, 2], dtype=np.int32))
    for name in ("entropy", "monotone-entropy"):
        s, t, union = registry.find(measures.CATALOG, name).set_price(flat_tree(["1", "2", "3"]), count, sets)
        assert union > s + t


@settings(max_examples=40, deadline=None)
@given(tables())
def test_lemma_6_4_the_loss_lies_between_k_and_2k_minus_1_times_the_prices_of_the_groups(problem: Problem) -> None:
    k, solution = problem.k, SET_COVER.solve(problem, Watch())
    groups = [frozenset(np.flatnonzero(solution.group == g).tolist()) for g in range(solution.n_groups)]
    assert all(k <= len(g) <= 2 * k - 1 for g in groups)
    total = sum(price(problem, g) for g in groups)
    assert k * total - 1e-7 <= solution.loss <= (2 * k - 1) * total + 1e-7


@settings(max_examples=40, deadline=None)
@given(tables(n=6), st.integers(0, 1000))
def test_the_greedy_over_boxes_is_the_greedy_over_subsets(problem: Problem, seed: int) -> None:
    """Whatever is covered, the cheapest box has the price of the cheapest subset."""
    rng, k = np.random.default_rng(seed), problem.k
    everything = frozenset(range(problem.n_rows))
    sets = candidates(problem)
    boxes = {closure(problem, frozenset(c)) for size in range(k, problem.n_rows + 1) for c in combinations(everything, size)}
    for _ in range(5):
        covered = frozenset(int(i) for i in np.flatnonzero(rng.random(problem.n_rows) < 0.5))
        if covered == everything:
            continue
        by_subset = min(p / len(s - covered) for s, p in sets.items() if s - covered)
        by_box = min(price(problem, b) / min(2 * k - 1, len(b - covered)) for b in boxes if b - covered)
        assert by_box == pytest.approx(by_subset)


def closure(problem: Problem, rows: frozenset[int]) -> frozenset[int]:
    """All rows in the least box that holds some."""
    least = price(problem, rows)
    inside = set(rows)
    for i in range(problem.n_rows):
        nodes_same = all(node_of(problem, rows, j) == node_of(problem, rows | {i}, j) for j in range(problem.n_columns))
        if nodes_same:
            inside.add(i)
    assert price(problem, frozenset(inside)) == pytest.approx(least)
    return frozenset(inside)


def node_of(problem: Problem, rows: frozenset[int], j: int) -> int:
    leaves = [int(problem.codes[problem.tuple_of_unit[i], j]) for i in rows]
    node = leaves[0]
    for leaf in leaves[1:]:
        node = problem.columns[j].tree.join(node, leaf)
    return node


@settings(max_examples=25, deadline=None)
@given(tables())
def test_24_the_greedy_cover_is_within_h_of_the_best_and_phase_2_keeps_prices_and_sizes(problem: Problem) -> None:
    k, cover = problem.k, greedy(problem)
    spent = sum(price(problem, s) for s in cover)
    assert spent <= harmonic(2 * k - 1) * least_cover(problem) + 1e-9
    groups = make_partition(cover, k)
    assert sorted(i for g in groups for i in g) == list(range(problem.n_rows))
    assert all(k <= len(g) <= 2 * k - 1 for g in groups)
    assert sum(price(problem, g) for g in groups) <= spent + 1e-9


def least_cover(problem: Problem) -> float:
    sets = [(sum(1 << i for i in s), p) for s, p in candidates(problem).items()]
    best = [0.0] + [math.inf] * ((1 << problem.n_rows) - 1)
    for mask in range(1, 1 << problem.n_rows):
        best[mask] = min(best[mask & ~members] + p for members, p in sets if members & mask & -mask)
    return best[-1]


def test_phase_2_takes_a_row_from_the_larger_set_or_unites_two_of_k() -> None:
    a, b = frozenset({0, 1, 2}), frozenset({2, 3})
    assert make_partition([a, b], 2) == [frozenset({0, 1}), frozenset({2, 3})]
    assert make_partition([b, a], 2) == [frozenset({2, 3}), frozenset({0, 1})]
    assert make_partition([frozenset({0, 1}), frozenset({1, 2})], 2) == [frozenset({0, 1, 2})]


@settings(max_examples=20, deadline=None)
@given(tables(n=6))
def test_a_group_of_2k_rows_splits_at_no_cost(problem: Problem) -> None:
    """'Greater than 2k' in section 6.2 should be 'at least 2k': two halves of k cost no more."""
    rows = frozenset(range(2 * problem.k))
    half = frozenset(range(problem.k))
    if problem.n_rows >= 2 * problem.k:
        halves = problem.k * (price(problem, half) + price(problem, rows - half))
        assert halves <= 2 * problem.k * price(problem, rows) + 1e-9


@settings(max_examples=30, deadline=None)
@given(tables(n=6))
def test_theorem_6_6_loss_within_the_factor(problem: Problem) -> None:
    factor = SET_COVER.guarantee(problem)
    assert factor is not None
    assert SET_COVER.solve(problem, Watch()).loss <= factor * least_paid(problem) + 1e-7


def test_the_factor_is_below_that_of_the_paper() -> None:
    for k in range(2, 500):
        assert (2 - 1 / k) * harmonic(2 * k - 1) < 2 * (1 + math.log(2 * k))


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(0, 1000))
def test_lemma_6_8_a_tree_weighs_no_less_than_its_closure_costs(problem: Problem, seed: int) -> None:
    rng = np.random.default_rng(seed)
    order = rng.permutation(problem.n_rows)
    weight, members = 0.0, {int(order[0])}
    for v in order[1:]:  # a random tree, vertex by vertex
        u = int(rng.choice(sorted(members)))
        weight += price(problem, frozenset({u, int(v)}))
        members.add(int(v))
        assert price(problem, frozenset(members)) <= weight + 1e-9

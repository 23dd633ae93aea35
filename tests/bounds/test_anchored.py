"""Prices that no k rows are overcharged by, whatever their columns may show (docs/guarantees.md)."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from shoal.bounds import anchored, neighbour
from shoal.errors import Refused
from shoal.problem import Problem, Watch
from tests.contract.test_bounds import MEASURES, random_table
from tests.naive.free import cheapest_superset, free_optimum
from tests.naive.optimum import optimum
from tests.tables import random_problem

SHARES = [(10**9, 10**9), (1, 1), (30, 1), (1, 60)]
"""Work for each row, and for those that take more, together: enough, none at all, a little of one or the other."""


def freed(rng: np.random.Generator, problem: Problem) -> Problem:
    kinds = rng.choice(["interval", "subset", ""], size=problem.n_columns)
    return replace(
        problem,
        columns=tuple(replace(c, free=str(kind) or None) for c, kind in zip(problem.columns, kinds, strict=True)),
    )


def rising(problem: Problem, each: int, later: int, turns: int) -> anchored.AnchoredPrices:
    class Cut(anchored.AnchoredPrices):
        def begin(self) -> Any:
            found = super().begin()
            self.each, self.later, self.most_walk = each, later, later
            return found

    prices = Cut(problem)
    for _ in range(turns):
        prices.turn(10)
    return prices


def dearest(problem: Problem, prices: np.ndarray) -> float:
    """By trying all k rows: the largest sum of their prices over k times the least that a group with them pays."""
    codes, of_row = problem.codes[problem.tuple_of_unit], prices[problem.tuple_of_unit]
    worst = 0.0
    for rows in combinations(range(problem.n_rows), problem.k):
        price = 0.0
        for j, column in enumerate(problem.columns):
            leaves = frozenset(codes[list(rows), j].tolist())
            if column.free is not None:
                price += cheapest_superset(problem, column, leaves)
            else:
                node = min(leaves)
                for leaf in leaves:
                    node = column.tree.join(node, leaf)
                price += float(column.price[node])
        paid = float(of_row[list(rows)].sum())
        worst = max(worst, paid / (problem.k * price) if price > 0 else (0.0 if paid <= 1e-12 else np.inf))
    return worst


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("share", SHARES, ids=["whole", "cut-off", "later-cut-off", "each-cut-off"])
def test_it_never_passes_the_optimum(measure: str, share: tuple[int, int]) -> None:
    rng = np.random.default_rng([MEASURES.index(measure), *share])
    for turn in range(12):
        problem = random_table(rng, measure)
        problem = freed(rng, problem) if turn % 3 else problem
        best = optimum(problem) if problem.is_laminar else free_optimum(problem)
        assert rising(problem, *share, turns=turn % 4).result().bound.value <= best + 1e-9


@pytest.mark.parametrize("share", SHARES, ids=["whole", "cut-off", "later-cut-off", "each-cut-off"])
def test_no_k_rows_are_overcharged(share: tuple[int, int]) -> None:
    """A row whose walk was cut off had its price lowered by itself: the rows below it, together in a set with it, must
    hold without it too.
    """
    rng = np.random.default_rng(share)
    for turn in range(30):
        problem = random_table(rng, MEASURES[turn % len(MEASURES)])
        problem = freed(rng, problem) if turn % 3 else problem
        found = rising(problem, *share, turns=2).result().bound
        assert found.prices is not None
        assert dearest(problem, found.prices) <= 1.0 + 1e-9


@pytest.mark.parametrize("measure", ["lm", "entropy", "non-uniform-entropy"])
def test_it_is_far_above_the_neighbours_where_columns_are_free(measure: str) -> None:
    problem = random_problem(np.random.default_rng(3), 200, 4, 5, values=6, measure=measure)
    problem = replace(problem, columns=tuple(replace(c, free="subset") for c in problem.columns))
    near = neighbour.NEIGHBOUR.compute(problem, Watch()).value
    found = anchored.ANCHORED.compute(problem, Watch())
    assert found.name == "anchored"
    assert found.value > 1.2 * near


def test_the_cheapest_superset_of_a_wide_subset_is_known_to_the_kernel() -> None:
    """Entropy is not monotone: two rare values cost less with a frequent one beside them.

    20 leaves are too many for a table of all subsets.
    """
    rng = np.random.default_rng(5)
    problem = random_problem(rng, 60, 2, 2, values=20, measure="entropy")
    count = np.full(20, 1, dtype=np.int64)
    count[7] = 500
    columns = tuple(replace(c, free="subset", count=count) for c in problem.columns)
    problem = replace(problem, columns=columns)
    space = anchored.space_of(problem)
    assert space.n_leaves == (20, 20)
    table = neighbour.pair_tables(problem)[0]
    assert table[0, 1] < 1.0, "with the frequent value it costs less than the one bit of two"
    prices = rising(problem, 10**9, 10**9, turns=2).result().bound
    assert prices.prices is not None
    assert dearest_pair(problem, prices.prices) <= 1.0 + 1e-9


def dearest_pair(problem: Problem, prices: np.ndarray) -> float:
    """The same for pairs of rows, the cheapest superset by adding frequent values one after the other."""

    def least(column: Any, a: int, b: int) -> float:
        if a == b:
            return 0.0
        counts = [float(column.count[a]), float(column.count[b])]
        others = sorted((float(c) for v, c in enumerate(column.count) if v not in (a, b)), reverse=True)
        best = np.inf
        for more in range(len(others) + 1):
            p = np.array([*counts, *others[:more]])
            p = p / p.sum()
            best = min(best, float(-(p * np.log2(p)).sum()))
        return best * float(column.weight)

    worst = 0.0
    for u, v in combinations(range(problem.n_tuples), 2):
        price = sum(least(c, int(problem.codes[u, j]), int(problem.codes[v, j])) for j, c in enumerate(problem.columns))
        worst = max(worst, float(prices[u] + prices[v]) / (2 * price))
    return worst


def test_many_distinct_rows_are_refused_with_another_name() -> None:
    problem = random_problem(np.random.default_rng(1), 40, 2, 2, values=30)
    most, anchored.MOST_TUPLES = anchored.MOST_TUPLES, 10
    try:
        with pytest.raises(Refused, match="dual"):
            anchored.ANCHORED.compute(problem, Watch())
    finally:
        anchored.MOST_TUPLES = most

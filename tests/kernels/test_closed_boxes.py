"""The walk over closed boxes, prices in boxes, groups by levels, and the program over subsets, each against the obvious
way.
"""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from shoal.kernels.closed_boxes import box_slack, closed_boxes, subset_optimum, subset_prices
from shoal.problem import Problem
from tests.contract.test_algorithms import random_table
from tests.naive.optimum import group_price, optimum
from tests.tables import flat_tree, make_problem


def naive_boxes(problem: Problem) -> dict[frozenset[int], float]:
    """The tuples of every box (one node per column) that holds at least k rows, at the least price of such a box."""
    found: dict[frozenset[int], float] = {}
    nodes = [[(v, set(c.tree.leaves_below(v).tolist())) for v in range(c.tree.n_nodes)] for c in problem.columns]
    for box in product(*nodes):
        tuples = frozenset(
            t
            for t in range(problem.n_tuples)
            if all(int(problem.codes[t, j]) in box[j][1] for j in range(problem.n_columns))
        )
        if tuples and problem.weight[sorted(tuples)].sum() >= problem.k:
            price = sum(float(c.price[box[j][0]]) for j, c in enumerate(problem.columns))
            found[tuples] = min(price, found.get(tuples, float("inf")))
    return found


@pytest.mark.parametrize("n", [5, 12, 40])
def test_every_closed_box_is_met_once(n: int) -> None:
    rng = np.random.default_rng(n)
    for k, measure in product((2, 3), ("tree", "entropy", "stars")):
        problem = random_table(rng, measure, k, n=n)
        boxes = closed_boxes(problem.packed, problem.codes, problem.weight, k, np.inf, 10_000, 100_000)
        assert boxes is not None
        met = {
            frozenset(boxes.tuples[a:b].tolist()): p
            for a, b, p in zip(boxes.start, boxes.start[1:], boxes.price, strict=False)
        }
        assert len(met) == len(boxes)
        expected = naive_boxes(problem)
        assert met.keys() == expected.keys()
        assert all(met[b] == pytest.approx(expected[b]) for b in met)


def test_only_boxes_below_a_price_and_none_where_they_are_too_many() -> None:
    problem = random_table(np.random.default_rng(0), "tree", 2, n=20)
    every = closed_boxes(problem.packed, problem.codes, problem.weight, 2, np.inf, 10_000, 100_000)
    assert every is not None
    middle = float(np.median(every.price))
    cheap = closed_boxes(problem.packed, problem.codes, problem.weight, 2, middle, 10_000, 100_000)
    assert cheap is not None
    assert sorted(cheap.price) == sorted(p for p in every.price if p < middle)
    assert closed_boxes(problem.packed, problem.codes, problem.weight, 2, np.inf, 2, 100_000) is None
    assert closed_boxes(problem.packed, problem.codes, problem.weight, 2, np.inf, 10_000, 3) is None


def test_a_merge_sort_is_taken_for_few_rows_of_many_values() -> None:
    rows = np.random.default_rng(2).permutation(2000)[:60]
    tree = flat_tree([f"{i:04}" for i in range(2000)])
    problem = make_problem([[f"{v:04}", str(v % 3)] for v in rows], 2, [tree, flat_tree(["0", "1", "2"])])
    boxes = closed_boxes(problem.packed, problem.codes, problem.weight, 2, np.inf, 1000, 10_000)
    assert boxes is not None
    assert sorted(boxes.price) == [1, 1, 1, 2]


def test_slack_is_k_prices_less_the_k_highest() -> None:
    rng = np.random.default_rng(3)
    for k in (1, 2, 5):
        problem = random_table(rng, "tree", k, n=30)
        boxes = closed_boxes(problem.packed, problem.codes, problem.weight, k, np.inf, 10_000, 100_000)
        assert boxes is not None
        y = rng.normal(size=problem.n_tuples)
        slack, kth = box_slack(boxes, problem.weight, k, y)
        for b in range(len(boxes)):
            tuples = boxes.tuples[boxes.start[b] : boxes.start[b + 1]]
            rows = np.sort(np.repeat(y[tuples], problem.weight[tuples]))[::-1][:k]
            assert slack[b] == pytest.approx(k * boxes.price[b] - rows.sum())
            assert kth[b] == rows[-1]


def test_subsets_have_the_price_of_their_closure_and_the_best_partition() -> None:
    problem = random_table(np.random.default_rng(4), "lm", 2, n=8)
    rows = np.ascontiguousarray(problem.codes[problem.tuple_of_unit])
    each = subset_prices(problem.packed, rows)
    size = np.array([bin(m).count("1") for m in range(256)])
    for members in (c for s in (1, 3, 8) for c in combinations(range(8), s)):
        assert each[sum(1 << i for i in members)] * len(members) == pytest.approx(group_price(problem, list(members)))
    best, taken = subset_optimum(np.where((size >= 2) & (size <= 3), each * size, np.inf))
    assert best[255] == pytest.approx(optimum(problem))
    assert taken[255] & 1

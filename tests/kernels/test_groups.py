"""The search for groups whose prices exceed what they pay, against all groups of each box."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from shoal.kernels import Flag
from shoal.kernels.closed_boxes import ClosedBoxes, closed_boxes
from shoal.kernels.groups import GroupCuts, dear_groups
from shoal.kernels.native import TooMuchWork
from shoal.partition.cuts import GroupCut, for_kernel
from shoal.problem import Problem
from tests.contract.test_algorithms import random_table

CUTS = [GroupCut((0, 1, 2), (1, 1, 1), 2), GroupCut((1, 3, 4, 5), (2, 1, 1, 1), 3), GroupCut((0, 2, 4), (3, 1, 2), 2)]
NONE = GroupCuts(np.zeros(0, dtype=np.int64), *(np.zeros(0, dtype=np.int32),) * 3, np.zeros(0))


def boxes_of(problem: Problem) -> ClosedBoxes:
    found = closed_boxes(problem.packed, problem.codes, problem.weight, problem.k, np.inf, 10_000, 100_000)
    assert found is not None
    return found


def naive(problem: Problem, boxes: ClosedBoxes, y: np.ndarray, price: np.ndarray) -> list[dict[tuple[int, ...], float]]:
    """Of each box every group of k to 2k − 1 rows, and by how much it exceeds."""
    found = []
    for b in range(len(boxes)):
        rows = [t for t in boxes.tuples[boxes.start[b] : boxes.start[b + 1]].tolist() for _ in range(problem.weight[t])]
        groups = {tuple(sorted(g)) for size in range(problem.k, 2 * problem.k) for g in combinations(rows, size)}
        found.append({g: float(sum(y[t] - boxes.price[b] for t in g)) - paid(g, price) for g in groups})
    return found


def paid(group: tuple[int, ...], price: np.ndarray) -> float:
    met = [sum(dict(zip(c.tuples, c.times, strict=True)).get(t, 0) for t in group) // c.divisor for c in CUTS]
    return float((np.array(met) * price).sum())


@pytest.mark.parametrize("k", [2, 3])
def test_the_worst_of_each_box_and_all_of_them(k: int) -> None:
    rng = np.random.default_rng(k)
    for _ in range(10):
        problem = random_table(rng, "lm", k, n=11)
        boxes, n = boxes_of(problem), problem.n_tuples
        price = rng.random(3) * (n > 5)
        given = for_kernel(CUTS, price, n) if n > 5 else for_kernel([], np.zeros(0), n)
        y = rng.random(n) * 3 - 0.5
        expected = naive(problem, boxes, y, price)
        _, worst, work = dear_groups(boxes, problem.weight, k, y, given, -50.0, False, len(boxes), 10**7)
        assert worst == pytest.approx([max(of_box.values()) for of_box in expected])
        assert work > 0
        rows, excess, _ = dear_groups(boxes, problem.weight, k, y, given, -0.7, True, 100_000, 10**8)
        met = sorted(
            (tuple(sorted(row[row >= 0].tolist())), round(float(e), 9)) for row, e in zip(rows, excess, strict=True)
        )
        assert met == sorted((g, round(e, 9)) for of_box in expected for g, e in of_box.items() if e > -0.7)


def test_it_ends_where_groups_or_work_are_too_many_and_hears_a_stop() -> None:
    problem = random_table(np.random.default_rng(0), "lm", 2, n=12)
    boxes, y = boxes_of(problem), np.zeros(problem.n_tuples)
    given = for_kernel([], np.zeros(0), problem.n_tuples)
    for most_groups, most_work in ((1, 10**6), (10**4, 3)):
        with pytest.raises(TooMuchWork):
            dear_groups(boxes, problem.weight, 2, y, given, -100.0, True, most_groups, most_work)
    flag = Flag()
    flag.set()
    with pytest.raises(InterruptedError):
        dear_groups(boxes, problem.weight, 2, y, given, -100.0, True, 10**4, 10**6, flag)


def test_what_the_kernel_must_not_be_given_is_refused() -> None:
    problem = random_table(np.random.default_rng(0), "lm", 2, n=12)
    boxes, n = boxes_of(problem), problem.n_tuples
    y, given = np.zeros(n), for_kernel([], np.zeros(0), n)
    with pytest.raises(ValueError, match="end to end"):
        dear_groups(boxes, problem.weight, 2, y, NONE, 0.0, True, 10, 10)
    with pytest.raises(ValueError, match="finite"):
        dear_groups(boxes, problem.weight, 2, y + np.nan, given, 0.0, True, 10, 10)
    with pytest.raises(ValueError, match="k from"):
        dear_groups(boxes, problem.weight, 33, y, given, 0.0, True, 10, 10)
    start = np.concatenate([[0], np.ones(n, dtype=np.int64)])
    one, zero = np.ones(1, dtype=np.int32), np.zeros(1, dtype=np.int32)
    with pytest.raises(IndexError, match="not there"):
        dear_groups(boxes, problem.weight, 2, y, GroupCuts(start, one, one, one, np.ones(1)), 0.0, True, 10, 10)
    with pytest.raises(ValueError, match="divisor"):
        dear_groups(boxes, problem.weight, 2, y, GroupCuts(start, zero, one, zero, np.ones(1)), 0.0, True, 10, 10)
    with pytest.raises(ValueError, match="0 or more"):
        dear_groups(boxes, problem.weight, 2, y, GroupCuts(start, zero, one, one, -np.ones(1)), 0.0, True, 10, 10)
    outside = ClosedBoxes(boxes.price, boxes.start, np.full_like(boxes.tuples, n))
    with pytest.raises(IndexError, match="not the number"):
        dear_groups(outside, problem.weight, 2, y, given, 0.0, True, 10, 10)

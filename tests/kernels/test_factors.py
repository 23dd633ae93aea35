"""Stars and cycles become groups: nobody alone, and cuts at the least cost."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from shoal import kernels
from tests.tables import random_problem


def test_stars_leave_nobody_alone() -> None:
    rng = np.random.default_rng(6)
    for _ in range(400):
        n = int(rng.integers(2, 14))
        weight = rng.choice([1, 1, 1, 2, 3, 5], n).astype(np.int64)
        source = np.arange(n, dtype=np.int32)
        target = ((source + rng.integers(1, n, n)) % n).astype(np.int32)
        group = kernels.group_stars(weight, source, target, rng.random(n))
        assert (group >= 0).all()
        tuples = np.repeat(np.arange(n), weight)
        for g in range(group.max() + 1):
            members = tuples[group == g]
            assert len(members) >= 2
            assert len(members) <= 3 or len(set(members)) == 1


def test_an_untouched_lone_row_gets_no_group() -> None:
    group = kernels.group_stars(np.array([1, 1, 2]), np.array([], np.int32), np.array([], np.int32), np.zeros(3))
    assert group.tolist() == [-1, -1, 0, 0]


def cheapest_cut(problem, cycle: list[int]) -> float:
    """All ways to cut a cycle into runs of three to five (or the whole of it, if shorter than six)."""
    n = len(cycle)

    def price(start: int, size: int) -> float:
        total = 0.0
        for j, column in enumerate(problem.columns):
            node = int(problem.codes[cycle[start % n], j])
            for s in range(1, size):
                node = column.tree.join(node, int(problem.codes[cycle[(start + s) % n], j]))
            total += float(column.price[node])
        return size * total

    if n < 6:
        return price(0, n)

    def rest(shift: int) -> float:
        @cache
        def best(done: int) -> float:
            if done == n:
                return 0.0
            return min(
                (price(shift + done, s) + best(done + s) for s in (3, 4, 5) if done + s <= n), default=float("inf")
            )

        return best(0)

    return min(rest(shift) for shift in range(n))


def test_cycles_are_cut_at_the_least_cost() -> None:
    rng = np.random.default_rng(7)
    for _ in range(60):
        problem = random_problem(rng, 20, 3, 3, 4, deep=True)
        sizes = rng.integers(3, 15, size=3)
        begin = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        tuples = rng.integers(0, problem.n_tuples, begin[-1]).astype(np.int32)
        group = kernels.cut_cycles(problem.packed, problem.codes, tuples, begin)
        nodes = kernels.closures(problem.packed, problem.codes, tuples, group, int(group.max()) + 1)
        count = np.bincount(group)
        assert count.min() >= 3
        assert count.max() <= 5
        paid = sum(float((column.price[nodes[:, j]] * count).sum()) for j, column in enumerate(problem.columns))
        assert paid == pytest.approx(sum(cheapest_cut(problem, tuples[a:b].tolist()) for a, b in pairwise(begin)))


def test_cycles_are_walked_whole() -> None:
    near = np.array([[1, 2], [0, 2], [0, 1], [-1, -1], [5, 7], [4, 6], [5, 7], [6, 4]], dtype=np.int32)
    order, begin = kernels.walk_cycles(near)
    assert begin.tolist() == [0, 3, 7]
    assert sorted(order[:3]) == [0, 1, 2]
    assert sorted(order[3:]) == [4, 5, 6, 7]
    with pytest.raises(ValueError, match="mutual"):
        kernels.walk_cycles(np.array([[1, 2], [2, 0], [1, 1]], dtype=np.int32))


def test_the_start_of_a_two_factor_is_feasible_and_tight() -> None:
    rng = np.random.default_rng(27)
    for case in range(60):
        n = int(rng.integers(3, 12))
        ends = np.array(
            [(a, b) for a in range(n) for b in range(a) if b == a - 1 or rng.random() < 0.5], dtype=np.int32
        )
        u, v = np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])
        m = len(u)
        weight = rng.integers(0, 20, m)
        fee = rng.integers(0, 30, n) if case % 2 else None
        first = 2 * rng.integers(-40, 60, n) if case % 3 == 0 else None  # any potentials will do
        dual, mate_edge = kernels.start_two_factor(n, u, v, weight, fee, 5 if first is None else 1, first)
        at = 2 * n + 2 * np.arange(m)
        source = np.concatenate([2 * u, 2 * u + 1, 2 * v, 2 * v + 1, at])
        target = np.concatenate([at, at, at + 1, at + 1, at + 1])
        gain = np.concatenate([np.tile(-2 * weight, 4), np.zeros(m, dtype=np.int64)])
        assert (dual[source] + dual[target] >= gain).all()
        assert fee is None or (dual[0 : 2 * n : 2] + dual[1 : 2 * n : 2] >= -4 * fee).all()
        matched = np.flatnonzero(mate_edge >= 0)
        for x in matched:
            e = mate_edge[x]
            other = target[e] if source[e] == x else source[e]
            assert x in (source[e], target[e])
            assert mate_edge[other] == e
            assert dual[x] + dual[other] == gain[e]

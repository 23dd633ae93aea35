"""The cover of Gionis and Tassa as it is printed: all subsets of k to 2k − 1 rows, then the cover made a partition."""

from __future__ import annotations

from itertools import combinations

from shoal.problem import Problem
from tests.naive.optimum import group_price

Rows = frozenset[int]


def price(problem: Problem, rows: Rows) -> float:
    """d(S): what each row of a set pays."""
    return group_price(problem, sorted(rows)) / len(rows)


def candidates(problem: Problem) -> dict[Rows, float]:
    """Every subset of k to 2k − 1 rows, with its price."""
    sizes = range(problem.k, min(2 * problem.k - 1, problem.n_rows) + 1)
    return {frozenset(rows): price(problem, frozenset(rows)) for size in sizes for rows in combinations(range(problem.n_rows), size)}


def greedy(problem: Problem) -> list[Rows]:
    """Phase 1: the set of least price per row that is not covered yet, again and again."""
    sets, covered, cover = candidates(problem), frozenset[int](), []
    while len(covered) < problem.n_rows:
        chosen = min((s for s in sets if s - covered), key=lambda s: sets[s] / len(s - covered))
        cover.append(chosen)
        covered |= chosen
    return cover


def make_partition(cover: list[Rows], k: int) -> list[Rows]:
    """Phase 2: a row in two sets leaves the one that has more than k; if neither has, the two become one."""
    sets = [set(s) for s in cover]
    while True:
        pair = next(((a, b) for a, b in combinations(sets, 2) if a & b), None)
        if pair is None:
            return [frozenset(s) for s in sets]
        first, second = pair
        row = min(first & second)
        if len(first) > k:
            first.remove(row)
        elif len(second) > k:
            second.remove(row)
        else:
            sets = [s for s in sets if s is not second]
            first |= second

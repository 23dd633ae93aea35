from __future__ import annotations

import numpy as np
import pytest

from shoal.bounds.dual import RisingPrices
from shoal.kernels import cover_along_prices
from shoal.problem import Problem, close
from shoal.search.constructions import cover, runs, top_down
from shoal.search.neighbours import near_tuples
from tests.tables import random_problem


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("measure", ["entropy", "tree"])
def test_all_constructions_make_groups_of_k(seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 6))
    problem = random_problem(rng, int(rng.integers(30, 200)), 3, k, 5, measure, deep=True)
    prices = RisingPrices(problem)
    prices.turn()
    for group in (top_down(problem), runs(problem), cover(problem, prices.best, prices.boxes, near_tuples(problem))):
        assert len(group) == problem.n_rows
        sizes = np.bincount(group)
        assert sizes[sizes > 0].min() >= k
        assert prices.result().bound.value <= close(problem, group).loss + 1e-9


@pytest.mark.parametrize("seed", range(8))
def test_the_cover_takes_what_a_naive_greedy_takes(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed), 60, 3, 3, 4, "tree", deep=True)
    prices = RisingPrices(problem)
    prices.turn()
    tuples, count, group = cover_along_prices(problem.packed, problem.codes, problem.weight, 3, prices.best, prices.boxes)
    assert list(zip(tuples.tolist(), count.tolist(), group.tolist(), strict=True)) == naive_cover(problem, prices)


def naive_cover(problem: Problem, prices: RisingPrices) -> list[tuple[int, int, int]]:
    """Look at every box again before each group."""
    left, out, made = problem.weight.tolist(), [], 0
    lists = [prices.boxes.tuples[a:b].tolist() for a, b in zip(prices.boxes.start[:-1], prices.boxes.start[1:], strict=True)]
    while True:
        best, found = 0.0, None
        for listed in lists:
            pieces, rows = [], 0
            for t in listed:
                take = min(left[t], problem.k - rows)
                if take:
                    pieces.append((t, take))
                    rows += take
            if rows < problem.k:
                continue
            paid = sum(float(c.price[join_all(problem, [t for t, _ in pieces], j)]) for j, c in enumerate(problem.columns))
            total = 0.0
            for t, take in pieces:
                total += take * float(prices.best[t])
            value = total / (problem.k * paid) if paid > 0 else np.inf
            if value > best:
                best, found = value, pieces
        if found is None:
            return out
        for t, take in found:
            left[t] -= take
            out.append((t, take, made))
        made += 1


def join_all(problem: Problem, tuples: list[int], j: int) -> int:
    node = int(problem.codes[tuples[0], j])
    for t in tuples:
        node = problem.columns[j].tree.join(node, int(problem.codes[t, j]))
    return node

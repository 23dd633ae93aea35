"""The cover along prices, against a greedy that looks at every box again."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.bounds.dual import RisingPrices
from shoal.kernels import cover_along_prices
from shoal.problem import Problem
from tests.tables import random_problem


@pytest.mark.parametrize("seed", range(8))
def test_the_cover_takes_what_a_naive_greedy_takes(seed: int) -> None:
    problem = random_problem(np.random.default_rng(seed), 60, 3, 3, 4, "tree", deep=True)
    prices = RisingPrices(problem)
    prices.turn()
    tuples, count, group = cover_along_prices(
        problem.packed, problem.codes, problem.weight, 3, prices.best, prices.boxes
    )
    assert list(zip(tuples.tolist(), count.tolist(), group.tolist(), strict=True)) == naive_cover(problem, prices)


def naive_cover(problem: Problem, prices: RisingPrices) -> list[tuple[int, int, int]]:
    """Look at every box again before each group."""
    left, out, made = problem.weight.tolist(), [], 0
    lists = [
        prices.boxes.tuples[a:b].tolist() for a, b in zip(prices.boxes.start[:-1], prices.boxes.start[1:], strict=True)
    ]
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
            paid = sum(
                float(c.price[join_all(problem, [t for t, _ in pieces], j)]) for j, c in enumerate(problem.columns)
            )
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


def test_what_does_not_fit_is_refused() -> None:
    problem = random_problem(np.random.default_rng(1), 20, 2, 3, 4, "tree", deep=True)
    prices = RisingPrices(problem)
    prices.turn()
    with pytest.raises(ValueError):
        cover_along_prices(problem.packed, problem.codes, problem.weight, 3, prices.best[1:], prices.boxes)
    with pytest.raises(ValueError):
        cover_along_prices(problem.packed, problem.codes, problem.weight, 0, prices.best, prices.boxes)

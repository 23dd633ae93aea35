"""Small tables, and the graph of all pairs of their rows."""

from __future__ import annotations

import numpy as np

from shoal.budget import Budget
from shoal.matching.distances import distances
from shoal.problem import Problem, Watch
from tests.tables import random_problem

ENDLESS = Budget(None, Watch())


def complete_graph(problem: Problem) -> np.ndarray:
    """What each pair of rows weighs, in the units of :func:`distances`."""
    space = distances(problem)
    rows = problem.tuple_of_unit
    u, v = np.meshgrid(rows, rows)
    return space.between(u.reshape(-1), v.reshape(-1)).reshape(len(rows), len(rows)).astype(float)


def tables(seed: int, least: int, measure: str, count: int = 120) -> list[Problem]:
    rng = np.random.default_rng(seed)
    return [
        random_problem(
            rng,
            int(rng.integers(least, 10)),
            int(rng.integers(1, 4)),
            2,
            int(rng.integers(2, 7)),
            measure,
            deep=bool(i % 2),
        )
        for i in range(count)
    ]

"""Random sets and edges, and the optimum of an instance."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from shoal import instances
from tests.naive.optima import optima
from tests.tables import make_problem


def optimum_of(*made: instances.Instance) -> list[float]:
    measures = ["stars" if x.measure == "columns" else x.measure for x in made]
    return optima([make_problem(x.rows, x.k, None, m) for x, m in zip(made, measures, strict=True)]).tolist()


def covers(n: int, sets: list[tuple[int, ...]]) -> bool:
    return any(sorted(x for s in some for x in s) == list(range(n)) for some in combinations(sets, n // len(sets[0])))


def random_sets(rng: np.random.Generator, n: int, m: int, size: int = 3) -> list[tuple[int, ...]]:
    possible = list(combinations(range(n), size))
    return [possible[i] for i in rng.choice(len(possible), min(m, len(possible)), replace=False)]


def random_edges(rng: np.random.Generator, n: int, m: int) -> list[tuple[int, int]]:
    possible = list(combinations(range(n), 2))
    return [possible[i] for i in rng.choice(len(possible), m, replace=False)]

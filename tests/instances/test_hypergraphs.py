"""Perfect matchings of hyperedges, as tables."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

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


@pytest.mark.parametrize("measure", ["entropy", "monotone-entropy", "non-uniform-entropy"])
def test_perfect_matching_of_hyperedges(measure: str) -> None:
    rng = np.random.default_rng(14)
    cases = [(6, 3, random_sets(rng, 6, int(rng.integers(1, 7)))) for _ in range(40)]
    cases += [(8, 4, random_sets(rng, 8, int(rng.integers(1, 7)), 4)) for _ in range(10)]
    cases += [(9, 3, random_sets(rng, 9, 5)) for _ in range(10)]
    cases += [(9, 3, [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6)]), (8, 4, [(0, 1, 2, 3), (4, 5, 6, 7)])]
    made = [instances.perfect_matching(n, sets, k, measure) for n, k, sets in cases]
    for (n, _, sets), instance, best in zip(cases, made, optimum_of(*made), strict=True):
        assert instance.threshold is not None
        assert (best <= instance.threshold + 1e-9) == covers(n, sets)
    assert {covers(n, sets) for n, _, sets in cases} == {True, False}

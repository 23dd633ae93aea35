"""Perfect matchings of hyperedges, as tables."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import instances
from tests.instances.graphs import covers, optimum_of, random_sets


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

"""Exact covers, as tables."""

from __future__ import annotations

import numpy as np

from shoal import instances
from shoal.algorithms.attribute_suppression import solve as suppress_columns
from shoal.problem import Watch
from tests.instances.graphs import covers, optimum_of, random_sets
from tests.tables import make_problem


def test_exact_cover_by_cells_and_by_columns() -> None:
    rng = np.random.default_rng(13)
    cases = [(n, random_sets(rng, n, int(rng.integers(1, 6)))) for n in (6, 9) for _ in range(25)]
    cases += [(9, [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6)]), (3, [(0, 1, 2)])]
    by_cells = [instances.exact_cover(n, sets) for n, sets in cases]
    for (n, sets), instance, best in zip(cases, by_cells, optimum_of(*by_cells), strict=True):
        assert instance.threshold is not None
        assert (best <= instance.threshold) == covers(n, sets)
        columns = instances.exact_cover_columns(n, sets)
        problem = make_problem(columns.rows, 3)
        roots = [column.tree.root for column in problem.columns]
        gone = int((suppress_columns(problem, Watch()).nodes == roots).all(axis=0).sum()) if n > 3 else 0
        assert columns.threshold is not None
        assert (gone <= columns.threshold) == covers(n, sets)
    assert {covers(n, sets) for n, sets in cases} == {True, False}

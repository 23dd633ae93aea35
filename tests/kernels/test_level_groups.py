"""Groups of equal nodes on given levels."""

from __future__ import annotations

import numpy as np

from shoal.kernels.level_groups import LevelGroups
from tests.contract.test_algorithms import random_table


def test_level_groups_are_those_of_equal_nodes() -> None:
    rng = np.random.default_rng(5)
    for n in (1, 7, 300):
        problem = random_table(rng, "tree", 2, n=n)
        trees = [c.tree for c in problem.columns]
        grouped = LevelGroups(problem.codes, problem.weight, [t.n_leaves for t in trees])
        for _ in range(4):
            cuts = [t.cut(int(rng.choice(t.levels))) for t in trees]
            group, sample, size = grouped(cuts)
            shown = np.stack([cut[problem.codes[:, j]] for j, cut in enumerate(cuts)], axis=1)
            distinct, inverse = np.unique(shown, axis=0, return_inverse=True)
            assert len(size) == len(distinct)
            assert len(set(zip(group.tolist(), inverse.reshape(-1).tolist(), strict=True))) == len(distinct)
            assert np.array_equal(np.bincount(group, weights=problem.weight).astype(np.int64), size)
            assert np.array_equal(group[sample], np.arange(len(size)))

"""The thresholds of the reductions, against the exhaustive optimum and the exhaustive answer."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import instances
from shoal.errors import DataError
from shoal.instances.hypergraphs import whole_penalty
from tests.instances.graphs import optimum_of


def test_the_printed_penalty_gives_wrong_answers() -> None:
    """P(n, k) as printed lacks a factor k − 1: its threshold is too low, and a table with a perfect matching would be
    answered no.
    """
    n, k, sets = 9, 3, [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
    instance = instances.perfect_matching(n, sets, k, "non-uniform-entropy")
    printed = len(sets) * (k * np.log2(n / k) + (3 - 1) * np.log2(n / (k - 1)) + 2 * np.log2(n / 2)) - n * np.log2(
        n / k
    )
    (best,) = optimum_of(instance)
    assert instance.threshold is not None
    assert printed < best <= instance.threshold + 1e-9
    counted = sum(np.log2(n / column.count(value)) for column in zip(*instance.rows, strict=True) for value in column)
    assert whole_penalty(n, k, len(sets)) == pytest.approx(counted)


@pytest.mark.parametrize(
    "make",
    [
        lambda: instances.triangles([(0, 0)]),
        lambda: instances.triangles([(0, 1), (1, 0)]),
        lambda: instances.exact_cover(4, [(0, 1, 2)]),
        lambda: instances.exact_cover(3, [(0, 1, 3)]),
        lambda: instances.perfect_matching(6, [(0, 1, 2)], 3, "stars"),
        lambda: instances.alike_apart(1),
        lambda: instances.restricted_from_graph(2, [(0, 2)]),
        lambda: instances.graph_of_restricted([["0"], ["1"]]),
        lambda: instances.restricted_from_table([["0"], ["0"]], 1),
        lambda: instances.restricted_from_table([["2"], ["0"]], 1),
        lambda: instances.triangles_and_stars([]),
        lambda: instances.r_cliques([(0, 1)], 2),
        lambda: instances.r_cliques([(0, 1)], 3, copies=0),
    ],
)
def test_malformed_questions_are_refused(make) -> None:
    with pytest.raises(DataError):
        make()

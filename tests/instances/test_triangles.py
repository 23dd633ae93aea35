"""Edges into triangles and stars, as tables."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from shoal import instances
from tests.instances.graphs import optimum_of, random_edges


def parts_into(edges: list[tuple[int, int]], stars: bool) -> bool:
    """Whether the edges part into triangles (and 4-stars), by trying everything."""
    if not edges:
        return True
    for pair in combinations(edges[1:], 2):
        three = [edges[0], *pair]
        vertices = {v for edge in three for v in edge}
        is_triangle = len(vertices) == 3
        is_star = len(vertices) == 4 and any(all(v in edge for edge in three) for v in vertices)
        if (is_triangle or (stars and is_star)) and parts_into([e for e in edges if e not in three], stars):
            return True
    return False


def test_edges_into_triangles_and_stars() -> None:
    rng = np.random.default_rng(12)
    graphs = [random_edges(rng, int(rng.integers(5, 7)), m) for m in (3, 6, 6, 9) for _ in range(25)]
    graphs += [[(0, 1), (1, 2), (0, 2)], [(0, 1), (0, 2), (0, 3)], [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (2, 4)]]
    answers = set()
    for make, stars in ((instances.triangles_and_stars, True), (instances.triangles, False)):
        made = [make(edges) for edges in graphs]
        for edges, instance, best in zip(graphs, made, optimum_of(*made), strict=True):
            assert instance.threshold is not None
            answer = parts_into(edges, stars)
            assert (best <= instance.threshold) == answer
            answers.add((stars, answer))
    assert len(answers) == 4

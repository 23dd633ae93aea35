"""Edges into triangles and stars, as tables."""

from __future__ import annotations

from itertools import combinations
from math import comb

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


def cliques_of(edges: list[tuple[int, int]], r: int) -> bool:
    """Whether the edges part into cliques of r vertices, by trying everything."""
    if not edges:
        return True
    held = {frozenset(edge) for edge in edges}
    a, b = edges[0]
    for others in combinations({v for edge in edges for v in edge} - {a, b}, r - 2):
        clique = {frozenset(pair) for pair in combinations((a, b, *others), 2)}
        if clique <= held and cliques_of([edge for edge in edges if frozenset(edge) not in clique], r):
            return True
    return False


def all_edges(*vertices: int) -> list[tuple[int, int]]:
    return list(combinations(vertices, 2))


def test_edges_into_cliques_of_r_vertices() -> None:
    rng = np.random.default_rng(5)
    fours = [all_edges(0, 1, 2, 3), all_edges(0, 1, 2, 3) + all_edges(3, 4, 5, 6), [(0, v) for v in range(1, 7)]]
    fours += [random_edges(rng, int(rng.integers(4, 7)), 6) for _ in range(20)] + [
        random_edges(rng, 6, 12) for _ in range(3)
    ]
    twice = [all_edges(0, 1, 2), all_edges(0, 1, 2) + all_edges(2, 3, 4)] + [
        random_edges(rng, 5, m) for m in (3, 3, 6, 6, 6)
    ]
    answers = set()
    for r, copies, graphs in ((4, 1, fours), (3, 2, twice), (3, 1, twice)):
        made = [instances.r_cliques(edges, r, copies) for edges in graphs]
        for edges, instance, best in zip(graphs, made, optimum_of(*made), strict=True):
            assert instance.k == copies * comb(r, 2)
            assert instance.threshold is not None
            answer = cliques_of(edges, r)
            assert (best <= instance.threshold) == answer
            answers.add((r, copies, answer))
    assert len(answers) == 6
    assert instances.r_cliques(all_edges(0, 1, 2, 3)[:4], 4).threshold is None
    assert instances.r_cliques(all_edges(0, 1, 2), 3).rows == instances.triangles(all_edges(0, 1, 2)).rows

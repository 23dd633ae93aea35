"""The lightest cover of every row by pairs."""

from __future__ import annotations

import pytest

from shoal.matching import edge_cover, pricing
from shoal.matching.distances import distances
from tests.matching.graphs import ENDLESS, complete_graph, tables
from tests.naive.matchings import lightest_cover


@pytest.mark.parametrize("measure", ["stars", "entropy", "non-uniform-entropy"])
@pytest.mark.parametrize("first_edges", [1, 10])
def test_cover_is_the_lightest_one_two_factor(measure: str, first_edges: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_cover, "FIRST_EDGES", first_edges)
    monkeypatch.setattr(pricing, "MORE_EDGES", 1)
    for problem in tables(8, 2, measure):
        found = edge_cover.edge_cover(distances(problem), problem.weight, None, ENDLESS)
        assert found.is_proved
        assert found.weight == lightest_cover(complete_graph(problem))

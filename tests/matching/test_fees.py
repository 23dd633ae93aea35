"""Rows that may be left out at a fee."""

from __future__ import annotations

import numpy as np

from shoal.matching import edge_cover, two_factor
from shoal.matching.distances import distances
from tests.matching.graphs import ENDLESS, complete_graph, tables
from tests.naive.matchings import lightest_cover, lightest_two_factor


def test_rows_left_out_at_a_fee_are_worth_it() -> None:
    for problem in tables(11, 4, "stars", 40):
        space, fee = distances(problem), 2.0**37
        found = edge_cover.edge_cover(space, problem.weight, fee, ENDLESS)
        graph = complete_graph(problem)
        lone = np.flatnonzero(problem.weight[problem.tuple_of_unit] == 1)
        best = min(
            fee * len(out)
            + (lightest_cover(np.delete(np.delete(graph, out, 0), out, 1)) if len(out) < len(graph) else 0.0)
            for bits in range(1 << len(lone))
            if len(graph) - len(out := [int(lone[i]) for i in range(len(lone)) if bits >> i & 1]) != 1
        )
        assert found.weight == best


def test_rows_left_out_of_a_two_factor_are_worth_it() -> None:
    for problem in tables(12, 3, "stars", 40):
        if problem.n_rows > 7 or problem.weight.max() > 3:
            continue
        n, fee = problem.n_rows, 2.0**37
        graph = complete_graph(problem)
        best = fee * n
        for bits in range(1 << n):
            kept = [i for i in range(n) if bits >> i & 1]
            if len(kept) >= 3:
                best = min(best, fee * (n - len(kept)) + lightest_two_factor(graph[np.ix_(kept, kept)]))
        found = two_factor.two_factor(distances(problem), problem.weight, fee, ENDLESS)
        assert found.is_proved
        assert found.weight == best
        assert (found.left_out == (found.near[:, 1] < 0)).all()

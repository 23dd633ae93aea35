"""The thresholds of the reductions, against the exhaustive optimum and the exhaustive answer."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from shoal import instances
from shoal.algorithms.attribute_suppression import solve as suppress_columns
from shoal.algorithms.restricted_matching import solve as match
from shoal.errors import DataError
from shoal.instances.hypergraphs import whole_penalty
from shoal.problem import Watch
from tests.naive.optima import optima
from tests.tables import make_problem


def optimum_of(*made: instances.Instance) -> list[float]:
    measures = ["stars" if x.measure == "columns" else x.measure for x in made]
    return optima([make_problem(x.rows, x.k, None, m) for x, m in zip(made, measures, strict=True)]).tolist()


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


def random_edges(rng: np.random.Generator, n: int, m: int) -> list[tuple[int, int]]:
    possible = list(combinations(range(n), 2))
    return [possible[i] for i in rng.choice(len(possible), m, replace=False)]


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


def covers(n: int, sets: list[tuple[int, ...]]) -> bool:
    return any(sorted(x for s in some for x in s) == list(range(n)) for some in combinations(sets, n // len(sets[0])))


def random_sets(rng: np.random.Generator, n: int, m: int, size: int = 3) -> list[tuple[int, ...]]:
    possible = list(combinations(range(n), size))
    return [possible[i] for i in rng.choice(len(possible), min(m, len(possible)), replace=False)]


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


def test_the_printed_penalty_gives_wrong_answers() -> None:
    """P(n, k) as printed lacks a factor k − 1: its threshold is too low, and a table with a perfect matching would be answered no."""
    n, k, sets = 9, 3, [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
    instance = instances.perfect_matching(n, sets, k, "non-uniform-entropy")
    printed = len(sets) * (k * np.log2(n / k) + (3 - 1) * np.log2(n / (k - 1)) + 2 * np.log2(n / 2)) - n * np.log2(n / k)
    (best,) = optimum_of(instance)
    assert instance.threshold is not None
    assert printed < best <= instance.threshold + 1e-9
    counted = sum(np.log2(n / column.count(value)) for column in zip(*instance.rows, strict=True) for value in column)
    assert whole_penalty(n, k, len(sets)) == pytest.approx(counted)


@pytest.mark.parametrize("k", range(2, 7))
def test_alike_graphs_with_optima_of_another_order(k: int) -> None:
    apart, together = instances.alike_apart(k), instances.alike_together(k)
    for instance in (apart, together):
        rows = np.array(instance.rows)
        distance = (rows[:, None, :] != rows[None, :, :]).sum(axis=2)
        assert (distance[~np.eye(k, dtype=bool)] == 2 ** (k - 1)).all()
        assert optimum_of(instance) == [instance.threshold]
    l = 2 ** (k - 2)
    assert apart.threshold == k * k * l
    assert together.threshold == k * (4 * l - 2)
    assert apart.threshold / together.threshold > k / 4


def test_graphs_become_restricted_tables_and_back() -> None:
    rng = np.random.default_rng(15)
    for _ in range(30):
        n = int(rng.integers(3, 8))
        edges = random_edges(rng, n, int(rng.integers(1, n)))
        instance = instances.restricted_from_graph(n, edges)
        assert instances.graph_of_restricted(instance.rows) == edges
        problem = make_problem(instance.rows, 2)
        assert match(problem, Watch()).loss == optima([problem])[0]


def test_a_table_is_made_restricted() -> None:
    rng = np.random.default_rng(16)
    for _ in range(30):
        rows = [[str(v) for v in row] for row in rng.integers(0, 2, size=(4, 5))]
        made = instances.restricted_from_table(rows, 4)
        assert [list(row) for row in made.rows[:4]] == rows
        assert all(column.count("0") == 4 for column in zip(*made.rows, strict=True))


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
    ],
)
def test_malformed_questions_are_refused(make) -> None:
    with pytest.raises(DataError):
        make()

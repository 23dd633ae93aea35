"""Sun, Wang and Li 2008: every table and figure with a number, and the counterexamples to what is wrong in it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from shoal import instances
from shoal.algorithms.attribute_suppression import solve as suppress_columns
from shoal.algorithms.restricted_matching import graph_of, solve
from shoal.hierarchies.rows import tree_from_rows
from shoal.problem import Problem, Solution, Watch, close
from tests.naive.optimum import optimum
from tests.tables import make_problem

TABLE_1 = [
    ["Male", "25", "4350"],
    ["Male", "23", "4351"],
    ["Male", "22", "4352"],
    ["Female", "28", "4353"],
    ["Female", "34", "4352"],
    ["Female", "31", "4350"],
]
FIGURE_4 = ["01100", "00111", "10010", "11001"]


def binary(*rows: str, k: int) -> Problem:
    return make_problem([list(row) for row in rows], k)


def shown(problem: Problem, solution: Solution) -> list[str]:
    nodes = solution.nodes[solution.group]
    return ["".join(str(c.tree.labels[node]) for c, node in zip(problem.columns, row, strict=True)) for row in nodes]


def has_perfect_matching(n: int, edges: list[tuple[int, int]]) -> bool:
    return any(len({v for edge in some for v in edge}) == n for some in combinations(edges, n // 2)) if n % 2 == 0 else False


def test_table_2_is_a_3_anonymous_view_of_table_1() -> None:
    trees = [
        tree_from_rows([["Male", "*"], ["Female", "*"]]),
        tree_from_rows([[age, "22-25" if int(age) < 26 else "28-34", "*"] for age in ("22", "23", "25", "28", "31", "34")]),
        tree_from_rows([[zip_code, "435*", "*"] for zip_code in ("4350", "4351", "4352", "4353")]),
    ]
    problem = make_problem(TABLE_1, 3, trees, "tree")
    solution = close(problem, [0, 0, 0, 1, 1, 1])
    labels = [[column.tree.labels[node] for column, node in zip(problem.columns, row, strict=True)] for row in solution.nodes]
    assert labels == [["Male", "22-25", "435*"], ["Female", "28-34", "435*"]]
    assert solution.loss == pytest.approx(optimum(problem))


def test_the_first_row_of_table_1_is_unique_as_table_3_exploits() -> None:
    lee = ["Male", "25", "4350"]
    assert TABLE_1.count(lee) == 1


def test_figure_1_the_suppressor() -> None:
    problem = binary("1010", "1000", "0010", k=3)
    assert shown(problem, close(problem, [0, 0, 0])) == ["*0*0"] * 3
    assert optimum(problem) == 6


def test_figure_2_a_restricted_instance_from_a_general_one() -> None:
    rows = [list(row) for row in ("1010", "1000", "0010")]
    made = instances.restricted_from_table(rows, 3)
    assert len(made.rows) == 5, "two rows suffice; the paper adds three"
    printed = [*rows, *(list(row) for row in ("0101", "1101", "0111"))]
    for table in (made.rows, printed):
        assert [column.count("0") for column in zip(*table, strict=True)] == [3, 3, 3, 3]


def test_figure_3_graph_and_table() -> None:
    edges = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)]
    assert ["".join(row) for row in instances.restricted_from_graph(4, edges).rows] == FIGURE_4
    assert instances.graph_of_restricted([list(row) for row in FIGURE_4]) == edges
    graph = graph_of(binary(*FIGURE_4, k=2))
    assert sorted(zip(graph.u.tolist(), graph.v.tolist(), strict=True)) == sorted(edges)


def test_figure_4_printed_16_stars_best_12() -> None:
    problem = binary(*FIGURE_4, k=2)
    printed = solve(problem, Watch(), as_printed=True)
    assert printed.loss == 16
    assert shown(problem, printed) in (
        ["0****", "0****", "**0**", "**0**"],
        ["***0*", "*0***", "*0***", "***0*"],
    )
    assert solve(problem, Watch()).loss == 12 == optimum(problem)


@pytest.mark.parametrize(
    ("rows", "matched", "printed", "best"),
    [
        (("011", "001", "100", "110"), True, 8, 4),  # the path v1v2, v2v3, v3v4
        (("00", "01", "10", "11"), False, 8, 4),  # no perfect matching, and yet n(m − 1) is reached: theorem 9 is false
        (("0", "0", "1", "1"), False, 4, 0),
    ],
)
def test_theorem_9_and_algorithm_1_are_wrong(rows: tuple[str, ...], matched: bool, printed: int, best: int) -> None:
    problem = binary(*rows, k=2)
    edges = instances.graph_of_restricted([list(row) for row in rows])
    assert has_perfect_matching(4, edges) == matched
    assert solve(problem, Watch(), as_printed=True).loss == printed
    assert solve(problem, Watch()).loss == best == optimum(problem)
    if not matched:
        assert best <= 4 * (len(rows[0]) - 1)


@pytest.mark.parametrize("n", [4, 6, 8])
def test_cycles_the_printed_algorithm_is_off_by_any_factor(n: int) -> None:
    problem = make_problem(instances.restricted_from_graph(n, [(i, (i + 1) % n) for i in range(n)]).rows, 2)
    assert solve(problem, Watch(), as_printed=True).loss == n * (n - 1)
    assert solve(problem, Watch()).loss == 2 * n == optimum(problem)


def test_deleting_a_repeated_column_changes_the_loss() -> None:
    edges = [(0, 1), (1, 2), (2, 3)]
    once, twice = (make_problem(instances.restricted_from_graph(4, [*edges, *more]).rows, 2) for more in ([], [(1, 2)]))
    assert (optimum(once), optimum(twice)) == (4, 8)
    assert solve(twice, Watch()).loss == optimum(twice)


@pytest.mark.parametrize(("sets", "n", "best"), [([(0, 1, 2)], 6, 0), ([(0, 1, 2), (0, 1, 3), (0, 2, 4)], 6, 12)])
def test_theorem_3_is_false_over_zeros_and_ones(sets: list[tuple[int, ...]], n: int, best: int) -> None:
    """The stars that the paper's binary table needs are within 3q(m − 1), and there is no exact cover; with private symbols they are not."""
    printed = instances.exact_cover_columns(n, sets)
    allowed = n * (len(sets) - 1)
    assert optimum(make_problem(printed.rows, 3)) == best <= allowed
    corrected = instances.exact_cover(n, sets)
    assert corrected.threshold == allowed
    assert optimum(make_problem(corrected.rows, 3)) > allowed


def test_theorem_6_holds_and_its_trap() -> None:
    """Columns that are kept are disjoint sets of k; where n is no multiple of k, what they leave must be nothing or at least k."""
    cover = instances.exact_cover_columns(6, [(0, 1, 2), (3, 4, 5), (0, 1, 3)])
    problem = make_problem(cover.rows, 3)
    roots = [column.tree.root for column in problem.columns]
    assert int((suppress_columns(problem, Watch()).nodes == roots).all(axis=0).sum()) == cover.threshold == 1
    trap = make_problem([["0"], ["0"], ["0"], ["1"], ["1"]], 3)
    assert (suppress_columns(trap, Watch()).nodes == trap.columns[0].tree.root).all(), "two rows would be left: the column must go"


def test_the_formula_of_distances() -> None:
    """dist(u, v) = deg u + deg v − 2c(uv)."""
    rng = np.random.default_rng(20)
    for _ in range(30):
        n, m = int(rng.integers(3, 9)), int(rng.integers(1, 9))
        edges = [tuple(sorted(rng.choice(n, 2, replace=False).tolist())) for _ in range(m)]
        rows = np.array(instances.restricted_from_graph(n, edges).rows)
        degree = [sum(v in edge for edge in edges) for v in range(n)]
        for u, v in combinations(range(n), 2):
            assert (rows[u] != rows[v]).sum() == degree[u] + degree[v] - 2 * edges.count((u, v))

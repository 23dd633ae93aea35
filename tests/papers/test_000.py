"""Aggarwal et al. 2005: every table, figure and example with a number, and the counterexamples to what is wrong in it."""

from __future__ import annotations

import numpy as np
import pytest

from shoal import instances
from shoal.algorithms.one_two_factor import ONE_TWO_FACTOR
from shoal.algorithms.two_factor import TWO_FACTOR
from shoal.budget import Budget
from shoal.hierarchies.rows import tree_from_rows
from shoal.matching.distances import distances
from shoal.matching.edge_cover import edge_cover
from shoal.matching.two_factor import two_factor
from shoal.problem import Problem, Solution, Watch, close
from tests.naive.optimum import optimum
from tests.tables import make_problem

SECTION_1 = [
    ["47", "White", "Male", "21004"],
    ["35", "White", "Female", "21004"],
    ["27", "Hispanic", "Female", "92010"],
    ["27", "White", "Female", "92010"],
]


def shown(problem: Problem, solution: Solution) -> list[list[str | None]]:
    """The released table, row by row."""
    nodes = solution.nodes[solution.group]
    return [[column.tree.labels[node] for column, node in zip(problem.columns, row, strict=True)] for row in nodes]


def binary(*rows: str, k: int) -> Problem:
    return make_problem([list(row) for row in rows], k)


def test_table_of_section_1_is_released_as_printed() -> None:
    problem = make_problem(SECTION_1, 2)
    solution = ONE_TWO_FACTOR.solve(problem, Watch())
    assert shown(problem, solution) == [
        ["*", "White", "*", "21004"],
        ["*", "White", "*", "21004"],
        ["27", "*", "Female", "92010"],
        ["27", "*", "Female", "92010"],
    ]
    assert solution.loss == 6 == optimum(problem)


def test_quality_hierarchy_of_figure_1() -> None:
    rows = [[grade, f"{{{','.join(sorted(group))}}}", "*"] for group in (("A+", "A", "A-"), ("B+", "B", "B-")) for grade in group]
    tree = tree_from_rows(rows)
    code = {label: i for i, label in enumerate(tree.labels)}
    assert tree.height == 2
    assert tree.n_nodes == 6 + 2 + 1
    first = tree.join(code["A"], code["A-"])
    assert set(tree.leaves_below(first)) == {code["A+"], code["A"], code["A-"]}
    assert tree.join(code["A"], code["B"]) == tree.root
    problem = make_problem([["A"], ["A-"], ["B"], ["B+"]], 2, [tree], "tree")
    assert optimum(problem) == pytest.approx(4 * 1 / 2)
    assert close(problem, [0, 0, 0, 0]).loss == pytest.approx(4 * 1)


def test_table_of_the_five_edge_graph_in_figure_2() -> None:
    edges = [(2, 3), (0, 3), (0, 1), (0, 2), (1, 2)]
    instance = instances.triangles(edges)
    assert ["".join(row) for row in instance.rows] == [
        "0012" + "0012" + "0021",  # (3, 4), rank 001
        "1002" + "2001" + "1002",  # (1, 4), rank 010
        "1200" + "2100" + "2100",  # (1, 2), rank 011
        "2010" + "1020" + "1020",  # (1, 3), rank 100
        "0210" + "0120" + "0210",  # (2, 3), rank 101
    ]
    assert instance.threshold is None, "five edges are no multiple of three: an illustration of the coding alone"


def test_triangle_and_4_star_of_theorem_1() -> None:
    triangle = instances.triangles_and_stars([(0, 1), (1, 2), (2, 0)])
    star = instances.triangles_and_stars([(0, 3), (1, 3), (2, 3)])
    for instance in (triangle, star):
        assert optimum(make_problem(instance.rows, 3)) == 9 == instance.threshold
    forced = instances.triangles([(0, 3), (1, 3), (2, 3)])
    assert forced.threshold == 18
    assert optimum(make_problem(forced.rows, 3)) > 18, "the blocks make the star pay more"


@pytest.mark.parametrize(("k", "printed", "right"), [(2, 8, 4), (3, 24, 18), (4, 64, 56)])
def test_limitation_instances(k: int, printed: int, right: int) -> None:
    """The second instance costs k(4l − 2), not 4kl: two of its columns are constant."""
    l = 2 ** (k - 2)
    assert printed == 4 * k * l
    assert optimum(make_problem(instances.alike_together(k).rows, k)) == right == k * (4 * l - 2)
    assert optimum(make_problem(instances.alike_apart(k).rows, k)) == k * k * l


def test_observation_7_a_triple_pays_half_the_perimeter() -> None:
    rng = np.random.default_rng(17)
    for _ in range(200):
        bits = rng.integers(0, 2, size=(3, 6))
        problem = make_problem([[str(v) for v in row] for row in bits], 3)
        perimeter = sum(int((bits[a] != bits[b]).sum()) for a, b in ((0, 1), (1, 2), (0, 2)))
        assert close(problem, [0, 0, 0]).loss == 3 * perimeter / 2


def factor_weight(problem: Problem) -> float:
    """The weight of the lightest [1,2]-factor, in prices."""
    space = distances(problem)
    return edge_cover(space, problem.weight, None, Budget(None, Watch())).weight * space.unit / 2


def cycle_weight(problem: Problem) -> float:
    """The weight of the lightest 2-factor, in prices; every row its own vertex."""
    space = distances(problem)
    found = two_factor(space, problem.weight, None, Budget(None, Watch()))
    return found.weight * space.unit / 2


def test_lemmas_8_to_11_on_random_binary_tables() -> None:
    """ALG ≤ 3c and c ≤ OPT/2 for the [1,2]-factor; ALG ≤ 3c and c ≤ 2/3 OPT for the 2-factor."""
    rng = np.random.default_rng(18)
    for _ in range(60):
        rows = [[str(v) for v in row] for row in rng.integers(0, 2, size=(int(rng.integers(3, 9)), 4))]
        two, three = make_problem(rows, 2), make_problem(rows, 3)
        c = factor_weight(two)
        assert ONE_TWO_FACTOR.solve(two, Watch()).loss <= 3 * c + 1e-9
        assert c <= optimum(two) / 2 + 1e-9
        c = cycle_weight(three)
        assert TWO_FACTOR.solve(three, Watch()).loss <= 3 * c + 1e-9
        assert c <= optimum(three) * 2 / 3 + 1e-9


def test_the_eight_cycle_is_tight_for_lemma_11_alone() -> None:
    """The factor is a cycle of weight 8 and the release loses 24, three times that; but so does the optimum."""
    problem = binary("0000", "0001", "0011", "0111", "1111", "1110", "1100", "1000", k=3)
    assert cycle_weight(problem) == 8
    solution = TWO_FACTOR.solve(problem, Watch())
    assert solution.loss == 24 == optimum(problem)
    assert solution.guarantee == 2


def test_lemma_11_lacks_cycles_of_length_3x() -> None:
    """Case (d): a cycle of 3x rows, cut into threes at the best of three rotations, loses at most twice its weight."""
    problem = binary("000", "001", "011", "111", "110", "100", k=3)
    assert cycle_weight(problem) == 6
    assert TWO_FACTOR.solve(problem, Watch()).loss <= 12


def test_a_lightest_factor_may_hold_a_path_of_three_edges() -> None:
    """Rows 10, 00, 00, 01: the path of weights 1, 0, 1 is a lightest factor. As one group it would lose 8; the optimum is 4."""
    problem = binary("10", "00", "00", "01", k=2)
    assert factor_weight(problem) == 2
    assert close(problem, [0, 0, 0, 0]).loss == 8
    assert ONE_TWO_FACTOR.solve(problem, Watch()).loss == 4 == optimum(problem)


def test_factor_1_5_is_attained_by_a_tie() -> None:
    """Rows 0, 0, 0, 0, 1: two lightest factors; {0, 0, 1} loses 3 where {0, 1} would lose 2."""
    problem = binary("0", "0", "0", "0", "1", k=2)
    assert optimum(problem) == 2
    assert close(problem, [0, 0, 1, 1, 1]).loss == 3
    assert ONE_TWO_FACTOR.solve(problem, Watch()).loss == 2, "a lone row takes one of many equal rows, and no more"


def test_beyond_two_values_1_5_fails_and_2_holds() -> None:
    """One column of six values: five thirds of the optimum."""
    tree = tree_from_rows([[v, "*"] for v in "abcdef"])
    worst = 0.0
    rng = np.random.default_rng(19)
    for _ in range(400):
        rows = [[str(v)] for v in rng.choice(list("abcdef"), int(rng.integers(4, 9)))]
        problem = make_problem(rows, 2, [tree])
        best = optimum(problem)
        solution = ONE_TWO_FACTOR.solve(problem, Watch())
        assert solution.guarantee == 2 or len({row[0] for row in rows}) <= 2
        if best:
            worst = max(worst, solution.loss / best)
    assert worst == pytest.approx(5 / 3)

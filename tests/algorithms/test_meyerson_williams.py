"""Covers from distances alone."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from shoal.algorithms import meyerson_williams
from shoal.algorithms.meyerson_williams import MEYERSON_WILLIAMS, MEYERSON_WILLIAMS_DIAMETER, partition
from shoal.errors import DataError, Infeasible, Refused
from shoal.kernels import balls
from shoal.problem import Watch
from tests.naive.optimum import group_price
from tests.tables import make_problem, random_problem


@pytest.mark.parametrize("variant", ["balls", "diameter"])
def test_a_matrix_and_a_function_give_the_same_groups(variant: str) -> None:
    rng = np.random.default_rng(1)
    for k in (2, 3):
        rows = rng.integers(0, 3, size=(14, 4))
        matrix = (rows[:, None] != rows).sum(axis=2)
        group = partition(matrix, 14, k, variant)  # type: ignore[arg-type]
        asked = partition(lambda i, j, m=matrix: float(m[i, j]), 14, k, variant)  # type: ignore[arg-type, misc]
        assert np.array_equal(group, asked)
        assert k <= np.bincount(group).min()
        assert np.bincount(group).max() <= 2 * k - 1
        assert group[0] == 0


def test_the_partition_of_a_table_is_that_of_its_distances() -> None:
    """Balls along the trees, with lists cut short and equal rows folded, cost what balls from the whole matrix cost."""
    rng = np.random.default_rng(2)
    for k in (2, 3, 5):
        problem = random_problem(rng, 120, 4, k, values=6)
        rows = problem.codes[problem.tuple_of_unit]
        matrix = (rows[:, None] != rows).sum(axis=2)
        group = partition(matrix, 120, k)
        by_table = MEYERSON_WILLIAMS.solve(problem, Watch())
        from_matrix = sum(group_price(problem, list(np.flatnonzero(group == g))) for g in range(group.max() + 1))
        assert by_table.loss == pytest.approx(from_matrix, rel=0.2)


def test_far_rows_are_found_beyond_the_lists() -> None:
    """Two far rows whose lists hold only rows that are covered before them."""
    near = [["a", "b", str(i % 3)] for i in range(60)]
    far = [["x", "y", "7"], ["u", "v", "8"]]
    solution = MEYERSON_WILLIAMS.solve(make_problem(near + far, 2), Watch())
    assert solution.group[-1] == solution.group[-2]
    assert solution.loss == 6


def test_half_the_size_times_the_diameter_bounds_the_price() -> None:
    """d(S) ≤ |S| / 2 · diameter(S), the lemma behind the factor, on hierarchies."""
    rng = np.random.default_rng(3)
    for _ in range(60):
        problem = random_problem(
            rng, 7, 3, 2, values=6, deep=True, measure=str(rng.choice(["tree", "entropy", "lm", "monotone-entropy"]))
        )
        pair = {p: group_price(problem, list(p)) / 2 for p in combinations(range(7), 2)}
        for size in range(2, 8):
            for rows in combinations(range(7), size):
                diameter = max(pair[p] for p in combinations(rows, 2))
                assert group_price(problem, list(rows)) / size <= size / 2 * diameter + 1e-9


def test_rows_at_distance_zero_still_make_groups_of_k() -> None:
    matrix = np.zeros((7, 7))
    assert np.bincount(partition(matrix, 7, 3)).tolist() in ([3, 4], [4, 3])


def test_deletion_leaves_a_lone_row_out() -> None:
    rows = [["a", "x", "1"]] * 4 + [["b", "y", "2"]] * 4 + [["c", "z", "3"]]
    for algorithm in (MEYERSON_WILLIAMS, MEYERSON_WILLIAMS_DIAMETER):
        solution = algorithm.solve(make_problem(rows, 4, deletion=True), Watch())
        assert (solution.loss, solution.n_withheld) == (3, 1)


@pytest.mark.parametrize(
    "matrix",
    [np.zeros((3, 4)), np.full((4, 4), np.nan), np.array([[0.0, 1, 1, 1]] * 4), -np.ones((4, 4))],
)
def test_what_is_no_distance_is_refused(matrix: np.ndarray) -> None:
    with pytest.raises(DataError, match="symmetric 4 × 4"):
        partition(matrix, 4, 2)


def test_too_few_rows_are_infeasible_and_too_many_refused() -> None:
    with pytest.raises(Infeasible, match="2 rows"):
        partition(np.zeros((2, 2)), 2, 3)
    with pytest.raises(Refused, match="'balls'"):
        partition(np.zeros((500, 500)), 500, 3, "diameter")
    problem = random_problem(np.random.default_rng(0), 400, 2, 3)
    reason = MEYERSON_WILLIAMS_DIAMETER.refuses(problem)
    assert reason is not None
    assert "'meyerson-williams'" in reason


class Asked(Watch):
    """Asks to stop at the n-th question, or interrupts there."""

    def __init__(self, at: int, interrupts: bool) -> None:
        self.at, self.interrupts, self.questions = at, interrupts, 0

    def wants_stop(self) -> bool:
        self.questions += 1
        if self.interrupts and self.questions >= self.at:
            raise KeyboardInterrupt
        return self.questions >= self.at


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions after little work, as on a table of very many rows."""
    monkeypatch.setattr(balls, "WORK", 500)
    monkeypatch.setattr(meyerson_williams, "AT_ONCE", 40)


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("at", [1, 2, 5, 9])
def test_it_stops_when_asked_and_says_that_nothing_is_guaranteed(at: int) -> None:
    """0.1.0 was one call of a kernel: neither stop nor Ctrl-C ended it before its end."""
    problem = random_problem(np.random.default_rng(4), 300, 4, 3, values=9)
    watch = Asked(at, interrupts=False)
    found = MEYERSON_WILLIAMS.solve(problem, watch)
    assert watch.questions == at
    assert found.guarantee is None
    assert "Stopped" in found.note
    assert found.sizes.min() >= 3
    assert found.n_withheld == 0


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("at", [1, 4, 9])
def test_it_can_be_interrupted_between_portions_of_work(at: int) -> None:
    problem = random_problem(np.random.default_rng(4), 300, 4, 3, values=9)
    with pytest.raises(KeyboardInterrupt):
        MEYERSON_WILLIAMS.solve(problem, Asked(at, interrupts=True))


def test_portions_do_not_change_the_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = random_problem(np.random.default_rng(5), 300, 4, 3, values=9)
    whole = MEYERSON_WILLIAMS.solve(problem, Watch())
    monkeypatch.setattr(balls, "WORK", 300)
    assert (MEYERSON_WILLIAMS.solve(problem, Watch()).group == whole.group).all()

"""A row pays at least the distance to its (k − 1)-th companion (Aggarwal et al. 2005, lemma 3)."""

from dataclasses import replace

import numpy as np
import pytest

from shoal.bounds import neighbour
from shoal.problem import Problem, Watch
from tests.tables import make_problem, random_problem


def obvious(problem: Problem) -> list[float]:
    """All pairs: for each tuple the price of what covers it and its (k − 1)-th nearest other row."""
    found = []
    for u in range(problem.n_tuples):
        away = []
        for v in range(problem.n_tuples):
            nodes = [
                c.tree.join(int(problem.codes[u, j]), int(problem.codes[v, j])) for j, c in enumerate(problem.columns)
            ]
            price = sum(float(c.price[n]) for c, n in zip(problem.columns, nodes, strict=True))
            away += [price] * (int(problem.weight[v]) - (u == v))
        found.append(sorted(away)[problem.k - 2])
    return found


@pytest.mark.parametrize("measure", ["stars", "tree", "entropy"])
def test_the_distance_to_the_companion_by_all_pairs(measure: str) -> None:
    problem = random_problem(np.random.default_rng(2), 50, 3, 4, values=5, measure=measure, deep=True)
    assert neighbour.prices(problem) == pytest.approx(obvious(problem))


def test_a_lone_row_pays_for_the_columns_in_which_it_differs() -> None:
    """The lone row differs from the others in both columns; the others have each other."""
    problem = make_problem([["a", "x"], ["a", "x"], ["b", "y"]], 2)
    assert neighbour.NEIGHBOUR.compute(problem, Watch()).value == pytest.approx(2.0)


def test_free_columns_are_compared_by_the_least_set_with_both_values() -> None:
    """Of the values 0, 1, 2 in a row, an interval with 0 and 2 hides three of them, a subset two."""
    rows = [["0"], ["2"], ["1"], ["1"]]
    paid = {}
    for kind in ("interval", "subset"):
        problem = make_problem(rows, 2, measure="lm")
        free = replace(problem, columns=(replace(problem.columns[0], free=kind),))
        table = neighbour.pair_tables(free)[0]
        paid[kind] = table[0, 2]
        assert (table == table.T).all()
        assert (np.diag(table) == 0).all()
    assert paid["interval"] == pytest.approx(1.0)
    assert paid["subset"] == pytest.approx(0.5)


def test_stopped_before_the_companions_are_known_the_bound_is_0(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*rows: object, **options: object) -> None:
        raise InterruptedError

    monkeypatch.setattr("shoal.kernels.companion_distances", interrupted)
    found = neighbour.NEIGHBOUR.compute(make_problem([["a", "x"], ["a", "x"], ["b", "y"]], 2), Watch())
    assert found.value == 0
    assert "stopped before" in found.note

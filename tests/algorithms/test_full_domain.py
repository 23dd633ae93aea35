"""The best choice of levels, against trying all of them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from shoal import privacy, registry
from shoal.algorithms.full_domain import FULL_DOMAIN
from shoal.errors import Infeasible
from shoal.hierarchies.rows import tree_from_rows
from shoal.privacy.base import Demand
from shoal.problem import Problem, Watch
from tests.naive.released import meets_demands, price_of_leaving_out
from tests.tables import make_problem

TREE = tree_from_rows(
    [
        ["1", "a", "x", "*"],
        ["2", "a", "x", "*"],
        ["3", "b", "x", "*"],
        ["4", "b", "x", "*"],
        ["5", "5", "y", "*"],
        ["6", "6", "y", "*"],
    ]
)


def by_trying(problem: Problem) -> float:
    """The least that any choice of levels costs."""
    best = float("inf")
    codes = problem.codes[problem.tuple_of_unit]
    for levels in product(*[c.tree.levels for c in problem.columns]):
        cuts = np.stack(
            [c.tree.cut(level)[codes[:, j]] for j, (c, level) in enumerate(zip(problem.columns, levels, strict=True))],
            axis=1,
        )
        groups: dict[tuple[int, ...], list[int]] = {}
        for i, row in enumerate(cuts.tolist()):
            groups.setdefault(tuple(row), []).append(i)
        shown = [rows for rows in groups.values() if len(rows) >= problem.k and meets_demands(problem, rows)]
        left_out = sorted(set(range(problem.n_rows)) - {i for rows in shown for i in rows})
        if not shown:
            continue
        cost = price_of_leaving_out(problem, left_out)
        for i in (i for rows in shown for i in rows):
            cost += sum(
                float(c.price[cuts[i, j]]) - float(c.offset[codes[i, j]]) for j, c in enumerate(problem.columns)
            )
        best = min(best, cost)
    return best


@pytest.mark.parametrize("options", [{}, {"max_withheld": 4}, {"deletion": True}])
@pytest.mark.parametrize("measure", ["entropy", "tree", "non-uniform-entropy"])
@pytest.mark.parametrize("demanded", [None, "distinct-l-diversity", "t-closeness"])
def test_it_is_the_best_of_all_choices(measure: str, options: dict[str, object], demanded: str | None) -> None:
    rng = np.random.default_rng(len(measure))
    for _ in range(6):
        rows = [[str(v) for v in row] for row in rng.integers(1, 7, size=(30, 3))]
        asked = dict(options)
        if demanded:
            parameters = {"l": 2.0} if demanded.endswith("diversity") else {"t": 0.35}
            asked["demands"] = (Demand(registry.find(privacy.CATALOG, demanded), "illness", parameters),)
            asked["sensitive"] = (rng.integers(0, 3, size=30).astype(np.int32),)
        problem = make_problem(rows, 3, [TREE] * 3, measure, [1.0, 2.0, 0.5], **asked)
        solution = FULL_DOMAIN.solve(problem, Watch())
        assert solution.loss == pytest.approx(by_trying(problem))


def test_a_level_is_shown_even_where_a_group_could_show_less() -> None:
    rows = [["1"], ["2"], ["5"], ["5"]]
    solution = FULL_DOMAIN.solve(make_problem(rows, 2, [TREE], "tree"), Watch())
    shown = [TREE.labels[solution.nodes[g, 0]] for g in solution.group]
    assert shown == ["a", "a", "5", "5"]  # '5' has no node of its own on the level of 'a'
    rows = [["1"], ["4"], ["5"], ["6"]]
    solution = FULL_DOMAIN.solve(make_problem(rows, 2, [TREE], "tree"), Watch())
    assert [TREE.labels[solution.nodes[g, 0]] for g in solution.group] == ["x", "x", "y", "y"]


def test_a_demand_that_the_whole_table_breaks_is_infeasible() -> None:
    demand = Demand(registry.find(privacy.CATALOG, "distinct-l-diversity"), "illness", {"l": 2.0})
    same = (np.zeros(4, dtype=np.int32),)
    problem = make_problem([["1"], ["2"], ["3"], ["4"]], 2, [TREE], "tree", demands=(demand,), sensitive=same)
    with pytest.raises(Infeasible, match="'illness'"):
        FULL_DOMAIN.solve(problem, Watch())


def test_too_many_choices_are_refused_by_name() -> None:
    rng = np.random.default_rng(0)
    problem = make_problem([[str(v) for v in row] for row in rng.integers(0, 2, size=(64, 26))], 2)
    reason = FULL_DOMAIN.refuses(problem)
    assert reason is not None
    assert "'mondrian'" in reason

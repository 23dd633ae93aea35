"""Every algorithm of the catalog keeps what it declares, on small tables where the optimum is known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

from shoal import algorithms, measures, privacy, registry
from shoal.algorithms.base import Algorithm, solve
from shoal.errors import Infeasible, Refused
from shoal.hierarchies.rows import tree_from_rows
from shoal.hierarchies.tree import Tree
from shoal.privacy.base import Demand, histogram
from shoal.problem import Problem, Solution, Watch, quasi_identifier
from tests.naive.released import least_paid, meets_demands, price_of_leaving_out
from tests.tables import make_problem

NAMES = registry.names(algorithms.CATALOG)
MEASURES = registry.names(measures.CATALOG)
KNOWN = set(NAMES)


def random_tree(rng: np.random.Generator, values: int) -> Tree:
    """Nested partitions of the values, some blocks going on unchanged for levels: deep and unbalanced."""
    depth = int(rng.integers(0, 4))
    block = list(range(values))
    rows = [[str(v)] for v in range(values)]
    for level in range(depth):
        target = {b: int(rng.integers(0, max(len(set(block)) - 1, 1))) if rng.random() < 0.6 else 100 * (level + 1) + b for b in set(block)}
        block = [target[b] for b in block]
        for v in range(values):
            rows[v].append(f"l{level}b{block[v]}")
    return tree_from_rows([[*row, "*"] for row in rows])


def random_table(rng: np.random.Generator, measure: str, k: int, n: int = 8, **options: object) -> Problem:
    q, values = int(rng.integers(1, 4)), int(rng.integers(2, 6))
    rows = [[str(v) for v in row] for row in rng.integers(0, values, size=(n, q))]
    trees = [random_tree(rng, values) for _ in range(q)]
    weights = [float(w) for w in rng.choice([0.5, 1.0, 2.0, 3.0], size=q)] if rng.random() < 0.5 else None
    return make_problem(rows, k, trees, measure, weights, **options)


def with_demand(problem: Problem, rng: np.random.Generator, name: str, **parameters: float) -> Problem:
    criterion = registry.find(privacy.CATALOG, name)
    value = rng.integers(0, 3, size=problem.n_rows).astype(np.int32)
    return replace(problem, demands=(Demand(criterion, "illness", parameters),), sensitive=(value,))


def set_free(problem: Problem, kind: str) -> Problem:
    freed = tuple(
        quasi_identifier(c.name, c.tree, c.count, problem.measure, c.weight, free=kind if j == 0 else None)  # type: ignore[arg-type]
        for j, c in enumerate(problem.columns)
    )
    return replace(problem, columns=freed)


@cache
def problems_with_optimum(kind: str) -> list[tuple[Problem, float]]:
    """The problems of a kind, each with the least that any release of it costs."""
    return [(p, least_paid(p) if p.is_laminar else 0.0) for p in problems(kind)]


def problems(kind: str) -> Iterator[Problem]:
    """Some problems of a kind; the same in every run."""
    rng = np.random.default_rng(sum(map(ord, kind)))
    for measure, k in product(MEASURES, (2, 3, 4)):
        for _ in range(2):
            if kind == "plain":
                yield random_table(rng, measure, k)
            elif kind == "folded":
                yield make_problem([[str(v)] for v in rng.integers(0, 3, size=9)], k, None, measure)
            elif kind == "binary":
                yield make_problem([[str(v) for v in row] for row in rng.integers(0, 2, size=(8, 3))], k, None, measure)
            elif kind == "withheld":
                yield random_table(rng, measure, k, max_withheld=2)
            elif kind == "deletion":
                yield random_table(rng, measure, k, deletion=True)
            elif kind == "l-diversity":
                yield with_demand(random_table(rng, measure, k), rng, "distinct-l-diversity", l=2.0)
            elif kind == "t-closeness":
                yield with_demand(random_table(rng, measure, k, max_withheld=int(rng.integers(0, 3))), rng, "t-closeness", t=0.3)
            elif kind == "few":
                yield random_table(rng, measure, k, n=k - 1)
            else:
                yield set_free(random_table(rng, measure, k), kind)


def check_refusal(algorithm: Algorithm, message: str) -> None:
    """A refusal has a reason and names another algorithm to take."""
    assert len(message.split()) >= 6
    assert any(re.search(rf"(?<![\w-]){name}(?![\w-])", message) for name in KNOWN - {algorithm.name}), message


def run(algorithm: Algorithm, problem: Problem, least: float) -> Solution | None:
    """The solution; None where the algorithm refuses or nothing is feasible, after a look at the reason."""
    reason = algorithm.refuses(problem)
    if reason is not None:
        check_refusal(algorithm, reason)
        return None
    try:
        return solve(problem, algorithm, Watch())
    except Refused as refusal:
        check_refusal(algorithm, str(refusal))
    except Infeasible:
        assert least == float("inf") or algorithm.recoding != "local"
    return None


def recomputed(problem: Problem, solution: Solution) -> float:
    """The loss from the sets that are shown and the measure as it is defined."""
    total = 0.0
    tuples = problem.tuple_of_unit
    for j, column in enumerate(problem.columns):
        shown = solution.sets[j]
        for i in np.flatnonzero(solution.group >= 0):
            leaf = int(problem.codes[tuples[i], j])
            node = int(solution.nodes[solution.group[i], j])
            if shown is None:
                assert leaf in column.tree.leaves_below(node)
                price = problem.measure.price(column.tree, column.count)[node]
            else:
                assert leaf in shown[node]
                price = problem.measure.set_price(column.tree, column.count, shown)[node]
            total += column.weight * float(price) - float(column.offset[leaf])
    return total + price_of_leaving_out(problem, list(np.flatnonzero(solution.group < 0)))


def check_solution(algorithm: Algorithm, problem: Problem, solution: Solution) -> None:
    group = solution.group
    assert len(group) == problem.n_rows
    assert solution.nodes.shape == (solution.n_groups, problem.n_columns)
    released = group[group >= 0]
    sizes = np.bincount(released, minlength=solution.n_groups)
    assert (sizes >= problem.k).all()
    assert solution.n_withheld <= problem.most_withheld
    for demand, value in zip(problem.demands, problem.sensitive, strict=True):
        assert demand.is_met(histogram(group, value, solution.n_groups)).all()
    assert solution.loss == pytest.approx(recomputed(problem, solution), abs=1e-7)
    if algorithm.recoding in {"full-domain", "global"}:
        check_alike_everywhere(problem, solution)


def check_alike_everywhere(problem: Problem, solution: Solution) -> None:
    """A value is shown as the same node wherever it occurs."""
    for j in range(problem.n_columns):
        shown: dict[int, int] = {}
        for i in np.flatnonzero(solution.group >= 0):
            leaf, node = int(problem.codes[problem.tuple_of_unit[i], j]), int(solution.nodes[solution.group[i], j])
            assert shown.setdefault(leaf, node) == node


def check_quality(algorithm: Algorithm, problem: Problem, solution: Solution, least: float) -> None:
    promised = algorithm.guarantee(problem)
    assert promised is None or promised >= 1
    if not problem.is_laminar:
        assert promised is None or algorithm.name == "exact"  # what can be proved needs laminar hierarchies, or all partitions
        return
    cost = solution.loss
    assert cost >= least - 1e-7
    if solution.guarantee is not None:  # a run may prove more than the algorithm promises
        assert cost <= solution.guarantee * least + 1e-7
    if promised is not None:
        assert cost <= promised * least + 1e-7, f"{cost / least if least else cost} above {promised}"
    if solution.bound is not None:
        assert solution.bound.value <= least + 1e-7


@pytest.mark.parametrize(
    "kind", ["plain", "folded", "binary", "withheld", "deletion", "l-diversity", "t-closeness", "few", "interval", "subset"]
)
@pytest.mark.parametrize("name", NAMES)
def test_an_algorithm_keeps_its_word(name: str, kind: str) -> None:
    algorithm = registry.find(algorithms.CATALOG, name)
    assert algorithm.name == name
    for problem, least in problems_with_optimum(kind):
        solution = run(algorithm, problem, least)
        if solution is None:
            continue
        check_solution(algorithm, problem, solution)
        check_quality(algorithm, problem, solution, least)
        again = solve(problem, algorithm, Watch())
        assert np.array_equal(solution.group, again.group)
        assert np.array_equal(solution.nodes, again.nodes)
        assert solution.loss == again.loss


@pytest.mark.parametrize("name", NAMES)
def test_an_algorithm_says_what_it_is(name: str) -> None:
    algorithm = registry.find(algorithms.CATALOG, name)
    assert algorithm.recoding in {"local", "global", "full-domain"}
    assert algorithm.reference
    assert algorithm.guarantee_text
    module = registry.load(algorithms.CATALOG[name].split(":")[0] + ":__doc__")
    for part in ("Problem.", "Guarantee.", "Method.", "Deviations.", "Complexity.", "Notation.", "Reference."):
        assert part in module, part


@pytest.mark.parametrize("name", NAMES)
def test_a_run_that_is_asked_to_stop_still_answers(name: str) -> None:
    class Impatient(Watch):
        def wants_stop(self) -> bool:
            return True

    algorithm = registry.find(algorithms.CATALOG, name)
    rng = np.random.default_rng(5)
    problem = random_table(rng, "stars", 2, n=12)
    if algorithm.refuses(problem) is None:
        check_solution(algorithm, problem, algorithm.solve(problem, Impatient()))


def test_the_demand_of_the_tests_can_fail() -> None:
    rng = np.random.default_rng(0)
    problem = with_demand(random_table(rng, "stars", 2), rng, "distinct-l-diversity", l=2.0)
    alike = [i for i in range(problem.n_rows) if problem.sensitive[0][i] == problem.sensitive[0][0]]
    assert not meets_demands(problem, alike)

"""The factors of k = 2 and k = 3: their worst ratio over small tables and the papers' hard instances, and what their proof costs on Adult."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
from tests.naive.optima import optima
from tests.tables import make_problem

from benchmarks import adult
from benchmarks.algorithms import Tally, binary_tables, random_tables
from shoal import instances, kernels
from shoal.algorithms.base import Algorithm
from shoal.algorithms.one_two_factor import ONE_TWO_FACTOR
from shoal.algorithms.two_factor import TWO_FACTOR
from shoal.budget import Budget
from shoal.matching.distances import distances, nearest
from shoal.matching.edge_cover import edge_cover
from shoal.matching.pricing import FIRST_EDGES, add, near_edges
from shoal.problem import Problem, Watch

HARD = 1_500
RANDOM = 18_000


def hard_tables(k: int) -> Iterator[Problem]:
    """Tables of the reductions: triangles and stars, exact covers, perfect matchings, graphs, and the two alike tables."""
    rng = np.random.default_rng(k)
    pairs, triples = list(combinations(range(5), 2)), list(combinations(range(6), 3))
    for i in range(HARD):
        edges = [pairs[j] for j in rng.choice(len(pairs), int(rng.integers(3, 8)), replace=False)]
        sets = [triples[j] for j in rng.choice(len(triples), int(rng.integers(1, 7)), replace=False)]
        made = (
            lambda edges=edges: instances.triangles(edges),
            lambda edges=edges: instances.triangles_and_stars(edges),
            lambda edges=edges: instances.restricted_from_graph(5, edges),
            lambda sets=sets: instances.exact_cover(6, sets),
            lambda sets=sets: instances.exact_cover_columns(6, sets),
            lambda sets=sets: instances.perfect_matching(6, sets, 3),
        )[i % 6]()
        measure = "stars" if made.measure == "columns" else made.measure
        yield make_problem(made.rows, k, None, measure)
    for size in range(k, 7):
        for alike in (instances.alike_apart, instances.alike_together):
            yield make_problem(alike(size).rows, k)


def worst_ratios(algorithm: Algorithm, k: int) -> None:
    """The worst ratio to the exhaustive optimum over at least 20,000 tables."""
    total = Tally()
    families: dict[str, Callable[[], Iterator[Problem]]] = {
        "all binary": lambda: binary_tables(k),
        "random": lambda: random_tables(k, RANDOM),
        "hard": lambda: hard_tables(k),
    }
    for name, make in families.items():
        tally, problems = Tally(), list(make())
        for problem, least in zip(problems, optima(problems), strict=True):
            tally.add(algorithm, problem, float(least))
            total.add(algorithm, problem, float(least))
        promised = "-" if tally.promised is None else f"{tally.nearest:.3f} of {tally.promised:g}"
        print(
            f"{algorithm.name:15} {name:12} {tally.tried:6} tables  worst {tally.worst:.3f}  nearest its guarantee {promised}  broken {tally.broken}"
        )
    print(f"{algorithm.name:15} {'together':12} {total.tried:6} tables  worst {total.worst:.3f}  broken {total.broken}", flush=True)


def some_rows(problem: Problem, n: int) -> Problem:
    """n rows drawn at random, the same in every run."""
    chosen = np.zeros(problem.n_rows, dtype=bool)
    chosen[np.random.default_rng(0).permutation(problem.n_rows)[:n]] = True
    return problem.over(chosen)


def sparse_cover(problem: Problem) -> float:
    """CPU seconds to the optimal factor of the neighbour graph alone, before any proof."""
    start = time.process_time()
    space = distances(problem)
    lone = np.flatnonzero(problem.weight == 1)
    part, reach = space.only(lone), nearest(space)[1][lone]
    found = near_edges(part, reach, FIRST_EDGES, Budget(None, Watch()))
    assert found is not None
    edges = add(part, None, *found)
    kernels.best_matching(part.n, edges.u, edges.v, 2 * ((reach[edges.u] + reach[edges.v]).astype(np.int64) - edges.weight))
    return time.process_time() - start


def on_adult() -> None:
    for measure, n in ((m, n) for m in ("tree", "entropy") for n in (10_000, 0)):
        whole = adult.problem(2, measure).by_rows()
        problem = some_rows(whole, n) if n else whole
        space = distances(problem)
        sparse = sparse_cover(problem)
        start = time.process_time()
        cover = edge_cover(space, problem.weight, None, Budget(None, Watch()))
        proof = time.process_time() - start
        start = time.process_time()
        solution = ONE_TWO_FACTOR.solve(problem, Watch())
        spent = time.process_time() - start
        print(
            f"one-two-factor  Adult {problem.n_rows:6} rows {measure:8} neighbour graph {sparse:.2f} s CPU, proved in the complete graph {proof:.2f} s "
            f"({cover.n_rounds} rounds, {'proved' if cover.is_proved else 'NOT PROVED'}), all {spent:.2f} s, "
            f"loss per cell {solution.loss / problem.n_rows / problem.n_columns:.4f}",
            flush=True,
        )
    for n in (2_000, 10_000):
        problem = some_rows(adult.problem(3, "tree").by_rows(), n)
        start = time.process_time()
        solution = TWO_FACTOR.solve(problem, Watch())
        spent = time.process_time() - start
        per_cell = solution.loss / problem.n_rows / problem.n_columns
        print(f"two-factor      Adult {n:6} rows tree     {spent:.2f} s CPU, loss per cell {per_cell:.4f}. {solution.note}", flush=True)


def main() -> None:
    worst_ratios(ONE_TWO_FACTOR, 2)
    worst_ratios(TWO_FACTOR, 3)
    if adult.is_there():
        on_adult()
    else:
        print("Adult is not beside the repository: nothing measured on it.")


if __name__ == "__main__":
    main()

"""The bounds on Adult and its enlargements, proofs and their checks, and many small tables against the optimum."""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path

import numpy as np
from tests.proof.cases import case_of_problem

from benchmarks import adult, small_tables
from shoal import measures, registry
from shoal.bounds import dual
from shoal.bounds.box import BOX
from shoal.bounds.neighbour import NEIGHBOUR
from shoal.errors import NotAnonymous
from shoal.problem import Bound, Problem, Watch
from shoal.proof.check import check_prices, check_proof
from shoal.release.witness import rounded, write_proof


def main() -> None:
    if adult.is_there():
        on_adult()
        proofs()
        growth()
    small_tables.main()


def on_adult() -> None:
    print(f"{'measure':20}{'k':>4}{'neighbour':>11}{'box':>9}{'dual':>9}{'gain':>7}{'box, s':>8}{'dual, s':>9}   per cell; CPU seconds")
    for measure, k in [
        ("tree", 2),
        ("tree", 5),
        ("tree", 10),
        ("tree", 50),
        ("entropy", 2),
        ("entropy", 5),
        ("lm", 5),
        ("non-uniform-entropy", 5),
    ]:
        problem = adult.problem(k, measure)
        cells = problem.n_rows * problem.n_columns
        near = NEIGHBOUR.compute(problem, Watch()).value / cells
        box, box_took = timed(lambda p: BOX.compute(p, Watch()).value, problem)
        raised, took = timed(lambda p: dual.prices(p, dual.TURNS, Watch()).bound.value, problem)
        print(f"{measure:20}{k:4}{near:11.5f}{box / cells:9.5f}{raised / cells:9.5f}{raised / box:7.3f}{box_took:8.2f}{took:9.1f}")


def proofs() -> None:
    print("\nproofs: found, checked (CPU s), size; and one price raised by a tenth, for 5 tuples")
    for measure, k in [
        ("entropy", 2),
        *((name, 5) for name in registry.names(measures.CATALOG)),
        ("tree", 50),
        ("non-uniform-entropy", 50),
    ]:
        problem = adult.problem(k, measure)
        result, found = timed(lambda p: dual.prices(p, dual.TURNS, Watch()), problem)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "proof"
            case = case_of_problem(problem)
            write_proof(path, problem, result.bound, case)
            checked, took = timed(lambda p, case=case: check_proof(case, p), path)
            rejected = sum(is_rejected(problem, result.bound, i) for i in range(5))
            size = path.stat().st_size / 1024
        shortfall = 1 - checked / result.bound.value
        slower = "  SLOWER THAN FINDING" if took > found else ""
        print(
            f"{measure:20} k={k:<3} found {found:5.1f}, checked {took:5.1f}, {size:.0f} KiB, rejected {rejected} of 5, rounding lost {shortfall:.1e}{slower}"
        )


def is_rejected(problem: Problem, bound: Bound, seed: int) -> bool:
    """Raise the price of a row that some tight box asks for."""
    assert bound.prices is not None
    tight = np.flatnonzero(bound.prices > np.quantile(bound.prices, 0.9))
    prices = bound.prices.copy()
    prices[np.random.default_rng(seed).choice(tight)] *= 1.1
    try:
        check_prices(case_of_problem(problem), rounded(problem, prices))
    except NotAnonymous:
        return True
    return False


def growth() -> None:
    print("\ngrowth, entropy, k = 5 (CPU s): box, then three turns of dual")
    for n_rows in (0, 100_000, 1_000_000):
        problem = adult.problem(5, "entropy", n_rows)
        cells = problem.n_rows * problem.n_columns
        box, box_took = timed(lambda p: BOX.compute(p, Watch()).value, problem)
        raised, took = timed(lambda p: dual.prices(p, 3, Watch()).bound.value, problem)
        print(
            f"{problem.n_rows:9} rows, {problem.n_tuples:7} distinct: box {box / cells:.5f} in {box_took:.2f} s, dual {raised / cells:.5f} in {took:.1f} s"
        )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


def timed(run, argument):
    start = time.process_time()
    answer = run(argument)
    return answer, time.process_time() - start

"""Bounds against the optimum of small tables, found by trying everything, with every option that a bound knows.

python -m benchmarks small-tables              20,000 tables
python -m benchmarks.small_tables 5000 100     the tables of seeds 5000 to 5099

A table is a function of its seed: any measure, weights, repeated rows, hierarchies of any depth, free intervals and subsets, missing cells that are starred or a
value, rows that were withheld, groups that must be diverse, walks that are cut off early. A bound above the optimum is printed with its seed.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from tests.bounds.test_anchored import SHARES, freed, rising
from tests.contract.test_bounds import MEASURES, demanding, random_table, with_missing
from tests.naive.free import free_optimum
from tests.naive.optimum import optimum
from tests.tables import numbers_with_gaps

from shoal import bounds, registry
from shoal.bounds import box, dual
from shoal.bounds.base import proved
from shoal.errors import Refused
from shoal.problem import Problem, Watch

TABLES = 20_000


def make(seed: int) -> tuple[Problem, str]:
    """The table of a seed, and in words which options it has."""
    rng = np.random.default_rng(seed)
    measure, options = MEASURES[seed % len(MEASURES)], []
    if rng.random() < 0.2:
        problem = numbers_with_gaps(rng, measure)
        options.append("gaps")
    else:
        problem = random_table(rng, measure)
        if rng.random() < 0.3:
            problem = with_missing(rng, problem)
            options.append("missing")
        elif rng.random() < 0.4:
            problem = freed(rng, problem)
            options.append("free")
    if rng.random() < 0.3:
        problem = demanding(rng, problem)
        options.append("diverse")
    if rng.random() < 0.3:
        problem = without_some(rng, problem)
        options.append("withheld")
    return problem, " ".join(options) or "plain"


def without_some(rng: np.random.Generator, problem: Problem) -> Problem:
    """What a bound is taken over when some rows were withheld or deleted."""
    released = np.ones(problem.n_rows, dtype=bool)
    most = problem.n_rows - problem.k
    released[rng.permutation(problem.n_rows)[: int(rng.integers(0, most + 1))]] = False
    return problem.over(released)


def values(problem: Problem, seed: int) -> Iterator[tuple[str, float]]:
    """Every bound of the catalog on a table, and prices whose walks were cut off."""
    for name in registry.names(bounds.CATALOG):
        try:
            yield name, registry.find(bounds.CATALOG, name).compute(problem, Watch()).value
        except Refused:
            continue
    yield "best", bounds.best(problem, Watch()).value
    share = SHARES[seed % len(SHARES)]
    yield f"anchored, cut off {share}", rising(problem, *share, turns=seed % 4).result().bound.value
    yield "box, cut off", proved(problem, "box", box.prices(problem, 1 + seed % 40)[0]).value
    stopped = dual.RisingPrices(problem, most_work=20 + seed % 200)
    stopped.turn(seed % 20)
    yield "dual, cut off", stopped.result().bound.value


def main(first: int = 0, count: int = TABLES) -> int:
    """How many bounds were above the optimum; each is printed."""
    kinds: Counter[str] = Counter()
    above = tried = 0
    for seed in range(first, first + count):
        problem, kind = make(seed)
        kinds[kind] += 1
        best = optimum(problem) if problem.is_laminar and not problem.demands else free_optimum(problem)
        for name, value in values(replace(problem), seed):
            tried += 1
            if value > best + 1e-9:
                above += 1
                print(f"seed {seed} ({kind}, {problem.measure.name}): {name} says {value}, and the optimum is {best}", flush=True)
        if (seed - first + 1) % 1000 == 0:
            print(f"{seed - first + 1:,} tables from seed {first:,}, {tried:,} bounds, {above} above the optimum", flush=True)
    print(f"{count:,} tables from seed {first:,}, {tried:,} bounds: {above} above the optimum; {dict(kinds)}", flush=True)
    return above


if __name__ == "__main__":
    sys.exit(main(*(int(x) for x in sys.argv[1:3])) > 0)

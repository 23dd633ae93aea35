"""Different values in the bounds: where a group must hold l different sensitive values, or rows of k people, boxes with
fewer ask for nothing.

Prices need to be feasible only in boxes that some group may show: those with at least k rows and l different values. A
box inside of a box with fewer has fewer itself, so the walk leaves them out together (docs/guarantees.md, *Other
criteria*).
"""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.bounds.relaxation import laminar
from shoal.kernels import Flag
from shoal.kernels.boxes import Diversity
from shoal.privacy.base import Demand
from shoal.problem import Floats, Ints, Problem

MOST_LISTED = 20_000_000
"""Neighbours listed in all."""
FEWEST_EACH, MOST_EACH = 8, 64
"""Neighbours listed for each tuple."""
MOST_PAIRS = 20_000_000_000
"""Cells of all pairs up to which neighbours are listed even where the index cannot leave any out."""
SAMPLE = 512


def counted(problem: Problem) -> tuple[Demand, Ints] | None:
    """The demand that the bounds count, with the value of each unit: of all that ask for different values, the one that
    asks for most.
    """
    pairs = zip(problem.demands, problem.sensitive, strict=True)
    return max(((d, value) for d, value in pairs if least_of(d) > 1), key=lambda pair: least_of(pair[0]), default=None)


def least_of(demand: Demand) -> int:
    """How many different values a demand asks a group to hold."""
    return int(demand.parameters[demand.criterion.different]) if demand.criterion.different else 1


def diversity_of(problem: Problem) -> Diversity | None:
    """What is asked of the values in a box; None where nothing is, or where not even all rows together have so many."""
    asked = counted(problem)
    if asked is None:
        return None
    demand, value = asked
    there = np.ones(len(value), dtype=np.bool_) if demand.missing is None else value != demand.missing
    n_values = int(value.max(initial=-1)) + 1
    keys = problem.tuple_of_unit[there].astype(np.int64) * n_values + value[there]
    of_tuple, of_value = np.divmod(keys[kernels.rank_keys(keys)[0]], max(n_values, 1))
    wanted = least_of(demand)
    if np.count_nonzero(np.bincount(of_value)) < wanted:
        return None
    start = np.searchsorted(of_tuple, np.arange(problem.n_tuples + 1)).astype(np.int64)
    return Diversity(wanted, start, np.ascontiguousarray(of_value, dtype=np.int32))


def reach(problem: Problem, diverse: Diversity, stop: Flag | None = None) -> Floats:
    """How far each tuple must reach at least until it and what is within reach hold l different values: what its rows
    pay at least.

    Only so many neighbours are looked at; beyond them, the distance of the last one is taken. InterruptedError once
    ``stop`` is set.
    """
    easier, n = laminar(problem), problem.n_tuples
    width = min(n - 1, max(FEWEST_EACH, min(MOST_EACH, MOST_LISTED // max(n, 1))))
    if width < 1 or not is_quick(easier, width, stop):
        return np.zeros(n)
    index, distance = kernels.neighbours(easier.packed, easier.codes, None, width, stop=stop)
    return kernels.diverse_reach(index, distance, diverse)


def is_quick(problem: Problem, width: int, stop: Flag | None = None) -> bool:
    """Whether the neighbours of all tuples can be listed in some seconds."""
    n = problem.n_tuples
    if float(n) * n * problem.n_columns <= MOST_PAIRS:
        return True
    return kernels.can_prune(
        problem.packed, problem.codes, width, np.arange(0, n, n // SAMPLE + 1, dtype=np.int32), stop
    )

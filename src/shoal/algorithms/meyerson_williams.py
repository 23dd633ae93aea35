"""Meyerson–Williams: cover the rows by sets of small diameter, knowing nothing but distances, and make a partition of
the cover.

Problem.     Given the distances of all pairs of rows, find groups of at least k rows; the distance of two rows is the
             price of the nodes that cover both (under suppression, the columns in which they differ).
Guarantee.   By balls: loss at most (2k − 1)² / k · H(2k − 1) times the optimum, by diameters half of that, H(m) = 1 +
             1/2 + … + 1/m; both are O(k ln k), below the 3k(1 + ln 2k) and O(k ln n) of the paper. For every measure
             but non-uniform entropy, on laminar hierarchies, row deletion included. Where rows are withheld for free,
             against the optimum of the rows released. With other demands, or free intervals and subsets: none.
Method.      Phase 1 covers the rows greedily. 'diameter': all subsets of k to 2k − 1 rows, the least diameter per newly
             covered row first; O(n^2k), for small tables. 'balls': candidates are the balls around rows that hold at
             least k rows, at the price radius / min(2k − 1, rows not yet covered); fully polynomial. Phase 2 makes the
             cover a partition: a row in two sets leaves the one that has more than k, or else the two sets are united.
Deviations.  A ball stands for its subsets of k to 2k − 1 rows, as a box does in set-cover: hence ln k instead of ln n,
             and groups that need not be split afterwards. The factor comes from d(S) ≤ |S| / 2 · diameter(S), proved
             for hierarchies (docs/guarantees.md). Row deletion is a set of one row at 1/k of the price of suppressing
             it whole.
Complexity.  'balls': neighbours of all rows, then O(k) per look at a ball; memory O(n · k), no matrix. 'diameter':
             O(n^2k).
Notation.    V = rows, S_{c,i} = ball of radius i around c, d(S) = diameter (there), price of the closure (here).
Reference.   Meyerson, Williams. On the complexity of optimal k-anonymity. PODS 2004. Theorems 4.1 and 4.2, as quoted by
             Gionis and Tassa 2009, section 6.3, and by Zhong, Yang and Wright 2005, section 5.1.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.algorithms.base import Algorithm, harmonic, meet_demands, too_few, why_none
from shoal.budget import Budget, stoppable
from shoal.errors import DataError, Infeasible, Refused
from shoal.kernels.balls import WORK
from shoal.problem import Floats, Ints, Problem, Solution, Watch, close

Variant = Literal["balls", "diameter"]
Distance = NDArray[np.generic] | Callable[[int, int], float]

MOST_SUBSETS = 3_000_000
"""Subsets of k to 2k − 1 rows that 'diameter' tries at every step."""
MOST_LISTED = 40_000_000
"""Neighbours listed in all: longer lists spare searches for rows beyond them."""
AT_ONCE = 10_000
"""Tuples whose lists are made between two questions whether to stop."""
LISTED_PER_SECOND, LOOKED_AT_PER_SECOND = 20_000, 200_000_000
"""Tuples whose neighbours are listed, and tuples looked at in balls, by a common machine."""


def solve(problem: Problem, watch: Watch, variant: Variant = "balls") -> Solution:
    nothing = too_few(problem)
    if nothing is not None:
        return nothing
    # beyond this, deletion is cheaper
    limit = problem.price_of_suppression / problem.k if problem.deletion else math.inf
    watch.tell("cover")
    if variant == "balls":
        by_tuple, whole = cover_by_balls(problem, limit, Budget(problem.time_limit, watch))
    else:
        by_tuple, whole = cover_by_diameters(problem, limit), True
    group = np.empty(problem.n_rows, dtype=np.int32)
    group[problem.units_by_tuple] = by_tuple
    proved, note = (
        explain(problem, variant)
        if whole
        else (None, "Stopped before all rows were covered by the greedy: no guarantee.")
    )
    return close(problem, meet_demands(problem, group, watch), guarantee=proved, note=note)


def cover_by_balls(problem: Problem, limit: float, budget: Budget) -> tuple[Ints, bool]:
    """Balls of the nearest tuples; farther ones are measured when they are needed.

    The group of each row, and whether it ran to its end.
    """
    lists = near_lists(problem, budget)
    if lists is None:  # nothing is known of who is near: rows that stand together in the order of their tuples
        n = problem.n_rows
        return np.minimum(np.arange(n) // problem.k, n // problem.k - 1).astype(np.int32), False
    return kernels.cover_by_balls(
        problem.weight,
        problem.k,
        *lists,
        price_of_leaves(problem),
        problem.packed,
        problem.codes,
        problem.max_withheld,
        limit,
        budget.portions(WORK, LOOKED_AT_PER_SECOND),
    )


def near_lists(problem: Problem, budget: Budget) -> tuple[Ints, Floats] | None:
    """The nearest other tuples of each, and how far they are; None if time was over before."""
    n = problem.n_tuples
    width = min(n - 1, max(2 * problem.k, min(200, MOST_LISTED // n)))
    index, distance = np.empty((n, width), dtype=np.int32), np.empty((n, width))
    for begin in range(0, n if width else 0, AT_ONCE):
        asked = np.arange(begin, min(begin + AT_ONCE, n), dtype=np.int32)
        some = asked if n > AT_ONCE else None
        try:
            with stoppable(budget.watch) as stop:
                index[asked], distance[asked] = kernels.neighbours(
                    problem.packed, problem.codes, None, width, some, stop=stop
                )
        except InterruptedError:
            return None
        budget.spend(len(asked), LISTED_PER_SECOND)
        if begin + AT_ONCE < n and budget.is_over():
            return None
    return index, distance


def cover_by_diameters(problem: Problem, limit: float) -> Ints:
    tuples = problem.tuple_of_unit[problem.units_by_tuple]
    distance = np.zeros((problem.n_rows, problem.n_rows))
    for j, column in enumerate(problem.columns):
        leaves, place = np.unique(problem.codes[:, j], return_inverse=True)
        pairs = np.array([[column.price[column.tree.join(int(a), int(b))] for b in leaves] for a in leaves])
        of_row = place.reshape(-1)[tuples]
        distance += pairs[of_row][:, of_row]
    return kernels.cover_by_diameters(distance, problem.k, problem.max_withheld, limit)


def price_of_leaves(problem: Problem) -> Floats:
    """What each tuple pays when nothing is generalized: 0, except for cells that are starred whatever happens."""
    total = np.zeros(problem.n_tuples)
    for j, column in enumerate(problem.columns):
        total += column.price[problem.codes[:, j]]
    return total


def partition(distance: Distance, n: int, k: int, variant: Variant = "balls") -> Ints:
    """Group of each of n rows, numbered from 0, from nothing but their distances: an n × n matrix, or a function of two
    row numbers.

    >>> import numpy as np
    >>> place = np.array([0, 0, 1, 7, 8, 9])
    >>> partition(abs(place[:, None] - place), 6, 3).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    if n < k:
        raise Infeasible(f"There are {n} rows, and a group needs {k}. Lower k or add rows.")
    if variant == "diameter" and n_subsets(n, k) > MOST_SUBSETS:
        raise Refused(
            f"'diameter' tries {n_subsets(n, k)} subsets of {n} rows at every step, too many. Take the variant 'balls'."
        )
    matrix = as_matrix(distance, n)
    if variant == "diameter":
        group = kernels.cover_by_diameters(matrix, k)
    else:
        order = np.argsort(matrix + np.diag(np.full(n, -np.inf)), axis=1, kind="stable")[:, 1:]
        index = np.ascontiguousarray(order, dtype=np.int32)
        near = np.ascontiguousarray(np.take_along_axis(matrix, order, axis=1))
        group, _ = kernels.cover_by_balls(np.ones(n, dtype=np.int64), k, index, near, np.zeros(n))
    first, number = np.unique(group, return_index=True)[1], np.unique(group, return_inverse=True)[1]
    return np.argsort(np.argsort(first)).astype(np.int32)[number]


def as_matrix(distance: Distance, n: int) -> Floats:
    if callable(distance):
        matrix = np.zeros((n, n))
        for i in range(n):
            matrix[i, i + 1 :] = [distance(i, j) for j in range(i + 1, n)]
        matrix += matrix.T
    else:
        matrix = np.ascontiguousarray(distance, dtype=np.float64)
    if (
        matrix.shape != (n, n)
        or not np.isfinite(matrix).all()
        or (matrix < 0).any()
        or not np.array_equal(matrix, matrix.T)
    ):
        raise DataError(f"Distances must be a symmetric {n} × {n} matrix of finite numbers, none below 0.")
    return matrix


def n_subsets(n: int, k: int) -> int:
    return sum(math.comb(n, size) for size in range(k, min(2 * k - 1, n) + 1))


def factor(k: int, variant: Variant = "balls") -> float:
    """The factor on the optimum that the theorem of a variant gives."""
    half = max((2 * k - 1) ** 2 / (2 * k) * harmonic(2 * k - 1), 1.0)
    return half if variant == "diameter" else 2 * half


def explain(problem: Problem, variant: Variant) -> tuple[float | None, str]:
    """The proved factor, and in words what it says or why there is none."""
    if (missing := why_none(problem, "the theorem")) is not None:
        return None, missing
    found = factor(problem.k, variant)
    return found, f"At most {found:.2f} times the optimum, O(k ln k)."


def guarantee(problem: Problem, variant: Variant = "balls") -> float | None:
    return explain(problem, variant)[0]


def refuses(problem: Problem, variant: Variant = "balls") -> str | None:
    if variant == "diameter" and problem.n_rows >= problem.k and n_subsets(problem.n_rows, problem.k) > MOST_SUBSETS:
        return (
            f"meyerson-williams-diameter tries all subsets, too many for {problem.n_rows} rows. Take "
            "'meyerson-williams' or 'set-cover'."
        )
    return None


MEYERSON_WILLIAMS = Algorithm(
    name="meyerson-williams",
    title="Cover by balls around rows",
    reference="Meyerson and Williams 2004, theorem 4.2",
    recoding="local",
    guarantee_text="(2k − 1)² / k · H(2k − 1) times the optimum on laminar hierarchies; "
    "none where rows of a group pay differently",
    guarantee=guarantee,
    refuses=refuses,
    solve=solve,
)

MEYERSON_WILLIAMS_DIAMETER = Algorithm(
    name="meyerson-williams-diameter",
    title="Cover by subsets of small diameter",
    reference="Meyerson and Williams 2004, theorem 4.1",
    recoding="local",
    guarantee_text=(
        "(2k − 1)² / 2k · H(2k − 1) times the optimum on laminar hierarchies; none where rows of a group pay "
        "differently"
    ),
    guarantee=partial(guarantee, variant="diameter"),
    refuses=partial(refuses, variant="diameter"),
    solve=partial(solve, variant="diameter"),
)

"""Hard instances of clustering: satisfiability as r-gather, set cover as cellular clustering.

Each is a matrix of distances and a threshold: the question has the answer yes if and only if some clustering costs no
more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.errors import DataError

REFERENCE = "Aggarwal et al. 2006"


@dataclass(frozen=True, eq=False)
class MetricInstance:
    """Distances, what is asked of a clustering, and the cost that answers the question."""

    distances: NDArray[np.float64]
    method: str
    r: int
    threshold: float
    setup_cost: NDArray[np.float64] | None
    question: str
    reference: str
    names: tuple[str, ...]
    """What each point stands for."""


def satisfiability(clauses: Sequence[Collection[int]], r: int = 7) -> MetricInstance:
    """Clauses of literals (±1, ±2, …) as r-gather: a clustering of radius 1 exists if and only if they can all be made
    true.

    Each variable has a point for true, one for false and r − 2 that are next to both; a clause is next to its literals.
    A literal may be in at most 3 clauses and r is at least 7, so that both points of a variable cannot be centres; the
    next larger radius is 2.
    """
    if r < 7:
        raise DataError(
            f"The reduction needs r of at least 7, not {r}: with fewer rows both values of a variable could be centres."
        )
    if any(not 1 <= len(set(c)) <= 3 or 0 in c or any(-l in c for l in c) for c in clauses):
        raise DataError("A clause has one to three literals, none of them 0, and no variable with its complement.")
    often = Counter(l for c in clauses for l in set(c))
    if often and max(often.values()) > 3:
        raise DataError("A literal may be in at most 3 clauses.")
    variables = sorted({abs(l) for c in clauses for l in c})
    names: list[str] = []
    edges: list[tuple[str, str]] = []
    for x in variables:
        names += [f"x{x}", f"not x{x}"]
        edges.append((f"x{x}", f"not x{x}"))
        for i in range(r - 2):
            names.append(f"helper {i} of x{x}")
            edges += [(names[-1], f"x{x}"), (names[-1], f"not x{x}")]
    for j, clause in enumerate(clauses):
        names.append(f"clause {j}")
        edges += [(names[-1], f"x{l}" if l > 0 else f"not x{-l}") for l in sorted(set(clause))]
    d = shortest_ways(names, edges)
    return MetricInstance(
        d, "gather", r, 1.0, None, "can all clauses be made true?", f"{REFERENCE}, section 2.1", tuple(names)
    )


def set_cover(sets: Sequence[Collection[int]], k: int, dear: float | None = None) -> MetricInstance:
    """Sets over elements as cellular clustering: cost |sets| + |elements| + k is reached if and only if k of the sets
    cover all elements.

    A set is 1 from its elements and from every other set; setting up a cluster costs 1 at a set and ``dear`` at an
    element.
    """
    elements = sorted({x for s in sets for x in s})
    if not sets or not elements:
        raise DataError("A set cover needs a set and an element.")
    m, n = len(sets), len(sets) + len(elements)
    d = np.full((n, n), 2.0)
    d[:m, :m] = 1.0
    for i, s in enumerate(sets):
        for x in s:
            j = m + elements.index(x)
            d[i, j] = d[j, i] = 1.0
    for i in range(n):
        d[i] = np.minimum(d[i], (d[i][:, None] + d).min(axis=0))
    np.fill_diagonal(d, 0.0)
    costs = np.full(n, float(4 * n) if dear is None else dear)
    costs[:m] = 1.0
    names = (*(f"set {i}" for i in range(m)), *(f"element {x}" for x in elements))
    question = f"do {k} of the sets cover all elements?"
    return MetricInstance(d, "cellular", 1, float(n + k), costs, question, f"{REFERENCE}, Theorem 3.2", names)


def shortest_ways(names: Sequence[str], edges: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
    """Distances in a graph with edges of length 1; twice the number of points where there is no way."""
    number = {name: i for i, name in enumerate(names)}
    d = np.full((len(names), len(names)), 2.0 * len(names))
    np.fill_diagonal(d, 0.0)
    for a, b in edges:
        d[number[a], number[b]] = d[number[b], number[a]] = 1.0
    for via in range(len(names)):
        d = np.minimum(d, d[:, via : via + 1] + d[via : via + 1, :])
    return d

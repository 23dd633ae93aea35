"""The best bound that the effort allows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.bounds import anchored, dual
from shoal.bounds.base import check, proved
from shoal.bounds.box import BOX, NOBODY
from shoal.bounds.linear import LINEAR
from shoal.bounds.neighbour import NEIGHBOUR
from shoal.budget import Budget
from shoal.problem import Bound, Floats, Problem, Watch

FEW_TUPLES = 500
"""Up to so many distinct tuples the linear program takes a second or two."""
FEW_FOR_CUTS, SECONDS_OF_CUTS = 2_000, 0.25
"""Up to so many tuples, cuts are looked for in all boxes, else by walks; with so many seconds for each turn, fewer
where a limit of time is short.
"""
SHARE_OF_CUTS = 0.3
"""The most that cuts may take of a limit of time. A search without a limit lets them take as long as itself."""
FEW_FOR_BOTH, FEW_TURNS = 3_000, 4
"""Up to so many tuples, free columns are bounded in both ways, with so many turns along their stand-in hierarchies."""


def prices_of(
    problem: Problem, most_work: int = dual.MOST_WORK, watch: Watch = NOBODY, start: Floats | None = None
) -> dual.RisingPrices:
    """The prices that rise highest on this table: along boxes, or along sets where columns are free or boxes are too
    many.
    """
    can_pair = problem.n_tuples <= anchored.MOST_TUPLES
    if not problem.is_laminar and can_pair:
        return anchored.AnchoredPrices(problem, start, most_work, watch)
    found = dual.RisingPrices(problem, start, most_work, watch)
    if not (found.is_stuck and can_pair) or watch.wants_stop():
        return found
    other = anchored.AnchoredPrices(problem, found.prices, most_work, watch)
    return other if other.result().bound.value >= found.result().bound.value else found


def better(problem: Problem, found: Bound, watch: Watch) -> Bound:
    """A bound; with free columns, what pairs of rows or the stand-in hierarchies prove if that is more."""
    if problem.is_laminar or watch.wants_stop():
        return found
    if problem.n_tuples > anchored.MOST_TUPLES:
        return max(found, NEIGHBOUR.compute(problem, watch), key=lambda b: b.value)
    if problem.n_tuples > FEW_FOR_BOTH:
        return found
    return max(found, dual.prices(problem, FEW_TURNS, watch).bound, key=lambda b: b.value)


def cut(problem: Problem, found: Bound, watch: Watch, seconds: float) -> tuple[Bound, float]:
    """A bound, or what cuts prove if that is more; and the seconds of a common machine that this took."""
    if watch.wants_stop():
        return found, 0.0
    from shoal.bounds.rank import with_cuts  # HiGHS and sparse matrices are loaded where they are needed
    from shoal.bounds.rank_walk import with_walked_cuts

    budget = Budget(seconds, watch)
    better = (
        with_cuts(problem, found, budget)
        if problem.n_tuples <= FEW_FOR_CUTS
        else with_walked_cuts(problem, found, budget)
    )
    return better or found, budget.spent


def choose(problem: Problem, watch: Watch, effort: int = dual.TURNS) -> Bound:
    """`box` without effort, else prices with so many turns, `linear` for a small table, and cuts. Each is at least the
    one before.

    There is always an answer: where memory or work do not suffice for a better bound, a weaker one is returned and its
    note says so.
    """
    note = check(problem)
    if problem.n_rows == 0:
        return proved(problem, "box", None, note)
    try:
        if effort <= 0:
            return (BOX if problem.is_laminar else NEIGHBOUR).compute(problem, watch)
        if effort >= dual.TURNS and problem.is_laminar and problem.n_tuples <= FEW_TUPLES:
            found = LINEAR.compute(problem, watch)
        else:
            found = better(problem, dual.raise_prices(prices_of(problem, watch=watch), effort, watch).bound, watch)
        limit = np.inf if problem.time_limit is None else SHARE_OF_CUTS * problem.time_limit
        return cut(problem, found, watch, min(problem.effort * effort * SECONDS_OF_CUTS, limit))[0]
    except MemoryError:
        found = NEIGHBOUR.compute(problem, watch)
        return replace(found, note=f"{found.note} There was no memory for a better bound.".strip())

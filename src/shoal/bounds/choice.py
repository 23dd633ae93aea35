"""The best bound that the effort allows: quick ones first, each kept if it is above the last."""

from __future__ import annotations

from shoal.bounds import dual
from shoal.bounds.base import check, proved
from shoal.bounds.box import BOX
from shoal.bounds.neighbour import NEIGHBOUR
from shoal.problem import Bound, Problem, Watch


def choose(problem: Problem, watch: Watch, effort: int = dual.TURNS) -> Bound:
    """The highest of the bounds: `neighbour`, `box`, and with ``effort`` turns `dual`.

    Never without an answer: where memory or work do not suffice for one, the weaker one stands and its note says so.
    """
    note = check(problem)
    if problem.n_rows == 0:
        return proved(problem, "box", None, note)
    found = NEIGHBOUR.compute(problem, watch)
    try:
        found = higher(found, BOX.compute(problem, watch))
        if effort > 0 and not watch.wants_stop():
            found = higher(found, dual.prices(problem, effort, watch).bound)
    except MemoryError:
        return Bound(found.name, found.value, found.prices, f"{found.note} There was no memory for a better bound.".strip())
    return found


def higher(one: Bound, other: Bound) -> Bound:
    return other if other.value >= one.value else one

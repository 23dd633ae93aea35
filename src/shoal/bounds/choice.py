"""The best bound that the effort allows."""

from __future__ import annotations

from dataclasses import replace

from shoal.bounds import dual
from shoal.bounds.base import check, proved
from shoal.bounds.box import BOX
from shoal.bounds.linear import LINEAR
from shoal.bounds.neighbour import NEIGHBOUR
from shoal.problem import Bound, Problem, Watch

FEW_TUPLES = 500
"""Up to so many distinct tuples the linear program takes a second or two."""


def choose(problem: Problem, watch: Watch, effort: int = dual.TURNS) -> Bound:
    """`box` without effort, else `dual` with so many turns, and `linear` for a small table. Each is at least the one before.

    Never without an answer: where memory or work do not suffice for one, a weaker one stands and its note says so.
    """
    note = check(problem)
    if problem.n_rows == 0:
        return proved(problem, "box", None, note)
    try:
        if not problem.is_laminar:
            return max(NEIGHBOUR.compute(problem, watch), dual.prices(problem, min(effort, 4), watch).bound, key=lambda b: b.value)
        if effort <= 0:
            return BOX.compute(problem, watch)
        if effort >= dual.TURNS and problem.n_tuples <= FEW_TUPLES:
            return LINEAR.compute(problem, watch)
        return dual.prices(problem, effort, watch).bound
    except MemoryError:
        found = NEIGHBOUR.compute(problem, watch)
        return replace(found, note=f"{found.note} There was no memory for a better bound.".strip())

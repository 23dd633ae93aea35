"""What a bound is: a number no release of these rows, by these hierarchies, can cost less than."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shoal.bounds.diversity import diversity_of
from shoal.errors import Infeasible
from shoal.problem import Bound, Floats, Problem, Watch

SAFETY = 1e-12
"""Prices are lowered by this share, which is more than rounding can have raised them."""

DEMANDS = "The bound is for k-anonymity alone; the other criteria can only cost more."
DIVERSE = "The bound is for k-anonymity with {} different values in each group; what else is asked for can only cost more."
STOPPED = "The run was stopped before a bound was found."


@dataclass(frozen=True)
class BoundMethod:
    """A way to find a lower bound on the optimum of a given table."""

    name: str
    title: str
    reference: str
    compute: Callable[[Problem, Watch], Bound]
    """Raises :class:`shoal.Refused` where it does not apply; the message says why."""


def check(problem: Problem) -> str:
    """Refuse a table that has no release at all. Returns the remark for a problem that is bounded through an easier one."""
    if 0 < problem.n_rows < problem.k:
        raise Infeasible(f"There are {problem.n_rows} rows and a group needs {problem.k}: there is no release to bound.")
    remarks = []
    if not problem.is_laminar:
        remarks.append("Free columns count with what a set of two of their values costs at least.")
    if problem.demands:
        remarks.append(remark_on_demands(problem))
    return " ".join(remarks)


def remark_on_demands(problem: Problem) -> str:
    """Which of the demands the bound counts."""
    diverse = diversity_of(problem)
    return DEMANDS if diverse is None else DIVERSE.format(diverse.l)


def proved(problem: Problem, name: str, prices: Floats | None, note: str = "") -> Bound:
    """The bound that prices of tuples prove: their sum over the rows, minus the offset of each row."""
    if prices is None:
        return Bound(name, 0.0, None, note)
    lowered = prices * (1.0 - SAFETY)
    value = float((problem.weight * (lowered - problem.offset_of_tuple)).sum())
    return Bound(name, max(value, 0.0), lowered, note)

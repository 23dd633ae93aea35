"""What a bound is: a number no release of this table, by these hierarchies, can cost less than, whichever rows it
leaves out of those it may.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from shoal.bounds.diversity import diversity_of
from shoal.errors import Infeasible
from shoal.problem import Bound, Floats, Problem, Watch

SAFETY = 1e-12
"""Prices are lowered by this share, which is more than rounding can have raised them."""

DEMANDS = "The bound is for k-anonymity alone; the other criteria can only cost more."
DIVERSE = (
    "The bound is for k-anonymity with {} different values in each group; what else is asked for can only cost more."
)
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
    """Refuse a table that has no release at all.

    Returns the remark for a problem that is bounded through an easier one.
    """
    if 0 < problem.n_rows < problem.k:
        raise Infeasible(
            f"There are {problem.n_rows} rows and a group needs {problem.k}: there is no release to bound."
        )
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
    """The bound that prices of tuples prove: their sum over the rows, minus the offset of each row.

    A row may be deleted at the price P of suppressing it whole: no price above P counts for more, and lowered prices
    are as feasible. Of rows that may be withheld at no cost, the dearest are taken off, as many as may be: so the bound
    holds whichever they are.
    """
    if prices is None:
        return Bound(name, 0.0, None, note)
    lowered = (np.minimum(prices, problem.price_of_suppression) if problem.deletion else prices) * (1.0 - SAFETY)
    worth = lowered - problem.offset_of_tuple
    value = float((problem.weight * worth).sum()) - dearest(problem, worth)[0] * (1.0 + SAFETY)
    return Bound(name, max(value, 0.0), lowered, note)


def dearest(problem: Problem, worth: Floats) -> tuple[float, float]:
    """What the rows are worth together that may be withheld at no cost, if those leave that are worth most; and what
    the last of them is worth.
    """
    if problem.max_withheld == 0:
        return 0.0, np.inf
    order = np.argsort(-worth, kind="stable")
    before = np.cumsum(problem.weight[order]) - problem.weight[order]
    taken = np.clip(problem.max_withheld - before, 0, problem.weight[order])
    least = max(float(worth[order[np.count_nonzero(taken) - 1]]), 0.0)
    return float((taken * np.maximum(worth[order], 0.0)).sum()), least


def gain_of(problem: Problem, net: Floats, own: Floats | None) -> float:
    """What net prices are worth: what is beyond the price of a row that leaves does not count, and what rows are worth
    that may leave is taken off.
    """
    if not problem.may_withhold:
        return float((problem.weight * net).sum())
    if problem.deletion:
        return float((problem.weight * np.minimum(net, net_limit(problem, net, own))).sum())
    worth = (net if own is None else net + own) - problem.offset_of_tuple
    return float((problem.weight * net).sum()) - dearest(problem, worth)[0]


def net_limit(problem: Problem, net: Floats, own: Floats | None, fee: float | None = None) -> Floats:
    """The net price of each tuple from which on more is worth nothing, as its rows would rather leave; infinite where
    none may.

    Of rows that may be withheld at no cost it follows from a fee for leaving: by itself, what the last of the dearest
    rows is worth.
    """
    taken_off = 0.0 if own is None else own
    if problem.deletion:
        return np.maximum(problem.price_of_suppression - taken_off, 0.0) + np.zeros(len(net))
    if problem.max_withheld == 0:
        return np.full(len(net), np.inf)
    if fee is None:
        fee = dearest(problem, net + taken_off - problem.offset_of_tuple)[1]
    return np.maximum(fee + problem.offset_of_tuple - taken_off, 0.0)

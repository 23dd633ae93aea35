"""The proof of a bound, written down: a price for each distinct tuple of quasi-identifiers, rounded down to whole units.

What is written is checked first: a proof that the checker would reject, for whatever reason, is never written.
A proof shows the original values of every row that was released. It is for the owner of the table and an auditor whom the
owner trusts with the table; never publish it with a release.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from shoal.atomic import write_bytes
from shoal.bounds import best, dual
from shoal.errors import NotAnonymous, Refused
from shoal.problem import Bound, Problem, Watch
from shoal.release.proof_case import Case
from shoal.release.proof_check import Checked, check_prices
from shoal.release.proof_file import Prices, Texts, pack

PLACES = 40
"""A row that is suppressed whole costs about 2^40 units; fewer where sums over all rows would not fit 62 bits."""

TURNS = 4
"""How far prices are raised where a bound has to be found anew."""


def why_none(problem: Problem) -> str | None:
    """Why bounds of this problem have no proof file; None if they have."""
    if not problem.is_laminar and not problem.measure.has_free_proofs:
        return (
            f"In '{problem.measure.name}', columns that may show any interval or any subset have no proof to write. Give them hierarchies."
        )
    if not problem.measure.has_proofs:
        return f"The measure '{problem.measure.name}' does not say how a checker recomputes its prices: its bounds have no proof."
    return None


def prove(path: str | Path, problem: Problem, released: NDArray[np.bool_], bound: Bound | None, case: Case) -> Checked:
    """Write the witness of a bound on the released rows.

    Where the release does not tell which rows were withheld, the bound is found anew for all rows that may have been released, and the
    proof shows what holds whichever they are. Raises :class:`shoal.Refused` where there is nothing to write.
    """
    reason = why_none(problem)
    if reason is not None:
        raise Refused(reason)
    if case.is_determined:
        over = problem if released.all() else problem.over_rows(released)
        is_pairwise = bound is not None and bound.name == "neighbour" and not over.is_laminar
        return write_proof(path, over, walked(over) if is_pairwise else bound, case)
    assert case.which is not None
    wider = problem.over_rows(case.which)
    return write_proof(path, wider, best(wider, Watch(), TURNS) if wider.is_laminar else walked(wider), case)


def walked(problem: Problem) -> Bound:
    """A bound by prices that hold in all boxes: what `neighbour` proves for free columns holds pair by pair, which no walk can check."""
    return dual.prices(problem, TURNS, Watch()).bound


def write_proof(path: str | Path, problem: Problem, bound: Bound | None, case: Case) -> Checked:
    """Check and write the witness of a bound: ``problem`` is the one over the rows of the case that the bound was computed for."""
    if bound is None:
        raise Refused("There is no bound to prove.")
    if bound.prices is None:
        raise Refused(f"The bound '{bound.name}' has no prices that prove it.")
    proof = rounded(problem, bound.prices)
    try:
        found = check_prices(case, proof)
    except NotAnonymous as error:
        raise Refused(f"There is no proof of this bound to write; its own check failed. Please report this. ({error})") from error
    write_bytes(path, pack(proof), private=True)
    return found


def rounded(problem: Problem, prices: np.ndarray) -> Prices:
    """The prices as integers, a little lower than they are."""
    shift = finest_shift(problem)
    whole = np.maximum(np.floor(np.ldexp(prices, shift)).astype(np.int64) - margin(problem, shift), 0)
    columns = {}
    for j, column in enumerate(problem.columns):
        used, places = np.unique(problem.codes[:, j], return_inverse=True)
        columns[column.name] = Texts([column.tree.labels[v] for v in used.tolist()], places.reshape(-1).astype(np.int64))
    return Prices(columns, whole, shift)


def margin(problem: Problem, shift: int) -> int:
    """By how many units prices are lowered: the checker rounds the price of each node down by up to a unit, and what the solver takes for
    a price is a difference of logarithms with a rounding error of its own."""
    error = sum(column.weight for column in problem.columns) * math.log2(problem.n_rows + 2) * 2.0**-46
    return 4 * problem.n_columns + math.ceil(min(math.ldexp(error, shift), 2.0**61))


def finest_shift(problem: Problem) -> int:
    """How many binary places prices get."""
    dearest = problem.price_of_nothing or 1.0
    room = 61 - math.ceil(math.log2(max(problem.n_rows, problem.k, 2)))
    return min(PLACES, room) - math.ceil(math.log2(dearest))

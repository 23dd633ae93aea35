"""The proof of a bound, written down: a price for each distinct tuple of quasi-identifiers, rounded down to whole units.

What is written is checked first: a proof that the checker would reject, for whatever reason, is never written.
A proof shows the original values of every row. It is for the owner of the table and an auditor whom the
owner trusts with the table; never publish it with a release.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from shoal import registry
from shoal.bounds import best, dual
from shoal.disk.atomic import write_bytes
from shoal.errors import NotAnonymous, Refused
from shoal.judge.measures import CATALOG
from shoal.judge.measures.base import definition_of
from shoal.problem import Bound, Problem, RankCut, Watch
from shoal.proof.case import Case
from shoal.proof.check import check_claim, check_prices
from shoal.proof.file import Partitions, ProofCut, ProofPrices, ProofTexts, pack
from shoal.proof.partitions import MOST_ROWS, least_partition

PLACES = 40
"""A row that is suppressed whole costs about 2^40 units; fewer where sums over all rows would not fit 62 bits."""

OVER_SETS = ("neighbour", "anchored")
"""Bounds whose prices hold for sets of rows, of any columns; those of the others hold in boxes."""

SHARES = (1.0, 0.9, 0.8)
"""The shares of such prices of which a proof is tried: the first one whose sets are not too many to be looked at again is written."""

TURNS = 4
"""How far prices are raised where a bound has to be found again."""


def why_none(problem: Problem) -> str | None:
    """Why bounds of this problem have no proof file, and what to do; None if they have."""
    measure = definition_of(problem.measure.name)
    free = [column.name for column in problem.columns if column.free is not None]
    if not measure.has_proofs:
        others = [name for name in registry.names(CATALOG) if definition_of(name).has_proofs]
        return (
            f"The measure '{measure.name}' does not say how a checker recomputes its prices: its bounds have no proof. "
            f"Take another ({', '.join(others)}), or ask for no proof."
        )
    if free and not measure.has_free_proofs:
        return (
            f"In '{measure.name}', columns that may show any interval or any subset ({', '.join(free)}) have no proof to write. "
            "Give them hierarchies, or ask for no proof."
        )
    return None


def prove(path: str | Path, problem: Problem, bound: Bound | None, case: Case) -> float:
    """Write the witness of a bound: prices, or for a few rows without any that all partitions were compared. What it proves.

    Raises :class:`shoal.Refused` where there is nothing to write.
    """
    reason = why_none(problem)
    if reason is not None:
        raise Refused(reason)
    if (bound is None or bound.prices is None) and problem.n_rows <= MOST_ROWS:
        return write_partitions(path, problem, case)
    if bound is None or bound.prices is None:  # an integer program leaves no prices: what linear ones prove is written
        bound = best(problem, Watch(), TURNS)
    if bound.name == "neighbour" and case.different is not None:  # different values are counted in boxes only
        bound = walked(problem)
    if bound.name not in OVER_SETS:
        return write_proof(path, problem, bound, case)
    for share in SHARES:
        try:
            return write_proof(path, problem, lowered(problem, bound, share), case, by_sets=True)
        except Refused:  # the sets are too many to be looked at again
            continue
    return write_proof(path, problem, walked(problem), case)


def lowered(problem: Problem, bound: Bound, share: float) -> Bound:
    """A bound with a share of its prices, beyond what is taken off again. They hold as well, and fewer sets come near them."""
    if bound.prices is None or share == 1.0:
        return bound
    offset = problem.offset_of_tuple
    return replace(bound, prices=np.minimum(offset + share * (bound.prices - offset), bound.prices))


def write_partitions(path: str | Path, problem: Problem, case: Case) -> float:
    """Write that all partitions of a few rows were compared. The checker, which compares them again, has to find the same."""
    shift = finest_shift(problem)
    claim = Partitions(least_partition(case, shift), shift)
    write_bytes(path, pack(claim), private=True)
    return check_claim(case, claim)


def walked(problem: Problem) -> Bound:
    """A bound by prices that hold in all boxes, free columns along their stand-in hierarchies."""
    return dual.prices(problem, TURNS, Watch()).bound


def write_proof(path: str | Path, problem: Problem, bound: Bound | None, case: Case, by_sets: bool = False) -> float:
    """Check and write the witness of a bound of this problem."""
    if bound is None:
        raise Refused("There is no bound to prove.")
    if bound.prices is None:
        raise Refused(f"The bound '{bound.name}' has no prices that prove it.")
    proof = replace(rounded(problem, bound.prices), by_sets=by_sets)
    if bound.cuts:
        proof = replace(proof, cuts=rounded_cuts(problem, bound.cuts, proof.shift))
    try:
        found = check_prices(case, proof)
    except NotAnonymous as error:
        raise Refused(f"There is no proof of this bound to write; its own check failed. Please report this. ({error})") from error
    write_bytes(path, pack(proof), private=True)
    return found


def rounded(problem: Problem, prices: np.ndarray) -> ProofPrices:
    """The prices as integers, a little lower than they are."""
    shift = finest_shift(problem)
    whole = np.maximum(np.floor(np.ldexp(prices, shift)).astype(np.int64) - margin(problem, shift), 0)
    columns = {}
    for j, column in enumerate(problem.columns):
        used, places = np.unique(problem.codes[:, j], return_inverse=True)
        columns[column.name] = ProofTexts([column.tree.labels[v] for v in used.tolist()], places.reshape(-1).astype(np.int64))
    return ProofPrices(columns, whole, shift)


def rounded_cuts(problem: Problem, cuts: Sequence[RankCut], shift: int) -> list[ProofCut]:
    """The cuts as integers, a little higher than they are; one around the whole table pays for what rounding does to all others."""
    whole = [ProofCut(cut.tuples.astype(np.int64), math.ceil(math.ldexp(cut.price, shift))) for cut in cuts]
    return [*whole, ProofCut(np.arange(problem.n_tuples), 2 * problem.k * margin(problem, shift))]


def margin(problem: Problem, shift: int) -> int:
    """By how many units prices are lowered: the checker rounds the price of each node down by up to a unit, and what the solver takes for
    a price is a difference of logarithms with a rounding error of its own."""
    error = sum(column.weight for column in problem.columns) * math.log2(problem.n_rows + 2) * 2.0**-46
    return 4 * problem.n_columns + math.ceil(min(math.ldexp(error, shift), 2.0**61))


def finest_shift(problem: Problem) -> int:
    """How many binary places prices get."""
    dearest = problem.price_of_suppression or 1.0
    room = 61 - math.ceil(math.log2(max(problem.n_rows, problem.k, 2)))
    return min(PLACES, room) - math.ceil(math.log2(dearest))

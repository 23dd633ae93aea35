"""Checks the proof of a bound: takes the prices from the file, and everything else from the original and the policy.

The claim: no release of this table with groups of at least k, by these hierarchies, loses less than the sum of the prices; without those of the m dearest
rows where m may be withheld, and none of them counted above the price of suppressing a row whole where any may be deleted at it.
It holds if in every box (one node per quasi-identifier) with at least k rows, and as many different sensitive values as the policy asks a group to hold, the k highest prices average at most the price of
the box; or, where the proof asks for that, if every k rows average at most what a group with them pays; docs/guarantees.md has the short proofs. Every number is an integer: prices come as integers, and what a node
costs is recomputed and rounded down, so that rounding can make a true proof fail but never make a false one pass. No code here is shared with the search that found the prices.

A proof for a table of a few rows may have no prices: then all partitions are compared here, and its claim with the cheapest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import NotAnonymous
from shoal.proof.case import Case, Ladder
from shoal.proof.cells import cells_of
from shoal.proof.cuts import Cuts, cuts_of, most_paid
from shoal.proof.file import Partitions, ProofPrices, ProofTexts, unpack
from shoal.proof.partitions import least_partition
from shoal.proof.prices import LARGEST, PricedColumn, price_column, price_of_star
from shoal.proof.sets import count_overcharged
from shoal.proof.walk import TooLong, count_broken

Longs = NDArray[np.int64]
MOST_CUTS, MOST_CUT_BYTES = 1_000, 1 << 23
"""More cuts than any proof has, and more bytes than they take."""
SAME_FLAGS = "Give the flags and the policy that the release was made with."


def check_proof(case: Case, proof: str | Path) -> float:
    """Check a proof file and return the bound that it proves.

    Raises :class:`shoal.NotAnonymous` if the proof does not hold, and :class:`shoal.DataError` if it cannot be read.
    """
    return check_claim(case, unpack(proof, most_bytes(case)))


def check_claim(case: Case, claimed: ProofPrices | Partitions) -> float:
    """Check what a proof says, of either kind."""
    if isinstance(claimed, ProofPrices):
        return check_prices(case, claimed)
    if claimed.total > least_partition(case, claimed.shift):
        raise NotAnonymous(f"The proof does not hold: some partition of the rows costs less than it claims. {SAME_FLAGS}")
    return _lowered(claimed.total, claimed.shift)


def check_prices(case: Case, claimed: ProofPrices) -> float:
    """Check the prices of a proof against the case that they are for, and return the bound."""
    number = numbers_of_tuples(case, claimed)
    columns = [price_column(ladder, case.measure, claimed.shift) for ladder in case.ladders]
    price = claimed.prices[number]
    if case.deletion:  # lower prices hold as well
        stars = [price_of_star(*both, case.measure, claimed.shift) for both in zip(case.ladders, columns, strict=True)]
        price = np.minimum(price, sum(stars))
    check_sizes(case, price, columns)
    if claimed.by_sets:
        check_sets(case, price, columns, claimed.shift)
    else:
        check_boxes(case, price, columns, cuts_of(claimed.cuts, number) if claimed.cuts else None)
    units = least_total(case, price, columns) - most_paid(claimed.cuts, number, case.rows, case.k)
    return _lowered(units, claimed.shift)


def check_boxes(case: Case, price: Longs, columns: Sequence[PricedColumn], cuts: Cuts | None) -> None:
    """Check that in no box rows are priced above what they pay there. With cuts, different values do not count: a group that must hold them may be too large to split."""
    different = case.different if cuts is None else None
    try:
        broken = count_broken(case.codes, case.rows, price, columns, case.k, different, cuts)
    except TooLong:
        raise NotAnonymous("The proof cannot be checked: there are too many boxes in which rows might be overcharged.") from None
    if broken:
        raise NotAnonymous(f"The proof does not hold: k rows are priced above a box that covers them. {SAME_FLAGS}")


def check_sets(case: Case, price: Longs, columns: Sequence[PricedColumn], shift: int) -> None:
    """Check that no k rows are priced above what a group with them pays."""
    cells = [cells_of(ladder, column, case.measure, shift) for ladder, column in zip(case.ladders, columns, strict=True)]
    if max(int(case.rows.sum()), case.k, 1) * sum(column.dearest() for column in cells) >= LARGEST:
        raise NotAnonymous("The proof does not hold: its unit is too fine for this table.")
    try:
        overcharged = count_overcharged(case.codes, case.rows, price, cells, case.k)
    except TooLong:
        raise NotAnonymous("The proof cannot be checked: there are too many sets of rows that might be overcharged.") from None
    if overcharged:
        raise NotAnonymous(f"The proof does not hold: k rows are priced above what a group with them pays. {SAME_FLAGS}")


def _lowered(units: int, shift: int) -> float:
    """So many units as a number that is not above them."""
    return max(math.nextafter(float(Fraction(units) / Fraction(2) ** shift), -math.inf), 0.0) if units > 0 else 0.0


def most_bytes(case: Case) -> int:
    """More than the file of any proof for this case takes."""
    texts = sum(8 + 6 * len((value or "").encode()) for ladder in case.ladders for value in ladder.values)
    names = sum(64 + 6 * len(ladder.name.encode()) for ladder in case.ladders)
    return (
        4096 + texts + names + len(case.rows) * (24 + 12 * len(case.ladders)) + min(MOST_CUTS * (64 + 8 * len(case.rows)), MOST_CUT_BYTES)
    )


def numbers_of_tuples(case: Case, claimed: ProofPrices) -> Longs:
    """The number that each tuple of the case has in the proof. The proof must price these tuples, each once, and no others."""
    if set(claimed.columns) != {ladder.name for ladder in case.ladders}:
        raise NotAnonymous(f"The proof does not hold: it speaks of other quasi-identifiers. {SAME_FLAGS}")
    if (claimed.prices < 0).any():
        raise NotAnonymous("The proof does not hold: it has a negative price.")
    codes = [value_numbers(ladder, claimed.columns[ladder.name]) for ladder in case.ladders]
    names = [f"c{j}" for j in range(len(codes))]
    given = pl.DataFrame(dict(zip(names, codes, strict=True))).with_columns(number=pl.Series(np.arange(len(claimed.prices))))
    if given.select(names).is_duplicated().any():
        raise NotAnonymous("The proof does not hold: it prices a tuple twice.")
    wanted = pl.DataFrame({name: np.ascontiguousarray(case.codes[:, j]) for j, name in enumerate(names)})
    met = wanted.join(given, on=names, how="left", maintain_order="left")["number"]
    if met.null_count() or len(given) != len(wanted):
        raise NotAnonymous(f"The proof does not hold: it does not price the tuples of this table. {SAME_FLAGS}")
    return met.to_numpy().astype(np.int64)


def value_numbers(ladder: Ladder, texts: ProofTexts) -> Longs:
    """The number of each tuple's value in the hierarchy."""
    number = {value: i for i, value in enumerate(ladder.values)}
    found = np.array([number.get(value, -1) for value in texts.values], dtype=np.int64)
    if (found < 0).any():
        raise NotAnonymous(f"The proof does not hold: it has values of column '{ladder.name}' that the table lacks.")
    return found[texts.places]


def check_sizes(case: Case, price: Longs, columns: Sequence[PricedColumn]) -> None:
    """Sums over all rows must fit 62 bits, so that no sum can overflow."""
    highest = max(int(price.max(initial=0)), sum(int(max(c.price.max(initial=0), c.offset.max(initial=0))) for c in columns))
    if max(int(case.rows.sum()), case.k, 1) * highest >= LARGEST:
        raise NotAnonymous("The proof does not hold: its prices are beyond this table's.")


def least_total(case: Case, price: Longs, columns: Sequence[PricedColumn]) -> int:
    """The sum of the prices over all rows, less what is taken off for each; without the rows that are worth most, as many as may be withheld."""
    worth = price.copy()
    for j, column in enumerate(columns):
        worth -= column.offset[case.codes[:, j]]
    order = np.argsort(-worth, kind="stable")
    counts = case.rows[order]
    withheld = np.clip(case.max_withheld - (np.cumsum(counts) - counts), 0, counts)
    return int((case.rows * worth).sum()) - int((withheld * np.maximum(worth[order], 0)).sum())

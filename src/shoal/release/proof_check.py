"""Checks the proof of a bound, from the original table alone: nothing here is shared with what found it.

The claim: no release of these rows with groups of at least k, by these hierarchies, loses less than the sum of the prices.
It holds if in every box (one node per quasi-identifier) with at least k rows, the k highest prices average at most the price of
the box; docs/guarantees.md has the three lines of why. Every number is an integer: prices come as integers, and what a node
costs is recomputed here from the counts in the table and rounded down, so that rounding can only fail a proof, not pass one.

The boxes are walked column after column, for many at once. A set of rows is dropped, with all boxes inside of it, when it has
fewer than k rows, or when its k highest prices average no more than what its nodes cost so far. What is left after
the last column breaks the claim.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import DataError, NotAnonymous
from shoal.release.proof_prices import Column, price_columns

Rows = Sequence[Sequence[str | None]]
Longs = NDArray[np.int64]

FORMAT = "shoal-proof-1"
AT_ONCE = 1 << 21
"""Rows of boxes that are looked at together."""


@dataclass(frozen=True)
class Checked:
    """What a proof proves."""

    lower_bound: float
    measure: str
    k: int
    n_released: int
    quasi_identifiers: tuple[str, ...]
    weights: tuple[float, ...]


def check_proof(
    original: pl.DataFrame,
    proof: str | Path,
    *,
    k: int | None = None,
    measure: str | None = None,
    hierarchies: Mapping[str, Rows] | None = None,
    n_released: int | None = None,
) -> Checked:
    """Check a proof against the original table and return the bound that it proves.

    ``original`` holds the quasi-identifiers as text, all rows. Where ``k``, ``measure``, ``hierarchies`` (rows of text per column, the
    leaf first) or ``n_released`` are given, the proof must speak of the same. Raises :class:`shoal.NotAnonymous` if the proof
    does not hold, and :class:`shoal.DataError` if it cannot be read.
    """
    header, prices = read(proof)
    claims = [("k", k), ("measure", measure), ("n_released", n_released)]
    for name, expected in claims:
        if expected is not None and header[name] != expected:
            raise NotAnonymous(f"The proof is for another {name}: {header[name]} instead of {expected}.")
    names = [str(c["name"]) for c in header["columns"]]
    absent = [name for name in names if name not in original.columns]
    if absent:
        raise DataError(f"The table has no column {', '.join(map(repr, absent))}, of which the proof speaks.")
    if original.height != header["n_rows"]:
        raise NotAnonymous(f"The proof is for a table of {header['n_rows']} rows, and this one has {original.height}.")
    try:
        codes, columns = price_columns(original, header, prices)
    except (TypeError, ValueError, KeyError, IndexError, OverflowError) as error:
        raise DataError(f"{proof} is no proof that can be read: a hierarchy in it is malformed.") from error
    for column in header["columns"]:
        given = (hierarchies or {}).get(str(column["name"]))
        if given is not None and family(given) != family(column["rows"]):
            raise NotAnonymous(f"The proof has another hierarchy for column '{column['name']}' than the one given.")
    check_rows(original.select(names), prices, int(header["n_released"]))
    rows, price = prices["rows"].to_numpy(), prices["price"].to_numpy()
    if (price < 0).any() or (rows < 1).any():
        raise NotAnonymous("The proof does not hold: it has a negative price, or a tuple without rows.")
    if int(rows.sum()) * int(price.max(initial=0)) >= 2**62:
        raise NotAnonymous("The proof does not hold: its prices are beyond any table's.")
    total = int((rows * price).sum())
    if total != header.get("total"):
        raise NotAnonymous("The proof does not hold: its prices do not add up to the total that it states.")
    broken = count_broken(codes, rows, price, columns, int(header["k"]))
    if broken:
        raise NotAnonymous("The proof does not hold: k rows are priced above a box that covers them.")
    for j, priced in enumerate(columns):
        total -= int((rows * priced.offset[codes[:, j]]).sum())
    value = max(math.nextafter(float(Fraction(total, 2 ** header["shift"])), -math.inf), 0.0)
    return Checked(value, header["measure"], header["k"], header["n_released"], tuple(names), tuple(c["weight"] for c in header["columns"]))


# ---- reading ----


def read(path: str | Path) -> tuple[dict[str, Any], pl.DataFrame]:
    """The claim and the prices of a proof."""
    try:
        with zipfile.ZipFile(path) as archive:
            header = json.loads(archive.read("proof.json"))
            prices = pl.read_parquet(io.BytesIO(archive.read("prices.parquet")))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile, pl.exceptions.PolarsError) as error:
        raise DataError(f"{path} is no proof that can be read. Give the file that 'shoal anonymize --proof' wrote.") from error
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise DataError(f"{path} is no proof of the form {FORMAT}.")
    try:
        fits = 0 <= header["shift"] <= 60 and header["k"] >= 1 and header["columns"] and header["n_rows"] >= header["n_released"] >= 0
        wanted = [f"c{j}" for j in range(len(header["columns"]))]
        typed = prices.select(*(pl.col(c).cast(pl.String) for c in wanted), pl.col("rows", "price").cast(pl.Int64))
    except (KeyError, TypeError, pl.exceptions.PolarsError) as error:
        raise DataError(f"{path} is no proof that can be read: a part of it is missing.") from error
    if not fits or typed["rows"].null_count() or typed["price"].null_count():
        raise DataError(f"{path} is no proof that can be read: its numbers make no sense.")
    return header, typed


def family(rows: Rows) -> tuple[int, frozenset[tuple[int, frozenset[str | None]]]]:
    """A hierarchy as its height and its sets of leaves, each with the lowest level on which it stands."""
    lowest: dict[frozenset[str | None], int] = {}
    for level in range(len(rows[0])):
        held: dict[str | None, set[str | None]] = {}
        for row in rows:
            held.setdefault(row[level] if level else row[0], set()).add(row[0])
        for leaves in held.values():
            lowest.setdefault(frozenset(leaves), level)
    return len(rows[0]) - 1, frozenset((level, leaves) for leaves, level in lowest.items())


def check_rows(table: pl.DataFrame, prices: pl.DataFrame, n_released: int) -> None:
    """The tuples of the proof are distinct, occur in the table at least so often, and make up the released rows."""
    names = [f"c{j}" for j in range(table.width)]
    counted = table.rename(dict(zip(table.columns, names, strict=True))).cast(pl.String).group_by(names).len()
    met = prices.join(counted, on=names, how="left", nulls_equal=True)
    if prices.select(names).is_duplicated().any() or met.height != prices.height:
        raise NotAnonymous("The proof does not hold: it prices a tuple twice.")
    if met["len"].is_null().any() or (met["rows"] > met["len"]).any():
        raise NotAnonymous("The proof does not hold: it counts rows that the table does not have.")
    if int(prices["rows"].sum()) != n_released:
        raise NotAnonymous("The proof does not hold: its tuples do not make up the released rows.")


# ---- the boxes ----


def count_broken(codes: Longs, rows: Longs, price: Longs, columns: Sequence[Column], k: int) -> int:
    """How many boxes were met whose k highest prices add up to more than k times the price of the box; the walk ends with the first."""
    order = np.argsort(-price, kind="stable")
    codes, rows, price = codes[order], rows[order], price[order]
    rank = [float(column.price[next_node(column)[codes[:, j]]].mean()) if len(codes) else 0.0 for j, column in enumerate(columns)]
    dearest_first = sorted(range(len(columns)), key=lambda j: -rank[j])
    walk = Walk([np.ascontiguousarray(codes[:, j]) for j in dearest_first], [columns[j] for j in dearest_first], rows, price, k)
    if int(rows.sum()) < k:
        return 0
    everything = np.arange(len(rows), dtype=np.int64)
    return walk.below(0, everything, np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))


def next_node(column: Column) -> Longs:
    """The lowest node above each leaf."""
    above = column.cuts[-1].copy()
    for cut in reversed(column.cuts):
        above = np.where(column.level[cut] > 0, cut, above)
    return above


class Walk:
    """The walk over all boxes: tuples are numbered by falling price.

    Where leaves cost something by themselves (non-uniform entropy), any k rows pay in each later column at least the mean of
    what their leaves cost; so prices less that (``left``) are compared with what the nodes cost so far.
    """

    def __init__(self, codes: list[Longs], columns: list[Column], rows: Longs, price: Longs, k: int) -> None:
        self.codes, self.columns, self.rows, self.price, self.k = codes, columns, rows, price, k
        own = [column.price[leaves] for column, leaves in zip(columns, codes, strict=True)]
        later = np.zeros(len(price), dtype=np.int64)
        self.left: list[Longs] = []
        for leaves_cost in reversed(own):
            self.left.insert(0, price - later)
            later = later + leaves_cost
        self.is_plain = not later.any()
        self.place = [np.argsort(np.argsort(-left, kind="stable"), kind="stable") for left in self.left]

    def below(self, j: int, tuples: Longs, start: Longs, paid: Longs) -> int:
        """Broken boxes inside these sets of tuples, of which the first j columns are fixed and cost ``paid``.

        Set s holds ``tuples[start[s] : start[s + 1]]``, by falling price.
        """
        if j == len(self.columns):
            return len(start)
        broken = 0
        column = self.columns[j]
        length = np.diff(np.append(start, len(tuples)))
        of_set = np.repeat(np.arange(len(start)), length)
        leaves = self.codes[j][tuples]
        for level in sorted(set(column.level.tolist())):
            found = self.split(j, level, leaves, tuples, of_set, paid)
            for part in chunks(*found):
                broken += self.below(j + 1, *part)
                if broken:  # one is enough
                    return broken
        return broken

    def split(self, j: int, level: int, leaves: Longs, tuples: Longs, of_set: Longs, paid: Longs) -> tuple[Longs, Longs, Longs]:
        """Split sets by the nodes of one level; keep what may still hold a broken box."""
        column = self.columns[j]
        node = column.cuts[level][leaves]
        here = np.flatnonzero(column.level[node] == level)
        if len(here) == 0:
            return here, here, here
        key = of_set[here] * len(column.level) + node[here]
        by_key = np.argsort(key, kind="stable") if self.is_plain else np.lexsort((self.place[j][tuples[here]], key))
        here, key = here[by_key], key[by_key]
        first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
        weight = self.rows[tuples[here]]
        keep = np.add.reduceat(weight, first) >= self.k
        if level:  # a node with the same tuples as one of its children costs no less than it: the child is enough
            child = column.cuts[level - 1][leaves[here]]
            keep &= np.minimum.reduceat(child, first) != np.maximum.reduceat(child, first)
        here, first, weight = select(keep, here, first, weight)
        if len(here) == 0:
            return here, here, here
        length = np.diff(np.append(first, len(here)))
        before = np.cumsum(weight) - weight
        before -= np.repeat(before[first], length)
        counted = np.clip(self.k - before, 0, weight)
        highest = np.add.reduceat(counted * self.left[j][tuples[here]], first)
        cost = paid[of_set[here[first]]] + column.price[node[here[first]]]
        keep = highest > self.k * cost
        here, first, _ = select(keep, here, first, weight)
        return tuples[here], first, cost[keep]


def select(keep: NDArray[np.bool_], items: Longs, first: Longs, weight: Longs) -> tuple[Longs, Longs, Longs]:
    """Of sets that lie end to end, those that are kept."""
    length = np.diff(np.append(first, len(items)))
    mask = np.repeat(keep, length)
    kept = length[keep]
    return items[mask], np.cumsum(kept) - kept, weight[mask]


def chunks(tuples: Longs, start: Longs, paid: Longs) -> list[tuple[Longs, Longs, Longs]]:
    """Sets in portions that fit memory."""
    if len(start) == 0:
        return []
    parts, begin = [], 0
    while begin < len(start):
        end = max(int(np.searchsorted(start, start[begin] + AT_ONCE)), begin + 1)
        last = int(start[end]) if end < len(start) else len(tuples)
        parts.append((tuples[start[begin] : last], start[begin:end] - start[begin], paid[begin:end]))
        begin = end
    return parts

"""What the nodes of a proof's hierarchies cost at least: recomputed from the counts in the table, in integers rounded down.

Shares nothing with the measures that the search uses: each price is written out here from its definition.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import NotAnonymous

Rows = Sequence[Sequence[str | None]]
Longs = NDArray[np.int64]

DIGITS = 64
"""Binary places of logarithms."""


@dataclass(frozen=True, eq=False)
class Column:
    """A hierarchy as the checker sees it: the node of each leaf on each level, and what each node costs at least."""

    cuts: tuple[Longs, ...]
    level: Longs
    price: Longs
    offset: Longs
    """For each leaf, what is taken off, rounded up."""


def price_columns(original: pl.DataFrame, header: Mapping[str, Any], prices: pl.DataFrame) -> tuple[Longs, list[Column]]:
    """Each column's nodes with their prices in the proof's unit, and the leaf of each tuple in each column."""
    codes = np.empty((prices.height, len(header["columns"])), dtype=np.int64)
    columns = []
    for j, about in enumerate(header["columns"]):
        rows: Rows = about["rows"]
        leaf_of = {row[0]: i for i, row in enumerate(rows)}
        if len(leaf_of) != len(rows) or not rows or len({len(row) for row in rows}) != 1:
            raise NotAnonymous(f"The proof does not hold: its hierarchy of column '{about['name']}' is malformed.")
        count = [0] * len(rows)
        for value, times in original.get_column(about["name"]).cast(pl.String).value_counts(name="times").iter_rows():
            if value not in leaf_of:
                raise NotAnonymous(f"The proof does not hold: its hierarchy of column '{about['name']}' lacks a value of the table.")
            count[leaf_of[value]] = times
        known = pl.DataFrame({"v": list(leaf_of), "i": list(leaf_of.values())}, schema={"v": pl.String, "i": pl.Int64})
        found = prices.select(pl.col(f"c{j}").alias("v")).join(known, on="v", how="left", nulls_equal=True, maintain_order="left")["i"]
        if found.null_count():
            raise NotAnonymous(f"The proof does not hold: it prices a value that the hierarchy of column '{about['name']}' lacks.")
        codes[:, j] = found.to_numpy()
        columns.append(price_column(about, count, header["measure"], int(header["shift"])))
    return codes, columns


def price_column(about: Mapping[str, Any], count: list[int], measure: str, shift: int) -> Column:
    """Nodes are sets of leaves; a set that stands on several levels counts on the lowest."""
    rows: Rows = about["rows"]
    height = len(rows[0]) - 1
    cuts: list[list[int]] = [list(range(len(rows)))]
    level, members, parent = [0] * len(rows), [[i] for i in range(len(rows))], list(range(len(rows)))
    for l in range(1, height + 1):
        blocks: dict[str | None, list[int]] = {}
        for leaf, row in enumerate(rows):
            blocks.setdefault(row[l], []).append(leaf)
        cut = [0] * len(rows)
        for leaves in blocks.values():
            below = {cuts[-1][leaf] for leaf in leaves}
            if sum(len(members[v]) for v in below) != len(leaves):
                raise NotAnonymous(f"The proof does not hold: two sets of the hierarchy of column '{about['name']}' cross.")
            node = next(iter(below)) if len(below) == 1 else len(members)
            if len(below) > 1:
                members.append(leaves)
                level.append(l)
                parent.append(node)
                for v in below:
                    parent[v] = node
            for leaf in leaves:
                cut[leaf] = node
        cuts.append(cut)
    if len(set(cuts[-1])) != 1:
        raise NotAnonymous(f"The proof does not hold: the hierarchy of column '{about['name']}' has no top.")
    ends = None if about["intervals"] is None else node_intervals(about["intervals"], cuts, level, len(members))
    weight = Fraction(about["weight"])
    total = sum(count)
    exact = [
        node_price(measure, leaves, count, total, level[v], height, len(rows), ends, v, len(members) - 1)
        for v, leaves in enumerate(members)
    ]
    whole = [max(math.floor(weight * p * 2**shift), 0) for p in exact]
    for v in range(len(members) - 2, -1, -1):  # a node may be shown as a cheaper ancestor
        whole[v] = min(whole[v], whole[parent[v]])
    if about["starred"]:
        for leaf, row in enumerate(rows):
            if row[0] is None and parent[leaf] == len(members) - 1:
                whole[leaf] = whole[-1]
    taken = [math.ceil(weight * log_above(count[i]) * 2**shift) if measure == "non-uniform-entropy" else 0 for i in range(len(rows))]
    return Column(tuple(np.array(c, dtype=np.int64) for c in cuts), np.array(level), np.array(whole), np.array(taken, dtype=np.int64))


def node_intervals(
    intervals: Sequence[Sequence[Sequence[float | None]]], cuts: list[list[int]], level: list[int], n_nodes: int
) -> list[tuple[Fraction, Fraction] | None]:
    """The interval of each node, exactly; None for a node without one."""
    ends: list[tuple[Fraction, Fraction] | None] = [None] * n_nodes
    for leaf, of_leaf in enumerate(intervals):
        for l, pair in enumerate(of_leaf):
            node = cuts[l][leaf]
            if level[node] == l and pair[0] is not None and pair[1] is not None:
                ends[node] = (Fraction(pair[0]), Fraction(pair[1]))
    return ends


def node_price(
    measure: str,
    leaves: list[int],
    count: list[int],
    total: int,
    level: int,
    height: int,
    n_leaves: int,
    ends: list[tuple[Fraction, Fraction] | None] | None,
    node: int,
    root: int,
) -> Fraction:
    """What a node costs, rounded down where it is irrational."""
    if measure == "stars":
        return Fraction(int(len(leaves) > 1))
    if measure == "tree":
        return Fraction(level, max(height, 1))
    if measure == "lm":
        by_count = Fraction(len(leaves) - 1, max(n_leaves - 1, 1))
        if ends is None:
            return by_count
        own, whole = ends[node], ends[root]
        if own is None or whole is None:
            return by_count
        width = whole[1] - whole[0]
        return (own[1] - own[0]) / width if width > 0 else Fraction(0)
    held = sum(count[i] for i in leaves)
    if measure == "non-uniform-entropy":
        return Fraction(log_below(held))
    if measure not in ("entropy", "monotone-entropy"):
        raise NotAnonymous(f"The proof does not hold: there is no measure '{measure}' to check it in.")
    if len(leaves) == 1 or held == 0:
        return Fraction(0)
    bits = log_below(held) - sum((count[i] * log_above(count[i]) for i in leaves), Fraction(0)) / held
    return bits if measure == "entropy" else bits * held / max(total, 1)


@cache
def log_below(n: int) -> Fraction:
    """log2(n), rounded down to some sixty binary places; 0 for 0."""
    if n <= 1:
        return Fraction(0)
    with localcontext() as context:
        context.prec = 50
        scaled = Decimal(n).ln() / Decimal(2).ln() * 2**DIGITS
    return Fraction(int(scaled) - 1, 2**DIGITS) if n & (n - 1) else Fraction(n.bit_length() - 1)


@cache
def log_above(n: int) -> Fraction:
    """log2(n), rounded up."""
    return log_below(n) if n <= 1 or not n & (n - 1) else log_below(n) + Fraction(3, 2**DIGITS)

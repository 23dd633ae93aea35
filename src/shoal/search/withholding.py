"""Which rows to withhold, where some may be withheld: those that cost most; and how rows come back if too many have left."""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.problem import Floats, Ints, Longs, Problem, Watch, close


def withhold(problem: Problem, group: Ints, watch: Watch, budget: int | None = None) -> Ints:
    """Withhold more rows while the budget lasts and a row saves something: single rows of groups above k, or whole groups.

    Rows already withheld stay so and count. With demands only whole groups leave, because the rest of a group might break a demand. At
    least one group stays. With row deletion, what a row saves is counted beyond the price of suppressing it whole.
    """
    watch.tell("withholding")
    fee = problem.price_of_suppression if problem.deletion else 0.0
    if budget is None:
        budget = problem.n_rows if problem.deletion else problem.max_withheld
    budget -= int((group < 0).sum())
    return prune(problem, group, budget, fee, problem.offset_of_tuple[problem.tuple_of_row], least=1e-12)


def prune(problem: Problem, group: Ints, budget: int, fee: float, offset: Floats, least: float = 0.0) -> Ints:
    """Take out single rows of groups above k, or whole groups, while a row saves more than the fee and ``least``: most first.

    ``offset`` is what each row of the table pays whatever is done to it.
    """
    out = group.copy()
    kept = np.flatnonzero(group >= 0)
    if budget <= 0 or len(kept) == 0:
        return out
    members, start = members_of(group, kept)
    whole, without = kernels.leave_one_out(problem.packed, problem.codes, problem.tuple_of_row[np.concatenate(members)], start)
    singles = not problem.demands
    heap = [
        best_cut(g, rows, float(whole[g]), without[start[g] : start[g + 1]], offset[rows], problem.k if singles else len(rows), fee)
        for g, rows in enumerate(members)
    ]
    heapq.heapify(heap)
    left = len(members)
    while heap and budget > 0:
        saved, g, at = heapq.heappop(heap)
        rows = members[g]
        count = 1 if at >= 0 else len(rows)
        if saved >= -least:
            break
        if count > budget or (at < 0 and left == 1):
            continue
        budget -= count
        if at < 0:
            out[rows] = -1
            left -= 1
            continue
        out[rows[at]] = -1
        members[g] = rows = np.delete(rows, at)
        one = np.array([0, len(rows)], dtype=np.int64)
        price, rest = kernels.leave_one_out(problem.packed, problem.codes, problem.tuple_of_row[rows], one)
        heapq.heappush(heap, best_cut(g, rows, float(price[0]), rest, offset[rows], problem.k, fee))
    return out


def withhold_dearest(problem: Problem, group: Ints) -> Ints:
    """Leave out whole groups, the dearest per row first, while the rows left out are no more than allowed."""
    size = np.bincount(group)
    price = price_of_groups(problem, group)
    left, out = problem.max_withheld, np.zeros(len(size), dtype=np.bool_)
    for g in np.argsort(-price, kind="stable"):
        if price[g] <= 0 or left < problem.k:
            break
        if size[g] <= left:
            out[g] = True
            left -= int(size[g])
    return np.where(out[group], -1, group).astype(np.int32)


def price_of_groups(problem: Problem, group: Ints) -> Floats:
    """What a row of each group pays."""
    made = close(problem, group)
    price = np.zeros(made.n_groups)
    for j, column in enumerate(problem.columns):
        shown = made.sets[j]
        if shown is None:
            price += column.price[made.nodes[:, j]]
        else:
            price += column.weight * problem.measure.set_price(column.tree, column.count, shown)
    return price


def members_of(group: Ints, kept: Longs) -> tuple[list[Longs], Longs]:
    """The rows of each group, and where each begins when they lie end to end."""
    order = kept[np.argsort(group[kept], kind="stable")]
    _, size = np.unique(group[kept], return_counts=True)
    start = np.concatenate([[0], np.cumsum(size)]).astype(np.int64)
    return np.split(order, start[1:-1]), start


def best_cut(g: int, rows: Longs, price: float, without: Floats, offset: Floats, k: int, fee: float) -> tuple[float, int, int]:
    """What to take out of a group: (minus what a row taken out saves, the group, which row; −1 for the whole group)."""
    saved, at = price - float(offset.mean()) - fee, -1
    if len(rows) > k:
        each = len(rows) * price - (len(rows) - 1) * without - offset - fee
        one = int(np.argmax(each))
        if each[one] > saved:
            saved, at = float(each[one]), one
    return -saved, g, at


def bring_back(problem: Problem, group: Ints, near: Ints, count: int) -> Ints:
    """Let so many withheld rows join the groups of near tuples, those first for which that costs least."""
    out = group.copy()
    if count <= 0:
        return out
    away, kept = np.flatnonzero(group < 0), np.flatnonzero(group >= 0)
    if len(kept) == 0:
        return np.where(group < 0, 0, group).astype(np.int32)
    into, cost = cheapest_group(problem, group, near, away, kept)
    chosen = np.argsort(cost, kind="stable")[:count]
    out[away[chosen]] = into[chosen]
    return out


def cheapest_group(problem: Problem, group: Ints, near: Ints, rows: NDArray[np.int64], kept: NDArray[np.int64]) -> tuple[Ints, Floats]:
    """For each of some rows, the group of a near tuple to which it adds least, and how much it adds."""
    _, first = np.unique(group[kept], return_index=True)
    n_groups = int(group.max()) + 1
    nodes = kernels.closures(problem.packed, problem.codes, problem.tuple_of_row[kept], group[kept], n_groups)
    size = np.bincount(group[kept], minlength=n_groups)
    of_tuple = np.full(problem.n_tuples, -1, dtype=np.int32)
    of_tuple[problem.tuple_of_row[kept]] = group[kept]
    best, into = np.full(len(rows), np.inf), np.full(len(rows), group[kept[first[0]]], dtype=np.int32)
    tuples = problem.tuple_of_row[rows]
    for a in range(-1, near.shape[1] + 1):
        if a < near.shape[1]:
            other = tuples if a < 0 else near[tuples, a]
            to = np.where(other >= 0, of_tuple[other], -1)
        else:
            to = np.full(len(rows), group[kept[0]], dtype=np.int32)
        able = np.flatnonzero(to >= 0)
        if len(able) == 0:
            continue
        both = np.concatenate([nodes[to[able]], problem.codes[tuples[able]]])
        pair = np.arange(2 * len(able), dtype=np.int32)
        joined = kernels.closures(problem.packed, np.ascontiguousarray(both), pair, pair % len(able), len(able))
        more = np.zeros(len(able))
        for j, column in enumerate(problem.columns):
            more += (size[to[able]] + 1) * column.price[joined[:, j]] - size[to[able]] * column.price[nodes[to[able], j]]
        better = more < best[able]
        best[able[better]], into[able[better]] = more[better], to[able[better]]
    return into, best

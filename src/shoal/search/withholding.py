"""Which rows to withhold, where some may be withheld: those that cost most; and how rows come back if too many have
left.
"""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.problem import Floats, Ints, Longs, Problem, Watch, close, sizes_of


def withhold(problem: Problem, group: Ints, watch: Watch, budget: int | None = None) -> Ints:
    """Withhold more rows while the budget lasts and a row saves something: single rows of groups above k, or whole
    groups.

    Rows already withheld stay so and count. With demands only whole groups leave, because the rest of a group might
    break a demand. At least one group stays. With row deletion, what a row saves is counted beyond the price of
    suppressing it whole.
    """
    watch.tell("withholding")
    fee = problem.price_of_suppression if problem.deletion else 0.0
    if budget is None:
        budget = problem.most_withheld
    budget -= int(problem.rows_of_unit[group < 0].sum())
    taken_off = np.zeros(problem.n_units) if problem.deletion else problem.offset_of_tuple[problem.tuple_of_unit]
    return prune(problem, group, budget, fee, taken_off, least=1e-12)


def prune(problem: Problem, group: Ints, budget: int, fee: float, offset: Floats, least: float = 0.0) -> Ints:
    """Take out single rows of groups above k, or whole groups, while a row saves more than the fee and ``least``: most
    first.

    ``offset`` is what is taken off for a row of each unit if it is released, and not if it is left out. A unit of
    several rows leaves only with its whole group.
    """
    out = group.copy()
    kept = np.flatnonzero(group >= 0)
    if budget <= 0 or len(kept) == 0:
        return out
    members, start = members_of(group, kept)
    whole, without = kernels.leave_one_out(
        problem.packed, problem.codes, problem.tuple_of_unit[np.concatenate(members)], start
    )
    singles = not problem.demands
    each = problem.rows_of_unit

    def cut(g: int, price: float, rest: Floats) -> tuple[float, int, int]:
        units = members[g]
        return best_cut(g, each[units], price, rest, offset[units], problem.k if singles else problem.n_rows, fee)

    heap = [cut(g, float(whole[g]), without[start[g] : start[g + 1]]) for g in range(len(members))]
    heapq.heapify(heap)
    left = len(members)
    while heap and budget > 0:
        saved, g, at = heapq.heappop(heap)
        units = members[g]
        count = 1 if at >= 0 else int(each[units].sum())
        if saved >= -least:
            break
        if count > budget or (at < 0 and left == 1):
            continue
        budget -= count
        if at < 0:
            out[units] = -1
            left -= 1
            continue
        out[units[at]] = -1
        members[g] = units = np.delete(units, at)
        one = np.array([0, len(units)], dtype=np.int64)
        price, rest = kernels.leave_one_out(problem.packed, problem.codes, problem.tuple_of_unit[units], one)
        heapq.heappush(heap, cut(g, float(price[0]), rest))
    return out


def withhold_dearest(problem: Problem, group: Ints) -> Ints:
    """Leave out whole groups, the dearest per row first, while the rows left out are no more than allowed."""
    size = sizes_of(problem, group, int(group.max(initial=-1)) + 1)
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
    """The units of each group, and where each begins when they lie end to end."""
    order = kept[np.argsort(group[kept], kind="stable")]
    _, size = np.unique(group[kept], return_counts=True)
    start = np.concatenate([[0], np.cumsum(size)]).astype(np.int64)
    return np.split(order, start[1:-1]), start


def best_cut(
    g: int, rows: Ints, price: float, without: Floats, offset: Floats, k: int, fee: float
) -> tuple[float, int, int]:
    """What to take out of a group whose units have so many rows:

    (minus what a row taken out saves, the group, which unit; −1 for the whole group).
    """
    size = int(rows.sum())
    mean = float(offset.mean()) if size == len(rows) else float(np.average(offset, weights=rows))
    saved, at = price - mean - fee, -1
    if size > k:
        each = np.where(rows == 1, size * price - (size - 1) * without - offset - fee, -np.inf)
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
    cheapest = np.argsort(cost, kind="stable")
    before = np.cumsum(problem.rows_of_unit[away[cheapest]]) - problem.rows_of_unit[away[cheapest]]
    chosen = cheapest[before < count]
    out[away[chosen]] = into[chosen]
    return out


def cheapest_group(
    problem: Problem, group: Ints, near: Ints, rows: NDArray[np.int64], kept: NDArray[np.int64]
) -> tuple[Ints, Floats]:
    """For each of some units, the group of a near tuple to which it adds least, and how much a row of it adds."""
    _, first = np.unique(group[kept], return_index=True)
    n_groups = int(group.max()) + 1
    nodes = kernels.closures(problem.packed, problem.codes, problem.tuple_of_unit[kept], group[kept], n_groups)
    size = sizes_of(problem, group, n_groups)
    of_tuple = np.full(problem.n_tuples, -1, dtype=np.int32)
    of_tuple[problem.tuple_of_unit[kept]] = group[kept]
    best, into = np.full(len(rows), np.inf), np.full(len(rows), group[kept[first[0]]], dtype=np.int32)
    tuples, each = problem.tuple_of_unit[rows], problem.rows_of_unit[rows]
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
            more += (size[to[able]] + each[able]) * column.price[joined[:, j]] - size[to[able]] * column.price[
                nodes[to[able], j]
            ]
        more = more / each[able]
        better = more < best[able]
        best[able[better]], into[able[better]] = more[better], to[able[better]]
    return into, best

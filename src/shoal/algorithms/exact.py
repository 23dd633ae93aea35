"""Exact: the optimum, and the proof of it.

Problem.     Given a table, one hierarchy per quasi-identifier and a measure, find groups of at least k rows of the
             least loss there is.
Guarantee.   The optimum, for every measure; stopped early, a release and the gap that is proved so far. In a free
             column a group shows its own set; where a larger one may cost less (entropy), the bound counts with the
             cheapest, and a gap may be left.
Method.      Up to 16 rows: dynamic programming over all subsets of rows. Beyond: lower-bounded facility location. Every
             closed box B that holds at least k rows may be opened; each row is assigned to an open box that holds it
             and pays d(B); an open box gets at least k rows. Prices of rows are raised as for the bound `dual`, a short
             local search along them gives a good release, and the linear program over what a release no worse may use
             gives better prices. A box (or a row in it) whose use would raise the prices' bound by more than δ cannot
             be in a release within δ of the bound. So the integer program is solved over what is left for a small δ: if
             its optimum is within δ, it is the optimum of all; if not, once more with the gap as δ. Before that, where
             no row may be left out, k is at most 10 and there are at most 600 distinct rows, the same is tried over
             groups of k to 2k − 1 rows (partition/): prices with cuts over small sets of rows, all groups that these
             leave for a small δ, and branching on whether two rows are together. After a part of the limit the integer
             program goes on, over the boxes that these prices leave.
Deviations.  Not in the papers, which prove that the problem is hard. Equal rows are one integer variable; only the
             boxes are integer, as assignments to given boxes are a flow.
Complexity.  Exponential in the worst case; 3ⁿ for the dynamic program.
Notation.    x = rows of a tuple assigned to a box, y = box is open, z = rows left out.
Reference.   Karger, Minkoff. Building Steiner trees with incomplete global knowledge. FOCS 2000 (lower-bounded facility
             location). Huangfu, Hall. Parallelizing the dual revised simplex method. Math. Prog. Comp. 10, 2018
             (HiGHS).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.algorithms.base import Algorithm, too_few
from shoal.bounds import dual
from shoal.errors import Infeasible, Refused
from shoal.kernels.closed_boxes import MOST_K, MOST_SUBSET_ROWS, closed_boxes, subset_optimum, subset_prices
from shoal.measures.base import Sets
from shoal.partition.best import Best, common_unit, is_proved, round_up, tolerance
from shoal.privacy.base import Histogram
from shoal.problem import Bound, Floats, Ints, Problem, QuasiIdentifier, Solution, Watch, close
from shoal.search.annealing import polished

if TYPE_CHECKING:
    from shoal.facility import Facility
    from shoal.partition.closing import Closing
    from shoal.partition.work import Work

MOST_BOXES = 500_000
MOST_ENTRIES = 2_000_000
MOST_WORK = 2_000_000_000
"""Cuts of all columns times tuples."""
USUAL = 10
"""Weights between 2^-10 and 2^10 are taken as they are."""
MOST_LEVELS = 8_000
"""Levels of all columns together: the walk over boxes is as deep."""
GROUPS_SHARE, GROUPS_WITHOUT_LIMIT = 0.25, 60.0
"""What the way by groups may take: this share of a limit; so many seconds, as counted, where there is none."""
FAR = 0.005
"""Where the best release may be further above the optimum than this, a better one is looked for near what the prices of
boxes prove, before a proof.
"""


def solve(problem: Problem, watch: Watch) -> Solution:
    nothing = too_few(problem)
    if nothing is not None:
        return nothing
    unit = unit_of_weights(problem)
    if unit != 1.0:
        return in_units(problem, unit, watch)
    if problem.n_rows <= MOST_SUBSET_ROWS:
        return by_subsets(problem)
    return by_boxes(problem, watch)


def unit_of_weights(problem: Problem) -> float:
    """1 for weights as people give them; for very small or large ones a power of two, the heaviest column's.

    Tolerances, ours and those of the integer program, are numbers of their own: prices of 10⁻¹² would all count as
    equal.
    """
    heaviest = max(column.weight for column in problem.columns)
    return 1.0 if 2.0**-USUAL <= heaviest <= 2.0**USUAL else 2.0 ** math.floor(math.log2(heaviest))


def in_units(problem: Problem, unit: float, watch: Watch) -> Solution:
    """The same problem with every weight in this unit, a power of two, so that nothing is rounded; and its solution for
    the problem.
    """
    columns = [
        replace(c, price=c.price / unit, offset=c.offset / unit, weight=c.weight / unit) for c in problem.columns
    ]
    found = solve(replace(problem, columns=tuple(columns)), watch)
    bound = None if found.bound is None else replace(found.bound, value=found.bound.value * unit)
    return close(problem, found.group, guarantee=found.guarantee, note=found.note, bound=bound)


# Up to 16 rows: all subsets.


def by_subsets(problem: Problem) -> Solution:
    """The cheapest partition of every subset of rows; then the best choice of rows to leave out."""
    n = problem.n_rows
    member = (np.arange(1 << n)[:, None] >> np.arange(n) & 1).astype(np.bool_)
    best, taken = subset_optimum(prices_of_groups(problem, member))
    total = cost_of_subsets(problem, member, best)
    chosen = most_rows_of(total, member.sum(axis=1))
    if not np.isfinite(total[chosen]):
        asked = ", ".join(d.text() for d in problem.demands)
        raise Infeasible(
            f"No groups of {problem.k} or more of the {n} rows meet {asked}. Ask for less, or let rows be withheld."
        )
    group, number, left = np.full(n, -1, dtype=np.int32), 0, chosen
    while left:
        group[member[taken[left]]] = number
        left, number = left ^ int(taken[left]), number + 1
    loss = close(problem, group).loss
    least = loss if not has_cheaper_supersets(problem) else least_by_supersets(problem, member)
    if least is None:
        return close(
            problem,
            group,
            note="The best of all partitions; a group may cost less by a set that is larger than its own.",
        )
    if loss <= least + 1e-9 * max(loss, 1.0):
        bound = Bound("exact", loss, note="all partitions were compared")
        return close(problem, group, guarantee=1.0, note="Proved optimal: all partitions were compared.", bound=bound)
    bound = Bound("exact", least, note="all partitions were compared, with the cheapest sets that hold their groups")
    note = "The best of all partitions whose groups show their own sets; larger sets may cost less."
    return close(problem, group, guarantee=loss / least if least > 0 else None, note=note, bound=bound)


def has_cheaper_supersets(problem: Problem) -> bool:
    """Whether a group of a free column may cost less by a set that is larger than its own, which others may show."""
    return not problem.measure.monotone and not problem.is_laminar


def least_by_supersets(problem: Problem, member: NDArray[np.bool_]) -> float | None:
    """The least loss, whatever sets groups show; None where the measure does not say which sets are cheapest."""
    if problem.measure.pair_floor is None:
        return None
    return float(
        cost_of_subsets(problem, member, subset_optimum(prices_of_groups(problem, member, widened=True))[0]).min()
    )


def cost_of_subsets(problem: Problem, member: NDArray[np.bool_], best: Floats) -> Floats:
    """The least loss of a release of each subset of the rows, with what it costs to leave out the others; something is
    released.
    """
    total = np.where(best < np.finfo(np.float64).max, best, np.inf) + prices_of_leaving_out(problem, ~member)
    total[0] = np.inf
    return total


def most_rows_of(total: Floats, n_rows: NDArray[np.int64]) -> int:
    """The subset to release: of those that cost least, one with the most rows. No row is left out without need."""
    least = float(total.min())
    tied = (
        np.flatnonzero(total <= least + 1e-12 * max(abs(least), 1.0))
        if np.isfinite(least)
        else np.zeros(1, dtype=np.int64)
    )
    return int(tied[np.argmax(n_rows[tied])])


def prices_of_groups(problem: Problem, member: NDArray[np.bool_], widened: bool = False) -> Floats:
    """What each subset of rows costs as a group; infinite where it may not be one.

    ``widened``: by the cheapest sets of free columns.
    """
    rows = np.ascontiguousarray(problem.codes[problem.tuple_of_unit])
    size = member.sum(axis=1)
    each = subset_prices(
        kernels.pack([c.tree.parent for c in problem.columns], [tree_price(c) for c in problem.columns]), rows
    )
    for j, column in enumerate(problem.columns):
        if column.free is not None:
            each += set_prices(problem, column, rows[:, j], member, widened)
    cost = each * size - member @ problem.offset_of_tuple[problem.tuple_of_unit]
    # larger groups split at no cost
    most = 2 * problem.k - 1 if problem.is_laminar and not problem.demands else problem.n_rows
    allowed = (size >= problem.k) & (size <= most)
    for demand, value in zip(problem.demands, problem.sensitive, strict=True):
        allowed &= demand.is_met(histogram_of_subsets(member, value))
    return np.where(allowed, cost, np.inf)


def tree_price(column: QuasiIdentifier) -> Floats:
    return column.price if column.free is None else np.zeros(column.tree.n_nodes)


def set_prices(
    problem: Problem, column: QuasiIdentifier, leaves: Ints, member: NDArray[np.bool_], widened: bool
) -> Floats:
    """What a row of each subset pays in a free column: for the subset's own set or interval of values, or the cheapest
    that holds it.
    """
    used, place = np.unique(leaves, return_inverse=True)
    has = np.zeros((len(member), len(used)), dtype=np.bool_)
    for row, at in enumerate(place.reshape(-1)):
        has[:, at] |= member[:, row]
    patterns, of_subset = np.unique(has, axis=0, return_inverse=True)
    shown = [used[p] if p.any() else used[:1] for p in patterns]
    if column.free == "interval":
        shown = [np.arange(s[0], s[-1] + 1, dtype=np.int32) for s in shown]
    shown = [whole_domain(column) if hides_all(column, s) else s for s in shown]
    if widened:
        price = np.array([prices_of_sets(problem, column, wider_sets(column, s)).min() for s in shown])
    else:
        price = prices_of_sets(problem, column, shown)
    return price[of_subset.reshape(-1)]


def prices_of_sets(problem: Problem, column: QuasiIdentifier, shown: list[Ints]) -> Floats:
    start = np.concatenate([[0], np.cumsum([len(s) for s in shown])]).astype(np.int64)
    price: Floats = column.weight * problem.measure.set_price(
        column.tree, column.count, Sets(start, np.concatenate(shown).astype(np.int32))
    )
    return price


def whole_domain(column: QuasiIdentifier) -> Ints:
    return np.arange(column.tree.n_leaves, dtype=np.int32)


def hides_all(column: QuasiIdentifier, shown: Ints) -> bool:
    """Whether a set has a missing cell beside values: that is shown as the whole domain."""
    return column.has_missing and len(shown) > 1 and bool(shown[-1] == column.tree.n_leaves - 1)


def wider_sets(column: QuasiIdentifier, own: Ints) -> list[Ints]:
    """Allowed sets that hold a set, a cheapest among them: all intervals, or the set with the commonest others, for any
    number of them.
    """
    n = column.tree.n_leaves - int(column.has_missing)
    if own[-1] >= n:
        return [own, whole_domain(column)]
    if column.free == "interval":
        return [np.arange(a, b + 1, dtype=np.int32) for a in range(own[0] + 1) for b in range(own[-1], n)] + [
            whole_domain(column)
        ]
    others = np.setdiff1d(np.argsort(-column.count[:n], kind="stable"), own, assume_unique=True)
    return [np.sort(np.append(own, others[:m])).astype(np.int32) for m in range(len(others) + 1)] + [
        whole_domain(column)
    ]


def histogram_of_subsets(member: NDArray[np.bool_], value: Ints) -> Histogram:
    """The sensitive values of each subset, as if each were a group."""
    values = np.unique(value)
    count = np.stack([member[:, value == v].sum(axis=1) for v in values], axis=1)
    subset, at = np.nonzero(count)
    whole = np.bincount(value).astype(np.int64)
    return Histogram(
        subset.astype(np.int64), values[at].astype(np.int64), count[subset, at].astype(np.int64), len(member), whole
    )


def prices_of_leaving_out(problem: Problem, left_out: NDArray[np.bool_]) -> Floats:
    """What it costs to leave out each subset of rows; infinite where that may not be."""
    if problem.deletion:
        return left_out @ (problem.price_of_suppression - problem.offset_of_tuple[problem.tuple_of_unit])
    return np.where(left_out.sum(axis=1) <= problem.max_withheld, 0.0, np.inf)


# Beyond: boxes to open, and rows to assign to them.


def by_boxes(problem: Problem, watch: Watch) -> Solution:
    """Prices from the linear program, then the integer program over what they leave."""
    from shoal.facility import Facility  # loaded here: a table of a few rows needs none of it
    from shoal.partition.closing import Closing, applies

    boxes = closed_boxes(problem.packed, problem.codes, problem.weight, problem.k, math.inf, MOST_BOXES, MOST_ENTRIES)
    if boxes is None:
        raise Refused(too_large(problem))
    unit = common_unit(boxes.price, problem.n_rows) if not problem.has_offset else 0.0
    whole = Facility(problem, boxes)
    best = first_release(problem)
    best.bound = round_up(whole.bound_of(whole.cheapest_prices()), unit)
    watch.tell("prices", loss=best.cost, bound=best.bound)
    y = whole.repaired(dual.prices(problem, dual.TURNS, watch).prices)
    best.bound = max(best.bound, round_up(whole.bound_of(y), unit))
    search_along(problem, best, y, watch)
    watch.tell("linear program", loss=best.cost, bound=best.bound)
    closing = Closing(problem, boxes, best, unit, work_of(problem, watch))
    if applies(problem) and not is_proved(best, unit) and not watch.wants_stop():
        closing.run(y)
    if not is_proved(best, unit) and not watch.wants_stop():
        search_boxes(whole, closing, y, watch)
    return conclude(problem, best, unit)


def work_of(problem: Problem, watch: Watch) -> Work:
    """What the way by groups may do: a part of what the limit allows.

    The integer program over boxes, which finds other releases, goes on then.
    """
    from shoal.partition.work import Work

    return Work(GROUPS_WITHOUT_LIMIT if problem.time_limit is None else GROUPS_SHARE * problem.time_limit, watch)


def search_boxes(whole: Facility, closing: Closing, y: Floats, watch: Watch) -> None:
    """The integer program over the boxes that a release within δ of what prices prove may use, for a small δ and then a
    larger one.

    The way by groups leaves only some boxes to releases that cost so much; prices that none of these violates prove as
    much as others do. Where it ended near a proof, δ is such that more is proved; where it did not, δ is small first,
    as good releases are found among few boxes.
    """
    best, unit = closing.best, closing.unit
    y = better_prices(whole.only(closing.boxes_within(best.cost)), best, y, watch)
    base = whole.only(closing.boxes_within(best.cost)).bound_of(y)
    best.prove(base, unit)
    is_far = closing.misses is not None and best.cost > (1 + FAR) * best.bound
    delta, step = max(1.5 * unit, 0.002 * base), max(0.1 * unit, 0.0005 * base)
    while not is_proved(best, unit) and not watch.wants_stop():
        watch.tell("integer program", loss=best.cost, bound=best.bound)
        reach = min(base + delta if is_far else max(base + delta, best.bound + step), best.cost - 0.9 * unit)
        part = whole.only(closing.boxes_within(best.cost if is_far else reach)).within(y, reach - base)
        if not search_within(part, best, reach, unit, watch):
            break
        delta, step = 4 * delta, 4 * max(step, 0.5 * unit)


def better_prices(whole: Facility, best: Best, y: Floats, watch: Watch) -> Floats:
    """The prices of the linear program over what a release as cheap as the best may use, made feasible in all boxes;
    the old ones if they prove more.
    """
    part = whole.within(y, best.cost - whole.bound_of(y))
    found = None if part is None else part.row_prices(watch)
    if found is None:
        return y
    found = whole.repaired(found)
    return found if whole.bound_of(found) > whole.bound_of(y) else y


def search_along(problem: Problem, best: Best, y: Floats, watch: Watch) -> None:
    """A short local search along the prices: the less the best release costs, the less the integer program has to look
    at.
    """
    if problem.may_withhold or is_proved(best, 0.0):
        return
    group = polished(problem, best.group, np.ascontiguousarray(np.maximum(y, 0.0)), watch)
    cost = cost_of(problem, group)
    if cost < best.cost:
        best.group, best.cost = group, cost


def search_within(part: Facility | None, best: Best, reach: float, unit: float, watch: Watch) -> bool:
    """Solve over what a release that costs no more than ``reach`` may use; whether that was decided in time."""
    if part is None:  # some row is left without a box: no release is within reach
        best.prove(reach, unit)
        return True
    found = part.integer(unit, watch, best.bound + tolerance(best, unit))
    if found.group is not None:
        best.keep(found.group, found.cost)
    best.prove(min(reach, found.bound), unit)
    return found.decided


def first_release(problem: Problem) -> Best:
    """A release to begin with: the greedy cover by sets of k rows."""
    cover = kernels.SetCover(problem.packed, problem.codes, problem.weight, problem.k, most=problem.k)
    limit = 1e-12
    while cover.n_open > problem.max_withheld:
        limit = 2 * max(cover.round(limit, problem.max_withheld).done, limit)
    group = np.empty(problem.n_rows, dtype=np.int32)
    group[problem.units_by_tuple] = cover.groups()
    return Best(group, cost_of(problem, group), 0.0)


def cost_of(problem: Problem, group: Ints) -> float:
    """What a release costs in prices: offsets not taken off."""
    return close(problem, group).loss + float((problem.offset_of_tuple * problem.weight).sum())


def conclude(problem: Problem, best: Best, unit: float) -> Solution:
    """The release, with its proof."""
    bound = max(best.bound - float((problem.offset_of_tuple * problem.weight).sum()), 0.0)
    loss = close(problem, best.group).loss
    if is_proved(best, unit):
        proof = Bound(
            "exact", min(loss, bound + tolerance(best, unit)), note="the integer program was solved to its end"
        )
        return close(problem, best.group, guarantee=1.0, note="Proved optimal.", bound=proof)
    above = (
        f"at most {math.ceil(1e4 * (loss / bound - 1) - 1e-9) / 100:.2f}% above the optimum"
        if bound > 0
        else "no bound above 0 was proved"
    )
    by = "prices with cuts over groups, and what was branched on" if best.by_cuts else "the integer program"
    proof = Bound("exact", bound, note=f"{by}; stopped early")
    factor = loss / bound if bound > 0 else None
    return close(problem, best.group, guarantee=factor, note=f"Stopped early: {above}.", bound=proof)


def guarantee(problem: Problem) -> float | None:
    return None if has_cheaper_supersets(problem) else 1.0


def too_large(problem: Problem) -> str:
    return (
        f"exact would need more than {MOST_BOXES} boxes or {MOST_ENTRIES} rows in them for these {problem.n_tuples} "
        "distinct rows and "
        f"{problem.n_columns} columns. Take 'auto', which says how near the optimum it came."
    )


def refuses(problem: Problem) -> str | None:
    if problem.n_rows <= MOST_SUBSET_ROWS:
        return None
    if not problem.is_laminar:
        return (
            f"exact takes free intervals and subsets up to {MOST_SUBSET_ROWS} rows, and there are {problem.n_rows}. "
            "Take 'auto'."
        )
    if problem.demands:
        return (
            f"exact meets other demands than k up to {MOST_SUBSET_ROWS} rows, and there are {problem.n_rows}. Take "
            "'full-domain' or 'auto'."
        )
    if problem.k > MOST_K:
        return f"exact proves optima for k up to {MOST_K}, not {problem.k}. Take 'auto'."
    levels = [len(c.tree.levels) for c in problem.columns]
    if math.prod(levels) * problem.n_tuples > MOST_WORK or sum(levels) > MOST_LEVELS:
        return too_large(problem)
    return None


EXACT = Algorithm(
    name="exact",
    title="The optimum, proved",
    reference="lower-bounded facility location over boxes, by HiGHS; dynamic programming up to 16 rows",
    recoding="local",
    guarantee_text="the optimum; stopped early, the gap that is proved",
    guarantee=guarantee,
    refuses=refuses,
    solve=solve,
    counts_work=False,
)

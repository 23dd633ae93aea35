"""A release from shares of groups: take the group with the largest share for good, solve again, and so on."""

from __future__ import annotations

import numpy as np

from shoal import highs
from shoal.partition.climb import GroupClimb
from shoal.partition.program import Shares, costs_of
from shoal.problem import Floats, Ints, Longs, Problem

NEARLY_WHOLE = 0.95
PRICED_ROUNDS = 2
"""How often new groups are looked for after each step."""


def dive(climb: GroupClimb) -> Ints | None:
    """A group for each unit, each of one row; None where the solver fails.

    The program is left as it was, but for new groups.
    """
    program, problem = climb.program, climb.problem
    fixed: dict[int, int] = {}
    left = problem.weight.copy()
    while left.sum() >= problem.k:
        shares = priced(climb, left)
        if shares is None:
            break
        new = taken_now(shares.share, fixed, program.counts, left)
        if not new:
            break
        for group in new:
            fixed[group] = fixed.get(group, 0) + 1
            program.solver.changeColBounds(problem.n_tuples + group, float(fixed[group]), highs.INFINITY)
            left = left - program.counts[group].toarray()[0].astype(np.int64)
    for group in fixed:
        program.solver.changeColBounds(problem.n_tuples + group, 0.0, highs.INFINITY)
    chosen = np.repeat(program.rows[list(fixed)], list(fixed.values()), axis=0)
    return completed(problem, [row[row >= 0] for row in chosen], np.repeat(np.arange(problem.n_tuples), left))


def priced(climb: GroupClimb, left: Longs) -> Shares | None:
    """The best shares, with groups added that the last prices asked for, of rows that are left."""
    for _ in range(PRICED_ROUNDS):
        if climb.work.wants_stop():
            raise InterruptedError
        shares = climb.program.solve(climb.work)
        if shares is None:
            return None
        y = np.where(left > 0, shares.y, -climb.problem.k * climb.problem.price_of_suppression)
        if climb.keep(y, shares.price) == 0:
            return shares
    return climb.program.solve(climb.work)


def taken_now(share: Floats, fixed: dict[int, int], counts: object, left: Longs) -> list[int]:
    """The groups to take: those that are nearly whole, or else the largest share, as far as their rows are left."""
    rest = share.copy()
    for group, times in fixed.items():
        rest[group] -= times
    order = np.argsort(-rest, kind="stable")
    found: list[int] = []
    left = left.copy()
    for group in order[rest[order] > 1e-6].tolist():
        if found and rest[group] < NEARLY_WHOLE:
            break
        needed = counts[group].toarray()[0].astype(np.int64)  # type: ignore[index]
        if (needed <= left).all():
            found.append(group)
            left -= needed
    return found


def completed(problem: Problem, groups: list[Ints], left: Longs) -> Ints:
    """The release of these groups; rows that are left join the group that pays least for them, or are one if they are
    k.
    """
    if len(left) >= problem.k or not groups:
        groups.append(left.astype(np.int32))
        left = left[:0]
    for tuple_left in left.tolist():
        wider = [np.append(group, tuple_left).astype(np.int32) for group in groups]
        more = padded_costs(problem, wider) - padded_costs(problem, groups)
        best = int(np.argmin(more))
        groups[best] = wider[best]
    tuples = np.concatenate(groups)
    number = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    group = np.empty(problem.n_rows, dtype=np.int32)
    group[problem.units_by_tuple] = number[np.argsort(tuples, kind="stable")]
    return group


def padded_costs(problem: Problem, groups: list[Ints]) -> Floats:
    rows = np.full((len(groups), max(len(group) for group in groups)), -1, dtype=np.int32)
    for number, group in enumerate(groups):
        rows[number, : len(group)] = group
    return costs_of(problem, rows)

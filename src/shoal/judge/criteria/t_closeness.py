"""t-closeness: the earth mover's distance from the sensitive values of a group to those of the whole table is at most t.

Categories.  All are equally far apart, so the distance is half the sum of |p − q|; a missing cell is a category of its own.
Numbers.     They lie on a line from 0 to 1, one step from each value to the next; a missing cell lies at 2. Between two places on a line as
             much earth passes as the shares up to there differ: the distance is the sum of |P − Q| times the length of the stretch.
Reference.   Li, Li and Venkatasubramanian, t-closeness, ICDE 2007, section 4.
"""

from __future__ import annotations

from bisect import bisect_left

from shoal.judge.criteria.base import ROUNDING, Definition, GroupCounts, Parameters, WholeCounts


def reached(group: GroupCounts, whole: WholeCounts, asked: Parameters) -> float:
    n, n_whole = group.n_rows, max(whole.n_rows, 1)
    if not whole.is_ordered:
        return categories_apart(group, whole) / (2 * n * n_whole)
    steps = max(whole.n_values - 1, 1)
    missing = abs(group.n_missing * n_whole - whole.n_missing * n)
    return (numbers_apart(group, whole) + missing * steps) / (n * n_whole * steps)


def categories_apart(group: GroupCounts, whole: WholeCounts) -> int:
    """Σ |p − q|, times the rows of the group and of the whole table."""
    n = group.n_rows
    here = sum(abs(count * whole.n_rows - whole.n_of(value) * n) for value, count in group.cells.items())
    return here + n * (whole.n_rows - sum(map(whole.n_of, group.cells)))


def numbers_apart(group: GroupCounts, whole: WholeCounts) -> int:
    """Σ |P − Q| over all values but the greatest, times the rows of both: P is the same from one value of the group to its next."""
    greatest = max(whole.n_values - 1, 0)
    total = place = n_below = 0
    for value, count in group.counts.items():
        total += stretch(whole, n_below * whole.n_rows, group.n_rows, place, value)
        n_below, place = n_below + count, value
    return total + stretch(whole, n_below * whole.n_rows, group.n_rows, place, greatest)


def stretch(whole: WholeCounts, level: int, n: int, begin: int, end: int) -> int:
    """Σ |level − n · up_to[i]| for i from begin, up to and without end: up_to rises, so it passes the level once."""
    turn = bisect_left(whole.up_to, -(-level // n), begin, end)
    below = (turn - begin) * level - n * (whole.summed[turn] - whole.summed[begin])
    above = n * (whole.summed[end] - whole.summed[turn]) - (end - turn) * level
    return below + above


def is_enough(distance: float, asked: Parameters) -> bool:
    return distance <= asked["t"] + ROUNDING


T_CLOSENESS = Definition("t-closeness", reached, is_enough, uses_order=True)

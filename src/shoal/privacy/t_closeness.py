"""t-closeness: the sensitive values of every group are distributed nearly as in the whole table.

Formula.     Earth mover's distance ≤ t: half the sum of |p − q| for categories that are equally far apart; for numbers
             (``ordered`` = 1) the sum of |P − Q| over the cumulative distributions, over (number of values − 1). A
             missing cell is a value of its own: for numbers it lies one range beyond the greatest, |P − Q| between the
             two in full. Closed under merging because the distance is convex.
Reference.   Li, Li and Venkatasubramanian, t-closeness, ICDE 2007.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from shoal.privacy.base import TOLERANCE, Criterion, Floats, Histogram, Parameter, Parameters, Primitive


def reached(counts: Histogram, parameters: Parameters) -> Floats:
    size = np.maximum(counts.per_group(counts.count), 1.0)
    share = counts.count / size[counts.group]
    whole = counts.whole / max(int(counts.whole.sum()), 1)
    if parameters.get("ordered"):
        return _with_missing(counts, share, whole)
    return counts.per_group(np.maximum(share - whole[counts.value], 0.0))


def _with_missing(counts: Histogram, share: Floats, whole: Floats) -> Floats:
    """The distance of the numbers, and of what is missing."""
    if counts.missing is None or counts.missing >= len(whole):
        return _ordered(counts, share, whole)
    gone, numbers = counts.value == counts.missing, whole[: counts.missing]
    hidden = np.bincount(counts.group[gone], weights=share[gone], minlength=counts.n_groups)
    apart: Floats = np.abs(hidden - whole[counts.missing])
    if len(numbers) < 2:
        return apart
    there = replace(counts, group=counts.group[~gone], value=counts.value[~gone], count=counts.count[~gone])
    steps = len(numbers) - 1
    distance = _ordered(there, share[~gone], numbers)
    lone = np.bincount(there.group, minlength=counts.n_groups) == 0  # groups without a number
    distance[lone] = np.cumsum(numbers).sum() / steps
    return np.asarray(
        np.maximum(distance - apart / steps, 0.0) + apart
    )  # beyond the greatest number a whole range follows, and not one step


def _ordered(counts: Histogram, share: Floats, whole: Floats) -> Floats:
    """Σ |P − Q| where P is constant between two values that the group has: split each such stretch where Q passes P."""
    if len(whole) < 2 or not len(share):
        return np.zeros(counts.n_groups)
    cumulative = np.cumsum(whole)
    before = np.concatenate([[0.0], np.cumsum(cumulative)])  # sums of the first i cumulative shares
    running = np.cumsum(share)
    start = np.searchsorted(counts.group, np.arange(counts.n_groups))
    base = np.where(start > 0, running[np.maximum(start - 1, 0)], 0.0)
    level = running - base[counts.group]
    begin = counts.value
    last = np.ones(len(begin), dtype=bool)
    last[:-1] = counts.group[1:] != counts.group[:-1]
    end = np.where(last, len(whole), np.concatenate([begin[1:], [0]]))
    middle = np.clip(np.searchsorted(cumulative, level), begin, end)
    stretch = (
        level * (middle - begin)
        - (before[middle] - before[begin])
        + (before[end] - before[middle])
        - level * (end - middle)
    )
    first = np.zeros(counts.n_groups)
    has = np.bincount(counts.group, minlength=counts.n_groups) > 0
    first[has] = before[begin[start[has]]]  # before the group's first value P is 0
    return np.maximum((counts.per_group(stretch) + first) / (len(whole) - 1), 0.0)


def is_met(distance: Floats, parameters: Parameters) -> NDArray[np.bool_]:
    return distance <= parameters["t"] + TOLERANCE


T_CLOSENESS = Criterion(
    name="t-closeness",
    title="The sensitive values of every group are distributed nearly as in the whole table",
    reference="Li, Li and Venkatasubramanian 2007",
    parameters=(Parameter("t", "distance from the whole table, at most", most=1),),
    shorthand="t_closeness",
    uses_order=True,
    primitive=lambda asked, share: Primitive("close-ordered" if asked.get("ordered") else "close", t=asked["t"]),
    reported=("distance from the whole table (t-closeness)", ".3f"),
    reached=reached,
    is_met=is_met,
    worst=lambda distance: float(distance.max(initial=0.0)),
    compares_with_whole=True,
)

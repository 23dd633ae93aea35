"""Of a tuple with many rows only some are loose. The others stay together as its anchor, which no search has to take
apart.

Bound.       Anchors change no bound: bounds are computed on tuples and their full weights, never on units.
Release.     A tuple is cut so only where at least k rows are left for the anchor, and these alone are a group of equal
             rows, the cheapest there is. So whatever groups the loose rows and the anchors are in is a release of all
             rows, and its loss is counted on all rows.
Optimum.     With few enough loose rows the best release may be lost. How many are enough: take a release of least loss,
             with as few rows as possible outside of groups of equal rows, and a tuple t that has a group of its own
             rows in it. In every mixed group with rows of t there are at most k − 1 of them; else those beyond what the
             group needs would go to t's own group, at no loss. And there is a row of another tuple that has no such
             group, else all of its rows would go to their own groups. So t lends at most (k − 1) times as many rows as
             there are rows of tuples without a group of their own. No number that depends on k alone is enough: with k
             = 3, a tuple of q + 3 rows and, in each of q columns, two equal rows that differ from it there only, the
             best release lends q of its rows. All of this takes prices that do not fall as sets grow, and no demand but
             k: a group of equal rows must cost least, and be allowed by itself.
So.          Where that is not given (demands on sensitive values; free columns under a measure that is not monotone),
             every row is loose, up to ``MOST_SINGLE`` rows. Beyond that, and elsewhere, the number of loose rows begins
             at ``LOOSE`` times k, and wherever all of them were lent it is doubled. What is lost nevertheless shows in
             the proved ratio, because the bound is that of the full table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.problem import Ints, Problem

LOOSE = 2
"""Loose rows of a tuple to begin with, in multiples of k."""
MOST_SINGLE = 300_000
"""Rows of a table that is cut into single rows where nothing is known of how many must be loose."""


def is_safe(problem: Problem) -> bool:
    """Whether a group of equal rows is always allowed, and taking rows out of a group never costs: what the argument
    above needs.
    """
    return not problem.demands and (problem.is_laminar or problem.measure.monotone)


def loosen(problem: Problem) -> Problem:
    """The problem with its kinds cut into loose rows and anchors; into single rows where anchors may do harm and rows
    are not too many.
    """
    if not is_safe(problem) and problem.n_rows <= MOST_SINGLE:
        return problem.by_rows()
    return problem.loosened(LOOSE * problem.k)


def set_anchors_free(problem: Problem, group: Ints) -> Ints:
    """Let every tuple with an anchor leave a group that holds other tuples too; if the others are too few, some of its
    loose rows stay with them.

    With demands nothing is changed, as an anchor alone may break them; nor where those left behind may have to pay
    more.
    """
    anchors = np.flatnonzero(problem.rows_of_unit >= max(problem.k, 2))
    if len(anchors) == 0 or not is_safe(problem):
        return group
    out, n_groups = group.copy(), int(group.max()) + 1
    heavy = np.full(problem.n_tuples, -1, dtype=np.int32)
    heavy[problem.tuple_of_unit[anchors]] = np.arange(len(anchors))
    number = heavy[problem.tuple_of_unit]
    light = np.bincount(group[number < 0], weights=problem.rows_of_unit[number < 0], minlength=n_groups).astype(
        np.int64
    )
    out[number >= 0] = n_groups + number[number >= 0]
    short = np.where((light > 0) & (light < problem.k), problem.k - light, 0)
    if short.any():
        lend(problem, group, short, out)
    return out


def lend(problem: Problem, group: Ints, short: NDArray[np.int64], out: Ints) -> None:
    """Leave so many single rows in each group as it is short of, the first ones whose tuple left."""
    away = np.flatnonzero((problem.rows_of_unit == 1) & (out != group) & (short[group] > 0))
    away = away[np.argsort(group[away], kind="stable")]
    first = np.flatnonzero(np.diff(group[away], prepend=-1))
    rank = np.arange(len(away)) - np.repeat(first, np.diff(np.append(first, len(away))))
    stays = away[rank < short[group[away]]]
    out[stays] = group[stays]


def loosen_more(problem: Problem, group: Ints) -> tuple[Problem, NDArray[np.int64]] | None:
    """Where all loose rows of an anchor's kind are lent to other groups, twice as many are loose; None if there is no
    such kind.

    Gives the problem cut anew, and for each unit which of today's units it is a part of.
    """
    rows = problem.rows_of_unit.astype(np.int64)
    anchors = np.flatnonzero(rows > problem.k)
    n_kinds = int(problem.kind_of_unit.max(initial=-1)) + 1
    home = np.full(n_kinds, -1, dtype=np.int64)
    home[problem.kind_of_unit[anchors]] = group[anchors]
    single = rows == 1
    at_home = single & (group == home[problem.kind_of_unit])
    n_home = np.bincount(problem.kind_of_unit[at_home], minlength=n_kinds)
    n_single = np.bincount(problem.kind_of_unit[single], minlength=n_kinds)
    kind = problem.kind_of_unit[anchors]
    more = np.minimum(np.maximum(n_single[kind], 1), rows[anchors] - problem.k)
    wanted = (n_home[kind] == 0) & (more > 0)
    if not wanted.any():
        return None
    parts = np.ones(problem.n_units, dtype=np.int64)
    parts[anchors[wanted]] += more[wanted]
    unit = np.repeat(np.arange(problem.n_units), parts)
    size = rows[unit]
    is_cut = parts[unit] > 1
    size[is_cut] = 1
    last = np.cumsum(parts) - 1
    size[last[anchors[wanted]]] = rows[anchors[wanted]] - more[wanted]
    return problem.with_units(unit, size), unit

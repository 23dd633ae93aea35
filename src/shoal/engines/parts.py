"""Solving in parts, where the different rows are too many for one process: cut, solve each part by itself, and put the groups together.

Every part is a table of its own with the prices of the whole, and its groups are groups of the whole: at least k rows, and every demand met. So the release keeps its promise whatever the cut was, and is recounted like
any other. What the cut can cost is loss: rows that would best be together may lie in two parts. Parts are cut where a group would pay most for reaching across: between the children of the dearest node.

The bounds of the parts say nothing of the whole, whose best release may have groups that reach across. Two bounds hold for the whole, and the higher is taken. `neighbour` needs little memory for a row. The other is the sum of bounds
over *columns*: a group of at least k rows is one for some of the columns too, and pays for disjoint sets of columns the sum of what it pays for each. Over few columns there are few different rows, and the best bound can be found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from shoal.bounds import best
from shoal.bounds.neighbour import NEIGHBOUR
from shoal.demands import are_met
from shoal.errors import Refused
from shoal.problem import Bound, Ints, Longs, Problem, QuasiIdentifier, Solution, Watch, close

LEAST = 20
"""A part has at least so many times k rows, so that cutting costs little."""
IN_PARTS = "{}; solved in parts, and cutting cost at most the loss less this bound"
NOTE = "Solved in {} parts of at most {:,} different rows."
AT_LEAST = "Whoever solves these parts loses at least {:.6g}."
TURNS = 4


@dataclass(frozen=True, eq=False)
class PartAnswer:
    """What was found for a part: its units, and what their groups are."""

    kind: Ints
    rows: Ints
    group: Ints
    bound: float | None
    is_repeatable: bool


def cut(problem: Problem, most: int) -> list[Longs]:
    """Units of each part: as few parts as it takes until each has at most so many different rows."""
    waiting, done = [np.arange(problem.n_units)], []
    while waiting:
        units = waiting.pop()
        sides = None if len(units) <= most else _two(problem, units)
        if sides is None:
            done.append(units)
        else:
            waiting.extend(sides)
    return done


def _two(problem: Problem, units: Longs) -> tuple[Longs, Longs] | None:
    """The two sides of the best cut that leaves each side a table that can be released; None if there is none."""
    for upper in sorted(_cuts(problem, units), key=lambda side: -side[0]):
        sides = units[upper[1]], units[~upper[1]]
        if all(_is_whole(problem, side) for side in sides):
            return sides
    return None


def _cuts(problem: Problem, units: Longs) -> list[tuple[float, NDArray[np.bool_]]]:
    """For each column the cut between the children of the lowest node over all values: how much it is worth, and which units are above."""
    found = []
    rows = problem.rows_of_unit[units].astype(np.float64)
    for j, column in enumerate(problem.columns):
        codes = problem.codes[problem.tuple_of_unit[units], j]
        child, node = _children(column, codes)
        if child is None:
            continue
        names, place = np.unique(child, return_inverse=True)
        size = np.cumsum(np.bincount(place, weights=rows))
        at = int(np.argmin(np.abs(size[:-1] - size[-1] / 2)))
        share = size[at] / size[-1]
        found.append((float(column.price[node] * share * (1 - share)), place <= at))
        del names
    return found


def _children(column: QuasiIdentifier, codes: Ints) -> tuple[Ints | None, int]:
    """The child of the lowest common node that each code lies under, and that node; None where all codes are one."""
    parent = column.tree.parent
    values, place = np.unique(codes, return_inverse=True)
    if len(values) < 2:
        return None, int(values[0])
    below, at = values.copy(), values.copy()
    while len(np.unique(at)) > 1:  # numbers grow towards the root, so the least is lifted until all meet
        low = at == at.min()
        below[low] = at[low]
        at[low] = parent[at[low]]
    return below[place], int(at[0])


def _is_whole(problem: Problem, units: Longs) -> bool:
    """Whether a part can be released at all: as one group it has rows enough and meets every demand."""
    part = part_of(problem, units)
    return part.n_rows >= LEAST * problem.k and bool(are_met(part, np.zeros(part.n_units, dtype=np.int32)).all())


def part_of(problem: Problem, units: Longs) -> Problem:
    """A part as a problem: the prices of the whole, and its share of the rows that may be withheld."""
    rows = np.zeros(problem.n_units, dtype=np.int64)
    rows[units] = problem.rows_of_unit[units]
    share = problem.max_withheld * int(rows.sum()) // max(problem.n_rows, 1)
    return replace(problem.over(rows), max_withheld=share, deletion=problem.deletion)


def answer_of(solution: Solution) -> PartAnswer:
    """What is sent back of a part that was solved."""
    cut_up = solution.problem
    bound = None if solution.bound is None else solution.bound.value
    return PartAnswer(cut_up.kind_of_unit, cut_up.rows_of_unit, solution.group, bound, solution.is_repeatable)


def joined(problem: Problem, answers: Sequence[PartAnswer], most: int, watch: Watch) -> Solution:
    """The groups of all parts as one solution of the whole, with the bound that holds for the whole."""
    unit_of_kind = np.full(int(problem.kind_of_unit.max()) + 1, -1, dtype=np.int64)
    unit_of_kind[problem.kind_of_unit] = np.arange(problem.n_units)
    groups, first = [], 0
    for answer in answers:
        groups.append(np.where(answer.group < 0, -1, answer.group + first))
        first += int(answer.group.max(initial=-1)) + 1
    units = unit_of_kind[np.concatenate([answer.kind for answer in answers])]
    whole = problem.with_units(units, np.concatenate([answer.rows for answer in answers]))
    solution = close(whole, np.concatenate(groups).astype(np.int32))
    bound = max(bound_of_columns(problem, most, watch), NEIGHBOUR.compute(problem, watch), key=lambda found: found.value)
    within = sum(answer.bound or 0.0 for answer in answers)
    notes = [NOTE.format(len(answers), most), AT_LEAST.format(within) if within else "", bound.note]
    return replace(
        solution,
        bound=Bound(IN_PARTS.format(bound.name), bound.value, None, " ".join(note for note in notes if note)),
        note="Solved in parts: no factor is proved.",
        is_repeatable=all(answer.is_repeatable for answer in answers),
    )


def bound_of_columns(problem: Problem, most: int, watch: Watch) -> Bound:
    """The sum of the bounds over sets of columns that have few different rows."""
    found, names = [], []
    for columns in sets_of_columns(problem, most):
        try:
            found.append(best(over_columns(problem, columns), watch, TURNS))
        except Refused:
            continue
        names.append(", ".join(problem.columns[j].name for j in columns))
    notes = dict.fromkeys(bound.note for bound in found if bound.note)
    return Bound("columns apart", sum(bound.value for bound in found), None, " ".join([f"Bounds over {' and '.join(names)}.", *notes]))


def sets_of_columns(problem: Problem, most: int) -> list[list[int]]:
    """The columns in sets, each as large as it can be with at most so many different rows. The dearest columns find their place first."""
    price = [column.price[column.tree.root] for column in problem.columns]
    made: list[tuple[list[int], Longs, int]] = []
    for j in sorted(range(problem.n_columns), key=lambda j: -price[j]):
        for place, (columns, key, n_rows) in enumerate(made):
            joint, together = np.unique(key * problem.columns[j].tree.n_leaves + problem.codes[:, j], return_inverse=True)
            if len(joint) <= most or n_rows == len(joint):
                made[place] = [*columns, j], together.astype(np.int64), len(joint)
                break
        else:
            values, key = np.unique(problem.codes[:, j], return_inverse=True)
            made.append(([j], key.astype(np.int64), len(values)))
    return [sorted(columns) for columns, _, _ in made]


def over_columns(problem: Problem, columns: Sequence[int]) -> Problem:
    """The same rows with some of their columns, and k alone to keep: whatever is released of all columns is a release of these."""
    codes, tuple_of_old = np.unique(problem.codes[:, list(columns)], axis=0, return_inverse=True)
    weight = np.bincount(tuple_of_old.reshape(-1), weights=problem.weight, minlength=len(codes)).astype(np.int64)
    every = np.arange(len(codes), dtype=np.int32)
    return replace(
        problem,
        columns=tuple(problem.columns[j] for j in columns),
        codes=np.ascontiguousarray(codes, dtype=np.int32),
        weight=weight,
        tuple_of_unit=every,
        rows_of_unit=weight.astype(np.int32),
        kind_of_unit=every,
        demands=(),
        sensitive=(),
    )

"""The proof of a clustering's bound, written down: a price for each distinct row, in the form of a release's proof.

A proof is checked before it is written. A proof shows values of rows: it is for the owner and an auditor.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from shoal.clustering.base import Task
from shoal.clustering.points import Floats
from shoal.clustering.proof_check import SAFE, Case, check
from shoal.clustering.space_of import Placed
from shoal.proof.file import ProofPrices, ProofTexts, pack

PLACES = 50
"""The highest price has about so many binary places."""


def case_of(placed: Placed, task: Task, is_total: bool) -> Case:
    """What a proof for this clustering has to prove; nothing of it rests on the space that the clustering was found
    in.
    """
    if placed.columns:
        rows = np.stack([codes.astype(np.int64) for codes in placed.codes], axis=1)
        names, values = tuple(c.name for c in placed.columns), tuple(c.values for c in placed.columns)
    else:
        assert placed.in_matrix is not None
        rows = placed.in_matrix.astype(np.int64)[:, None]
        names, values = ("row",), (tuple(str(i) for i in range(int(rows.max(initial=-1)) + 1)),)
    codes, first, of_row = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    matrix = None if placed.matrix is None else placed.matrix[np.ix_(codes[:, 0], codes[:, 0])]
    setup = np.zeros(len(codes)) if task.setup is None else task.setup[placed.points.of_row[first]]
    weight = np.bincount(of_row.reshape(-1)).astype(np.int64)
    return Case(names, values, codes, weight, placed.columns, placed.combine, matrix, task.r, task.max_outliers,
                is_total,
                task.centres == "any", setup)  # fmt: skip


def prices_of(placed: Placed, task: Task, prices: Floats | None, is_total: bool) -> Floats:
    """A price for each row: those of the cells, or for the largest radius the least one that a cluster of each row can
    have.
    """
    if is_total:
        assert prices is not None
        return prices
    space = placed.points.space
    t = space.rth_distance(task.r)
    least = t / 2 if task.centres == "any" else space.cheapest_ball(t)[0]
    return np.asarray(least[placed.points.of_row], dtype=np.float64)


def fewest(case: Case, y: Floats) -> Floats:
    """For the largest radius: the same bound from as few prices as can be, so that a checker has to look at few rows.

    The most expensive rows, one more than may be left out, all get the price that the least of them has.
    """
    order = np.argsort(-y, kind="stable")
    n_dear = int(np.searchsorted(np.cumsum(case.weight[order]), case.max_outliers, "right")) + 1
    few = np.zeros(len(y))
    if n_dear <= len(y):
        few[order[:n_dear]] = y[order[n_dear - 1]]
    return few


def write(case: Case, prices_of_rows: Floats, rows: Any) -> tuple[bytes, float]:
    """The bytes of a proof and the bound that it proves."""
    y = np.zeros(len(case.weight))
    y[rows] = prices_of_rows
    if not case.is_total:
        y = fewest(case, y)
    shift = PLACES - math.ceil(math.log2(max(float(y.max(initial=0.0)), 2.0**-900)))
    shift = max(min(shift, 1000), -1000)
    whole = np.floor(np.ldexp(y * (1 - SAFE), shift)).astype(np.int64)
    columns = {}
    for j, name in enumerate(case.names):
        used, places = np.unique(case.codes[:, j], return_inverse=True)
        columns[name] = ProofTexts([case.values[j][v] for v in used.tolist()], places.reshape(-1).astype(np.int64))
    proof = ProofPrices(columns, whole, shift)
    return pack(proof), check(case, proof)


def points_of_rows(placed: Placed) -> Any:
    """The point of the case on which each row lies."""
    rows = np.stack(placed.codes, axis=1) if placed.columns else np.asarray(placed.in_matrix)[:, None]
    return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)


def most_bytes(case: Case) -> int:
    """More than the file of any proof for this case takes."""
    texts = sum(16 + 6 * len((value or "").encode()) for values in case.values for value in values)
    names = sum(64 + 6 * len(name.encode()) for name in case.names)
    return 4096 + texts + names + len(case.weight) * (24 + 12 * len(case.names))

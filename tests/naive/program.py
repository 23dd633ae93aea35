"""The linear program of the prices, written out whole."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import lil_matrix

from shoal.problem import Problem
from tests.naive.boxes import all_boxes


def best_prices(problem: Problem) -> float:
    """The maximum of the sum of the prices, less offsets.

    That the k highest prices of a box add up to at most k·d(B) is k·t + Σ w·s ≤ k·d(B) with s ≥ y − t and s ≥ 0, for some t.
    """
    n, boxes = problem.n_tuples, list(all_boxes(problem).values())
    n_entries = sum(len(tuples) for _, tuples in boxes)
    n_columns = n + len(boxes) + n_entries
    matrix, right = lil_matrix((len(boxes) + n_entries, n_columns)), np.zeros(len(boxes) + n_entries)
    entry = 0
    for b, (price, tuples) in enumerate(boxes):
        matrix[b, n + b] = problem.k
        right[b] = problem.k * price
        for t in tuples:
            s = n + len(boxes) + entry
            matrix[b, s] = problem.weight[t]
            row = len(boxes) + entry
            matrix[row, t], matrix[row, n + b], matrix[row, s] = 1.0, -1.0, -1.0
            entry += 1
    cost = np.concatenate([-problem.weight.astype(float), np.zeros(n_columns - n)])
    limits = [(0, None)] * n + [(None, None)] * len(boxes) + [(0, None)] * n_entries
    answer = linprog(cost, A_ub=matrix.tocsr(), b_ub=right, bounds=limits, method="highs")
    assert answer.status == 0
    return float(-answer.fun - (problem.weight * problem.offset_of_tuple).sum())

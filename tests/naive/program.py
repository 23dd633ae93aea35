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


def best_with_cuts(problem: Problem) -> float:
    """The maximum with every box as a cut: a price σ for each, and a row for the m highest prices of each box, m from k to 2k − 1."""
    n, k, boxes = problem.n_tuples, problem.k, list(all_boxes(problem).values())
    sets = [(m, price, tuples) for price, tuples in boxes for m in range(k, 2 * k) if problem.weight[tuples].sum() >= m]
    n_entries = sum(len(tuples) for _, _, tuples in sets)
    first_t, first_s = n + len(boxes), n + len(boxes) + len(sets)
    matrix, right = lil_matrix((len(sets) + n_entries, first_s + n_entries)), np.zeros(len(sets) + n_entries)
    entry = 0
    for a, (m, price, tuples) in enumerate(sets):
        matrix[a, first_t + a] = m
        right[a] = m * price
        for u, (_, around) in enumerate(boxes):
            if set(tuples) <= set(around):
                matrix[a, n + u] = -1.0
        for t in tuples:
            s, row = first_s + entry, len(sets) + entry
            matrix[a, s] = problem.weight[t]
            matrix[row, t], matrix[row, first_t + a], matrix[row, s] = 1.0, -1.0, -1.0
            entry += 1
    fit = [float(problem.weight[tuples].sum() // k) for _, tuples in boxes]
    cost = np.concatenate([-problem.weight.astype(float), fit, np.zeros(len(sets) + n_entries)])
    limits = [(0, None)] * (n + len(boxes)) + [(None, None)] * len(sets) + [(0, None)] * n_entries
    answer = linprog(cost, A_ub=matrix.tocsr(), b_ub=right, bounds=limits, method="highs")
    assert answer.status == 0
    return float(-answer.fun - (problem.weight * problem.offset_of_tuple).sum())

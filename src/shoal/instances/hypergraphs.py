"""k-dimensional perfect matching, as k-anonymity under the entropy measures (Gionis and Tassa 2009, theorem 5.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, log2

from shoal.errors import DataError
from shoal.instances.base import Instance, checked_edges

REFERENCE = "Gionis and Tassa 2009, theorem 5.2, with P(n, k) corrected"


def perfect_matching(
    n_vertices: int, hyperedges: Iterable[Sequence[int]], k: int, measure: str = "entropy"
) -> Instance:
    """Rows are vertices, columns are hyperedges of k vertices: the threshold is reached if and only if n/k hyperedges
    hold every vertex.

    A cell is 0 where the vertex is in the hyperedge; the other values of a column occur at most k − 1 times each, so
    that no group can show them.
    """
    if k < 3 or n_vertices % k or n_vertices < k:
        raise DataError(
            f"A perfect matching by edges of k ≥ 3 vertices needs a multiple of k vertices, not {n_vertices} with k = "
            f"{k}."
        )
    if measure not in ("entropy", "monotone-entropy", "non-uniform-entropy"):
        raise DataError(f"The reduction is for the entropy measures, not for '{measure}'.")
    listed = checked_edges(hyperedges, k, n_vertices)
    columns = [_column(n_vertices, edge, k) for edge in listed]
    rows = tuple(tuple(column[x] for column in columns) for x in range(n_vertices))
    n, m = n_vertices, len(listed)
    threshold = (
        whole_penalty(n, k, m) - n * log2(n / k)
        if measure == "non-uniform-entropy"
        else n * (m - 1) * column_entropy(n, k)
    )
    return Instance(rows, k, measure, threshold, "do some hyperedges hold every vertex exactly once?", REFERENCE)


def _column(n: int, edge: tuple[int, ...], k: int) -> list[str]:
    others = iter(range(n - k))
    return ["0" if x in edge else str(1 + next(others) // (k - 1)) for x in range(n)]


def _counts(n: int, k: int) -> list[int]:
    """How often each value of a column occurs."""
    if n == k:
        return [k]
    n_others = ceil((n - k) / (k - 1))
    return [k] + [k - 1] * (n_others - 1) + [(n - k) - (k - 1) * (n_others - 1)]


def column_entropy(n: int, k: int) -> float:
    """H(k, n): the bits of a column, and so what a suppressed cell loses under entropy."""
    return sum(count / n * log2(n / count) for count in _counts(n, k))


def whole_penalty(n: int, k: int, m: int) -> float:
    """P(n, k): what suppressing the whole table loses under non-uniform entropy.

    m [k log(n/k) + (⌈(n − k)/(k − 1)⌉ − 1)(k − 1) log(n/(k − 1)) + c log(n/c)], c being how often the last value
    occurs; the paper lacks the factor k − 1.
    """
    if n == k:
        return 0.0
    n_others = ceil((n - k) / (k - 1))
    last = (n - k) - (k - 1) * (n_others - 1)
    return m * (k * log2(n / k) + (n_others - 1) * (k - 1) * log2(n / (k - 1)) + last * log2(n / last))

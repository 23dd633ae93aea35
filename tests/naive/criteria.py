"""Privacy criteria on lists of values, straight from their definitions."""

from __future__ import annotations

from collections import Counter
from math import log2


def distinct(values: list[int], table: list[int]) -> float:
    return len(set(values))


def effective(values: list[int], table: list[int]) -> float:
    shares = [c / len(values) for c in Counter(values).values()]
    return 2 ** -sum(p * log2(p) for p in shares)


def recursive(values: list[int], table: list[int], l: int) -> float:
    falling = sorted(Counter(values).values(), reverse=True)
    tail = sum(falling[l - 1 :])
    return falling[0] / tail if tail else float("inf")


def distance(values: list[int], table: list[int], ordered: bool) -> float:
    n_values = max(table) + 1
    p = [values.count(v) / len(values) for v in range(n_values)]
    q = [table.count(v) / len(table) for v in range(n_values)]
    if not ordered:
        return sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2
    if n_values == 1:
        return 0.0
    return sum(abs(sum(p[: i + 1]) - sum(q[: i + 1])) for i in range(n_values)) / (n_values - 1)

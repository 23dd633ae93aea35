"""Privacy criteria on lists of values, straight from their definitions."""

from __future__ import annotations

from collections import Counter
from itertools import product
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


def fillings(values: list[int | None]) -> list[list[int]]:
    """Every way to fill the missing cells of a group with values that it has; one value if it has none."""
    there = sorted({v for v in values if v is not None}) or [0]
    choices = [[v] if v is not None else there for v in values]
    return [list(one) for one in product(*choices)]


def distance_with_missing(values: list[int | None], table: list[int | None], ordered: bool) -> float:
    """The earth mover's distance by its definition on a line: numbers one step apart, a missing cell one range beyond the greatest."""
    n_values = max(v for v in table if v is not None) + 1
    keys: list[int | None] = [*range(n_values), None]
    p = [values.count(v) / len(values) for v in keys]
    q = [table.count(v) / len(table) for v in keys]
    if not ordered:
        return sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2
    steps = [1 / (n_values - 1)] * (n_values - 1) + [1.0] if n_values > 1 else [1.0]
    return sum(step * abs(sum(p[: i + 1]) - sum(q[: i + 1])) for i, step in enumerate(steps))

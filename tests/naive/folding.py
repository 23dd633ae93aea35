"""Folding by a dictionary."""

from __future__ import annotations

from collections.abc import Sequence


def fold(columns: Sequence[Sequence[int]]) -> tuple[list[tuple[int, ...]], list[int], list[int]]:
    """Distinct tuples in order, how often each occurs, and the tuple of each row."""
    rows = [tuple(int(x) for x in row) for row in zip(*columns, strict=True)]
    tuples = sorted(set(rows))
    number = {t: i for i, t in enumerate(tuples)}
    return tuples, [rows.count(t) for t in tuples], [number[row] for row in rows]

"""Ordered categories in a release without their hierarchy: ``18-24 to 45-64`` stands for all between, where the order can be told from the values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from shoal.columns.ordered import order_of
from shoal.judge.reading import ends_of

WORD = " to "


def stretches(labels: Sequence[str], known: Collection[str], order: Sequence[str] | None = None) -> Mapping[str, tuple[str, str]]:
    """The labels that name a first and a last value, with these. Both stand in the order, where it is told; else both must be shown, or all of them must have an order.

    >>> stretches(["<18", "18-24", "<18 to 45-64"], [])
    {'<18 to 45-64': ('<18', '45-64')}
    >>> stretches(["Road to Rome", "Paris"], [])
    {}
    """
    found = {label: ends for label in labels if (ends := _ends(label)) is not None}
    if order is not None:
        return {label: ends for label, ends in found.items() if set(order).issuperset(ends)}
    values = {*known, *(label for label in labels if label not in found)}
    every = {*values, *(end for ends in found.values() for end in ends)}
    if order_of(sorted(every), fewest=2) is not None:
        return found
    return {label: ends for label, ends in found.items() if values.issuperset(ends)}


def _ends(label: str) -> tuple[str, str] | None:
    low, word, high = label.partition(WORD)
    return (low, high) if word and low and high and WORD not in high and ends_of(label) is None else None


def between(ends: tuple[str, str], values: Sequence[str | None], told: Sequence[str] | None = None) -> list[str] | None:
    """The values from the first to the last; None where nothing tells an order."""
    found = order_of([value for value in values if value is not None], fewest=2)
    order = list(told) if told is not None else found[0] if found is not None else []
    if any(end not in order for end in ends):
        return None
    first, last = sorted(order.index(end) for end in ends)
    return order[first : last + 1]

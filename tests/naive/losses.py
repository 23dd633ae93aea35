"""The measures from their definitions, on sets of values.

``table`` is a column as a list of values, ``whole`` the domain of the column, ``shown`` a set of values. Probabilities are fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from math import log2

Value = object
Shown = frozenset[Value]


def probability(table: Sequence[Value], shown: Iterable[Value]) -> Fraction:
    """Pr(X in B), X drawn from the table."""
    inside = set(shown)
    return Fraction(sum(v in inside for v in table), len(table))


def conditional(table: Sequence[Value], value: Value, shown: Iterable[Value]) -> Fraction:
    """Pr(X = a | X in B)."""
    whole = probability(table, shown)
    return probability(table, [value]) / whole if whole else Fraction(0)


def stars(table: Sequence[Value], whole: Collection[Value], value: Value, shown: Shown) -> float:
    return float(len(shown) > 1)


def lm(table: Sequence[Value], whole: Collection[Value], value: Value, shown: Shown) -> float:
    return float(Fraction(len(shown) - 1, len(whole) - 1)) if len(whole) > 1 else 0.0


def entropy(table: Sequence[Value], whole: Collection[Value], value: Value, shown: Shown) -> float:
    chances = [conditional(table, b, shown) for b in shown]
    return sum(-float(p) * log2(p) for p in chances if p)


def monotone_entropy(table: Sequence[Value], whole: Collection[Value], value: Value, shown: Shown) -> float:
    return float(probability(table, shown)) * entropy(table, whole, value, shown)


def non_uniform_entropy(table: Sequence[Value], whole: Collection[Value], value: Value, shown: Shown) -> float:
    return -log2(conditional(table, value, shown))


def information_share(table: Sequence[Value], whole: Collection[Value], value: Value, shown: Shown) -> float:
    bits = entropy(table, whole, value, frozenset(table))
    return non_uniform_entropy(table, whole, value, shown) / bits if len(set(table)) > 1 else 0.0


def root_share(table: Sequence[Value], whole: Collection[Value], value: Value, shown: Shown) -> float:
    most = 1 - sum(float(probability(table, [v])) ** 1.5 for v in set(table))
    wider = float(probability(table, shown)) ** 0.5 - float(probability(table, [value])) ** 0.5
    return wider / most if len(set(table)) > 1 else 0.0


LOSSES: dict[str, Callable[[Sequence[Value], Collection[Value], Value, Shown], float]] = {
    "stars": stars,
    "lm": lm,
    "entropy": entropy,
    "monotone-entropy": monotone_entropy,
    "non-uniform-entropy": non_uniform_entropy,
    "information-share": information_share,
    "root-share": root_share,
}
"""The tree measure needs a tree, and is in its test."""


def total(name: str, table: Sequence[Value], whole: Collection[Value], release: Sequence[Iterable[Value]]) -> float:
    """The loss of a column: the sum over its cells."""
    return sum(LOSSES[name](table, whole, value, frozenset(shown)) for value, shown in zip(table, release, strict=True))


def discernibility(release: Sequence[object], n_rows: int) -> int:
    """Each released row is charged the rows that look like it, each withheld one the whole table."""
    return sum(sum(a == b for b in release) for a in release) + (n_rows - len(release)) * n_rows


def average_class_size(release: Sequence[object]) -> Fraction:
    distinct = [row for i, row in enumerate(release) if row not in release[:i]]
    return Fraction(len(release), len(distinct))

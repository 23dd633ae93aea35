"""Make-monotone as it is printed, and by repairing one violation after the other."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import log2

Set = frozenset[int]


def entropy(count: Sequence[int], members: Set) -> float:
    """H(X | X in the set)."""
    whole = sum(count[v] for v in members)
    return -sum(count[v] / whole * log2(count[v] / whole) for v in members if count[v])


def parent(collection: set[Set], members: Set) -> Set:
    """The smallest set around it."""
    return min((other for other in collection if members < other), key=len)


def violating(collection: set[Set], count: Sequence[int]) -> list[Set]:
    """The sets that cost more than their parents."""
    root = max(collection, key=len)
    return sorted(
        (s for s in collection - {root} if entropy(count, s) > entropy(count, parent(collection, s)) + 1e-12), key=lambda s: sorted(s)
    )


def repaired(collection: set[Set], count: Sequence[int], rng: random.Random) -> set[Set]:
    """The corrected form: take out a violating set, any one, until there is none."""
    left = set(collection)
    while wrong := violating(left, count):
        left.remove(rng.choice(wrong))
    return left


def printed(collection: set[Set], count: Sequence[int]) -> set[Set]:
    """The paper's form: unite a violating set with a sibling; if it has one sibling only, remove both."""
    left = set(collection)
    while wrong := violating(left, count):
        bad = wrong[0]
        around = parent(left, bad)
        siblings = sorted((s for s in left if s != bad and s < around and parent(left, s) == around), key=lambda s: sorted(s))
        left -= {bad, siblings[0]}
        if len(siblings) > 1:
            left.add(bad | siblings[0])
    return left

"""Counting small groups of sensitive values, for the tests of single criteria."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from shoal import privacy, registry
from shoal.privacy.base import Demand, histogram

TABLES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=30)
"""Rows as (group, value)."""


def groups_of(rows: list[tuple[int, int]]) -> list[list[int]]:
    return [[v for g, v in rows if g == name] for name in sorted({g for g, _ in rows})]


def reached(
    name: str, parameters: dict[str, float], groups: list[list[int]], missing: int | None = None
) -> list[float]:
    """What each group of values reaches; the whole table is all of them."""
    return demand(name, parameters, missing).reached(counted(groups)).tolist()


def is_met(name: str, parameters: dict[str, float], groups: list[list[int]], missing: int | None = None) -> list[bool]:
    return demand(name, parameters, missing).is_met(counted(groups)).tolist()


def demand(name: str, parameters: dict[str, float], missing: int | None = None) -> Demand:
    return Demand(registry.find(privacy.CATALOG, name), "s", parameters, missing)


def counted(groups: list[list[int]]):
    group = np.repeat(np.arange(len(groups), dtype=np.int32), [len(g) for g in groups])
    return histogram(group, np.array([v for g in groups for v in g], dtype=np.int32), len(groups))

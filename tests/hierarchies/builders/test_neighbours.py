"""Ordered categories merge with their neighbours."""

from __future__ import annotations

import pytest

from shoal.errors import HierarchyError
from shoal.hierarchies import neighbours
from shoal.hierarchies.encode import encode
from shoal.hierarchies.rows import rows_of

AGES = ["<18", "18-24", "25-34", "35-64", "65+"]


def test_neighbours_merge() -> None:
    made = encode("age", sorted(AGES), False, neighbours(AGES))
    rows = {row[0]: row[1:] for row in rows_of(made.tree)}
    assert rows["<18"] == ["{18-24, <18}", "<18 to 35-64", "*"]
    assert rows["25-34"] == ["{25-34, 35-64}", "<18 to 35-64", "*"]
    assert rows["65+"] == ["65+", "65+", "*"]


def test_what_is_outside_the_order_stands_beside_it() -> None:
    made = encode("age", sorted([*AGES, "unknown"]), True, neighbours(AGES))
    assert {row[0]: row[1:] for row in rows_of(made.tree)}["unknown"] == ["unknown", "unknown", "*"]


def test_what_is_no_order_is_refused() -> None:
    for wrong in ([], ["a"], ["a", "a"]):
        with pytest.raises(HierarchyError, match="from low to high"):
            neighbours(wrong)
    with pytest.raises(HierarchyError, match="a list"):
        neighbours("abc")

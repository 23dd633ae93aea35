"""Any interval of ordered values."""

from __future__ import annotations

import pytest

from shoal.errors import HierarchyError
from shoal.hierarchies import any_interval
from shoal.hierarchies.encode import encode


def test_values_are_in_their_order() -> None:
    encoded = encode("x", ["-1", "1", "10", "2"], True, any_interval())
    assert encoded.tree.labels[:5] == ("-1", "1", "2", "10", None)
    assert encoded.code_of.tolist() == [0, 1, 3, 2]
    assert encoded.tree.bounds[:4].tolist() == [[-1, -1], [1, 1], [2, 2], [10, 10]]


def test_the_tree_halves_the_values() -> None:
    tree = encode("x", [f"{i:02d}" for i in range(16)], False, any_interval()).tree
    assert tree.height == 4
    assert tree.labels[-3:] == ("[00, 07]", "[08, 15]", "*")


def test_many_values_need_few_levels() -> None:
    assert encode("x", sorted(map(str, range(10_000))), False, any_interval()).tree.height == 10


def test_dates_are_ordered_too() -> None:
    encoded = encode("d", ["01.02.2024", "02.01.2024"], False, any_interval())
    assert encoded.tree.labels[:2] == ("02.01.2024", "01.02.2024")
    assert encoded.tree.bounds is None


def test_text_has_no_intervals() -> None:
    with pytest.raises(HierarchyError, match="2 of 3 values cannot be read as plain numbers, nor all of them as dates"):
        encode("x", ["1", "blue", "green"], False, any_interval())

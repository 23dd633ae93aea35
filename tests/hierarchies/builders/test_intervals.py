"""Intervals of numbers."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import floor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.errors import HierarchyError
from shoal.hierarchies import intervals
from shoal.hierarchies.builders.intervals import suggest_widths
from shoal.hierarchies.encode import encode
from shoal.text.labels import read_interval


def path(values: list[str], widths: list[object], value: str) -> list[str | None]:
    tree = encode("x", sorted(values), False, intervals(*widths)).tree
    node, labels = tree.labels.index(value), []
    while node != tree.root:
        node = int(tree.parent[node])
        labels.append(tree.labels[node])
    return labels


def test_ages_lie_in_intervals_of_each_width() -> None:
    ages = [str(i) for i in range(17, 91)]
    assert path(ages, [5, 10, 20], "27") == ["[25, 30)", "[20, 30)", "[20, 40)", "*"]
    assert path(ages, [5, 10, 20], "17") == ["[15, 20)", "*"], "a wider interval with the same ages is the same node"


def test_negative_numbers_and_decimals_lie_in_their_intervals() -> None:
    assert path(["-7", "-3", "-0.5", "0", "4"], [5], "-3") == ["[-5, 0)", "*"]
    assert path(["0.1", "0.25", "0.3", "0.4", "0.49"], [0.1, 0.5], "0.3") == ["[0, 0.5)"]
    assert path(["0.3", "0.35", "0.4", "0.41"], ["0.1"], "0.3") == ["[0.3, 0.4)", "*"]


@given(
    st.lists(st.decimals(-1000, 1000, places=3), min_size=2, unique=True),
    st.sampled_from(["0.001", "0.1", "0.3", "1", "7", "2.5", "1000"]),
)
def test_a_number_lies_in_its_interval_exactly(numbers: list[Decimal], width: str) -> None:
    values = sorted(map(str, numbers))
    spec = intervals(width)
    for row in spec.arrange("x", values).rows():
        low = floor(Fraction(row[0]) / Fraction(width)) * Fraction(width)
        ends = read_interval(row[1])
        assert ends is not None
        assert (Fraction(ends[0]), Fraction(ends[1]), ends[2]) == (low, low + Fraction(width), False)


@pytest.mark.parametrize("widths", [(10, 25), (10, 10), (20, 10), (0.2, 0.5), (3, 4, 12)])
def test_widths_that_do_not_nest_are_refused(widths: tuple[float, ...]) -> None:
    with pytest.raises(
        HierarchyError, match=r"cross, so they make no tree: each width must be a multiple of the one before\. Try"
    ):
        intervals(*widths)


@pytest.mark.parametrize("width", [0, -5, "wide", float("nan"), float("inf"), True])
def test_widths_that_make_no_sense_are_refused(width: object) -> None:
    with pytest.raises(HierarchyError, match=r"width|wide"):
        intervals(width)


def test_numbers_with_units_are_counted_and_not_shown() -> None:
    with pytest.raises(HierarchyError) as caught:
        encode("weight", ["12 kg", "13", "14 kg"], False, intervals(5))
    assert str(caught.value).startswith("Column 'weight': 2 of 3 values cannot be read as plain numbers")
    assert "kg" not in str(caught.value)
    assert caught.value.missing_values.tolist() == [0, 2]
    assert "(lines 4, 9)" in str(caught.value.at_lines([4, 9]))


def test_numbers_too_large_for_the_width_are_refused() -> None:
    with pytest.raises(HierarchyError, match="too narrow for numbers as large"):
        encode("x", ["1", "1e300"], False, intervals(5))


def test_bounds_are_clipped_to_the_domain() -> None:
    tree = encode("age", ["17", "18", "23", "24", "90"], True, intervals(5, 10)).tree
    bounds = dict(zip(tree.labels, tree.bounds.tolist(), strict=True))
    assert bounds["[15, 20)"] == [17, 20]
    assert bounds["[20, 25)"] == [20, 25]
    assert bounds["23"] == [23, 23]
    assert bounds["*"] == [17, 90]
    assert np.isnan(bounds[None]).all()


def widths_for(*numbers: float) -> list[str]:
    return [str(w) for w in suggest_widths(np.array(numbers, dtype=float))]


def test_widths_are_suggested_from_the_numbers() -> None:
    assert widths_for(*range(17, 91)) == ["5", "10", "20"]
    assert widths_for(*range(101)) == ["5", "10", "20"]
    assert widths_for(1, 2, 3, 4, 5) == ["2"]
    assert widths_for(*range(1950, 2011)) == ["5", "10", "20"]
    assert widths_for(7) == ["1"]
    assert [float(w) for w in widths_for(*range(0, 200_000, 1000))] == [5000, 10_000, 20_000, 40_000, 80_000]
    assert [float(w) for w in widths_for(0.0, 0.25, 0.5, 1.0)] == [0.05, 0.1, 0.2, 0.4]


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=30, unique=True))
def test_suggested_widths_make_a_hierarchy(numbers: list[float]) -> None:
    widths = suggest_widths(np.array(numbers))
    assert intervals(*widths).widths == widths
    encode("x", sorted({repr(x) for x in numbers}), False, intervals())


def test_one_typing_error_does_not_widen_everything() -> None:
    assert max(float(w) for w in widths_for(*range(1000), 1e9)) < 1000

"""Hierarchies from data."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.errors import HierarchyError
from shoal.hierarchies.rows import tree_from_rows
from shoal.hierarchies.suggest import suggest


def counts(*n: int) -> np.ndarray:
    return np.array(n, dtype=np.int64)


def test_ages_are_listed_without_gaps() -> None:
    made = suggest("age", ["17", "20", "60"], counts(1, 1, 1))
    assert made.description == "intervals of 5, 10, 20"
    assert [row[0] for row in made.rows] == [str(i) for i in range(17, 61)]
    assert made.rows[0] == ["17", "[15, 20)", "[10, 20)", "[0, 20)", "*"]


def test_wide_ranges_are_not_filled() -> None:
    assert len(suggest("income", ["0", "1000000", "25"], counts(1, 1, 1)).rows) == 3


def test_dates_get_units_and_codes_get_prefixes() -> None:
    days = ["2024-01-01", "2024-01-02", "2024-05-01", "2024-06-01", "2025-01-01"]
    assert suggest("d", days, counts(1, 1, 1, 1, 1)).rows[0] == ["2024-01-01", "2024-01", "2024-Q1", "2024", "*"]
    assert suggest("zip", ["81241", "81243", "90001"], counts(1, 1, 1)).rows[0] == ["81241", "8124*", "*"]


def test_few_values_are_suppressed_or_not() -> None:
    assert suggest("sex", ["f", "m"], counts(90, 2)).rows == [["f", "*"], ["m", "*"]]


def test_rare_values_are_grouped() -> None:
    values = ["a", "b", "c", "d", "e", "f", "other"]
    made = suggest("x", values, counts(500, 300, 200, 1, 2, 1, 3))
    assert made.description == "4 values as one group"
    assert made.rows[0] == ["a", "a", "*"]
    assert made.rows[3] == ["d", "not {a, b, c}", "*"]
    tree_from_rows(made.rows)


def test_evenly_spread_values_are_not_grouped() -> None:
    assert suggest("x", list("abcdefgh"), counts(*[10] * 8)).description == "suppression"


def test_equally_rare_values_are_treated_alike() -> None:
    rows = suggest("x", list("abcdefgh"), counts(100, 100, 2, 2, 2, 2, 2, 2)).rows
    assert [row[1] for row in rows] == ["a", "b", *["not {a, b}"] * 6]


def test_a_value_that_looks_like_a_star_is_refused() -> None:
    with pytest.raises(HierarchyError, match=r"looks like \*"):
        suggest("x", ["*", "a"], counts(1, 1))


def test_postal_codes_of_two_parts_meet_in_their_district_and_area() -> None:
    """Cut to so many characters, codes of different lengths would meet only at the root."""
    made = suggest("postcode", ["N1 9GU", "SW1A 1AA", "SW1A 2AA", "SW9 1AA"], counts(1, 1, 1, 1))
    assert made.rows[1] == ["SW1A 1AA", "SW1A ***", "SW area", "*"]
    assert made.rows[3][2:] == ["SW area", "*"]
    tree_from_rows(made.rows)

"""What encoding gives, and an error that says where and never what."""

from __future__ import annotations

import numpy as np

from shoal.hierarchies import intervals
from shoal.hierarchies.encoded import Arrangement, ValuesError, in_order
from shoal.hierarchies.stack import Layer


def test_an_arrangement_in_arx_s_form_has_a_label_for_every_level() -> None:
    made = Arrangement(["1", "2", "3"], [Layer(np.array([0, 0, 1]), ["low", "high"])], np.arange(3, dtype=np.int32))
    assert made.rows() == [["1", "low", "*"], ["2", "low", "*"], ["3", "high", "*"]]


def test_a_stand_in_is_marked_and_missing_cells_come_last() -> None:
    made = Arrangement(["1", "2"], [], np.array([1, 0], dtype=np.int32))
    free = made.encoded(intervals(5), True, "interval")
    assert free.tree.is_stand_in
    assert free.missing_code == 2
    assert made.encoded(intervals(5), False).missing_code is None


def test_values_are_sorted_by_their_place_and_know_their_rank() -> None:
    values, rank, place = in_order(["b", "c", "a"], np.array([5.0, 1.0, 3.0]))
    assert values == ["c", "a", "b"]
    assert rank.tolist() == [2, 0, 1]
    assert place.tolist() == [1.0, 3.0, 5.0]


def test_an_error_about_values_says_how_many_and_where() -> None:
    error = ValuesError("zip", [4, 9], 412, "{are} not in its hierarchy", "Add them.")
    assert str(error) == "Column 'zip': 2 of 412 values are not in its hierarchy. Add them."
    assert (
        str(error.at_lines([7, 19]))
        == "Column 'zip': 2 of 412 values are not in its hierarchy (lines 7, 19). Add them."
    )
    assert (
        str(error.at_lines("rows 3, 7"))
        == "Column 'zip': 2 of 412 values are not in its hierarchy (rows 3, 7). Add them."
    )
    one = ValuesError("zip", [4], 412, "{look} like *", "Correct it.")
    assert str(one.at_lines([7])) == "Column 'zip': 1 of 412 values looks like * (line 7). Correct it."
    assert str(one.at_lines([])) == str(one)

"""A table as a space: numbers, dates, categories, hierarchies, missing cells."""

from __future__ import annotations

import pytest

from tests.clustering.small import apart, placed


def test_numbers_are_measured_in_units_or_by_their_spread() -> None:
    frame = {"age": [20, 35, 70]}
    assert apart(placed(frame, {"age": {"unit": 10}}), 0, 1) == 1.5
    assert apart(placed(frame), 0, 1) == pytest.approx(0.3)
    assert apart(placed(frame, {"age": {"spread": True, "weight": 4}}), 0, 2) == pytest.approx(4)
    assert apart(placed({"age": [7, 7]}), 0, 1) == 0


def test_dates_count_days_and_hamming_counts_differing_cells() -> None:
    frame = {"born": ["2000-01-01", "2000-01-31", "2001-01-01"], "sex": ["f", "m", "f"]}
    made = placed(frame, {"born": {"unit": 30}})
    assert [c.kind for c in made.columns] == ["date", "category"]
    assert apart(made, 0, 1) == 2.0
    assert apart(placed(frame, "hamming"), 0, 1) == 2.0
    assert apart(placed(frame, "hamming"), 0, 2) == 1.0


def test_a_hierarchy_measures_the_level_of_the_join() -> None:
    rows = [["nurse", "health", "*"], ["doctor", "health", "*"], ["smith", "craft", "*"]]
    made = placed({"job": ["nurse", "doctor", "smith", "nurse"]}, {"job": {"hierarchy": rows}})
    assert made.columns[0].kind == "hierarchy"
    assert [apart(made, 0, i) for i in range(4)] == [0, 0.5, 1, 0]


def test_large_hierarchies_are_climbed() -> None:
    values = [f"v{i}" for i in range(1500)]
    rows = [[v, f"g{i // 100}", "*"] for i, v in enumerate(values)]
    made = placed({"x": list(values)}, {"x": {"hierarchy": rows}})
    assert (apart(made, 0, 99), apart(made, 0, 100), apart(made, 7, 7)) == (0.5, 1.0, 0.0)


def test_missing_cells_are_a_value_as_far_as_the_farthest() -> None:
    made = placed({"age": [20, None, 70, None], "sex": ["f", "m", None, None]}, {"age": {"unit": 10}})
    assert apart(made, 1, 3) == 1.0
    assert apart(made, 0, 3) == 5.0 + 1.0
    assert apart(made, 2, 3) == 5.0


def test_columns_are_combined_as_asked() -> None:
    frame = {"x": [0, 3], "y": [0, 4]}
    units = {"x": {"unit": 1}, "y": {"unit": 1}}
    assert apart(placed(frame, {**units, "combine": "sum"}), 0, 1) == 7
    assert apart(placed(frame, {**units, "combine": "euclid"}), 0, 1) == 5
    assert apart(placed(frame, {**units, "combine": "largest"}), 0, 1) == 4

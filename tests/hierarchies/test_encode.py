"""Encoding: what is found, what is refused, and that no message carries a cell."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from shoal.errors import DataError, HierarchyError
from shoal.hierarchies import from_file, intervals, levels, prefixes, suppression
from shoal.hierarchies.encode import encode
from shoal.hierarchies.encoded import ValuesError


def test_leaves_cover_values_that_the_table_lacks() -> None:
    encoded = encode(
        "job", ["clerk"], False, levels([["nurse", "health", "*"], ["doctor", "health", "*"], ["clerk", "office", "*"]])
    )
    assert encoded.tree.n_leaves == 3
    assert encoded.code_of.tolist() == [2]


def test_values_that_are_not_in_the_hierarchy_are_counted_and_located() -> None:
    with pytest.raises(ValuesError) as caught:
        encode("zip", ["MARK1", "a", "MARK2"], False, levels([["a", "*"]]))
    error = caught.value
    assert error.missing_values.tolist() == [0, 2]
    assert (
        str(error)
        == "Column 'zip': 2 of 3 values are not in its hierarchy. Add them, or let 'shoal hierarchy complete' do it."
    )
    located = error.at_lines([7, 19, 240])
    assert isinstance(located, HierarchyError)
    assert str(located) == (
        "Column 'zip': 2 of 3 values are not in its hierarchy (lines 7, 19, 240). Add them, or let 'shoal "
        "hierarchy complete' do it."
    )
    assert "(rows 3, 7)" in str(error.at_lines("rows 3, 7"))
    assert str(error.at_lines([])) == str(error)
    assert "MARK" not in str(located) + repr(located) + str(vars(located))


def test_numbers_written_differently_are_said_so() -> None:
    with pytest.raises(ValuesError, match="the same numbers written differently"):
        encode("age", ["39.0", "40.0"], False, levels([["39", "*"], ["40", "*"]]))


def test_blanks_around_a_value_are_said_so() -> None:
    with pytest.raises(ValuesError, match="blanks before or after"):
        encode("job", [" clerk"], False, levels([["clerk", "*"]]))


def test_an_empty_field_in_the_hierarchy_is_the_missing_cell(tmp_path: Path) -> None:
    path = tmp_path / "job.csv"
    path.write_text("nurse;known;*\nclerk;known;*\n;unknown;*\n?;unknown;*\n")
    encoded = encode("job", ["clerk"], True, from_file(path))
    assert encoded.missing_code == 2
    assert encoded.tree.labels == ("nurse", "clerk", None, "?", "known", "unknown", "*")
    assert encode("job", ["clerk"], False, from_file(path)).missing_code is None
    assert encode("job", ["", "clerk"], True, from_file(path)).missing_code == 4, "there an empty text is a value"


def test_a_value_that_reads_like_a_group_elsewhere_is_refused() -> None:
    rows = [["a", "b", "*"], ["c", "b", "*"], ["b", "x", "*"], ["d", "x", "*"]]
    with pytest.raises(ValuesError, match="1 of 2 values is written like a group of the column's hierarchy"):
        encode("c", ["a", "b"], False, levels(rows))
    encode("c", ["a", "d"], False, levels(rows))


def test_a_value_below_a_group_of_its_name_is_let_be() -> None:
    encode("c", ["a", "other"], False, levels([["a", "a", "*"], ["other", "other", "*"], ["odd", "other", "*"]]))


def test_two_sets_apart_of_one_name_are_refused() -> None:
    rows = [
        ["a", "x", "p", "*"],
        ["b", "x", "p", "*"],
        ["c", "q", "x", "*"],
        ["d", "r", "x", "*"],
        ["e", "q", "x", "*"],
    ]
    with pytest.raises(HierarchyError, match="the label 'x' stands for two different sets"):
        encode("c", ["a"], False, levels(rows))


def test_one_set_within_another_of_its_name_is_let_be() -> None:
    encode(
        "c",
        ["a"],
        False,
        levels([["a", "x", "x", "*"], ["b", "x", "x", "*"], ["c", "y", "x", "*"], ["d", "d", "z", "*"]]),
    )


def test_a_column_without_any_cell_is_refused() -> None:
    with pytest.raises(DataError, match="Column 'c' is empty"):
        encode("c", [], False, suppression())


@pytest.mark.parametrize("spec", [suppression(), prefixes(4, 3, 1), intervals(5, 10, 20)], ids=lambda spec: spec.name)
def test_two_hundred_thousand_values_are_quick(spec: object) -> None:
    values = [str(i) for i in range(100_000, 300_000)]
    before = time.process_time()
    encoded = encode("c", values, True, spec)
    assert time.process_time() - before < 3
    assert encoded.tree.n_leaves == 200_001

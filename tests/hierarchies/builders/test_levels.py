"""A tree given row by row: every value is found, and what is not there is told without being shown."""

from __future__ import annotations

import pytest

from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies import levels
from shoal.hierarchies.builders.levels import Levels
from shoal.hierarchies.encode import ValuesError, encode

JOBS = [["nurse", "health", "*"], ["doctor", "health", "*"], ["clerk", "office", "*"]]


def test_values_are_found_among_the_rows_in_any_order() -> None:
    made = encode("job", ["clerk", "nurse"], False, levels(JOBS))
    assert [made.tree.labels[code] for code in made.code_of] == ["clerk", "nurse"]
    assert "health" in made.tree.labels


def test_rows_for_values_that_do_not_occur_stay_in_the_tree() -> None:
    assert encode("job", ["clerk"], False, levels(JOBS)).tree.n_leaves == 3


@pytest.mark.parametrize(
    ("rows", "values", "advice"),
    [
        (JOBS, ["SECRET", "nurse"], "let 'shoal hierarchy complete' do it"),
        ([["39", "*"], ["40", "*"]], ["39.0"], "write both alike"),
        (JOBS, ["nurse "], "only in blanks"),
    ],
)
def test_a_value_that_is_not_there_is_counted_and_never_shown(
    rows: list[list[str]], values: list[str], advice: str
) -> None:
    with pytest.raises(ValuesError, match=advice) as told:
        encode("job", values, False, levels(rows))
    assert "SECRET" not in str(told.value)
    assert told.value.missing_values.tolist() == [0]


def test_a_row_with_an_empty_first_field_stands_for_missing_cells() -> None:
    made = encode("job", ["nurse"], True, levels([*JOBS, ["", "unknown", "*"]]))
    assert made.missing_code == 3
    assert made.tree.labels[3] is None
    assert made.tree.n_leaves == encode("job", ["nurse"], True, levels(JOBS)).tree.n_leaves == 4


def test_it_is_written_and_read_as_a_policy_writes_it() -> None:
    spec = levels(JOBS)
    assert Levels.from_toml(spec.to_toml()["levels"]) == spec
    assert spec.description == "2 levels over 3 values"
    with pytest.raises(PolicyError, match="a list of rows"):
        Levels.from_toml("nurse")


@pytest.mark.parametrize("rows", ["nurse", ["nurse", "clerk"], [["nurse", "health"]], [["a", "*"], ["a", "*"]], []])
def test_what_is_no_hierarchy_is_refused(rows: object) -> None:
    with pytest.raises(HierarchyError):
        levels(rows).build("x", ["a"], False)  # type: ignore[arg-type]

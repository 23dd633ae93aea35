"""Values added to a hierarchy where they belong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.hierarchies import dates, intervals, prefixes
from shoal.hierarchies.complete import Kind, complete, recognise
from shoal.hierarchies.rows import tree_from_rows

NUMBERS = st.sets(st.integers(-99, 99).map(str), min_size=2, max_size=20)
CODES = st.sets(st.text("0123", min_size=5, max_size=5), min_size=2, max_size=20)
DAYS = st.sets(st.dates().map(lambda d: d.isoformat()), min_size=2, max_size=20)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (intervals(5, 10, 20), NUMBERS),
        (intervals(0.5), NUMBERS),
        (prefixes(4, 2), CODES),
        (dates("month", "quarter", "year"), DAYS),
    ],
    ids=["intervals", "one width", "prefixes", "dates"],
)
@given(data=st.data())
def test_a_builder_is_recognised_and_new_values_are_placed_by_it(
    kind: Kind, values: st.SearchStrategy[set[str]], data: st.DataObject
) -> None:
    every = sorted(data.draw(values))
    known = sorted(data.draw(st.sets(st.sampled_from(every), min_size=1)))
    rows = kind.arrange("c", known).rows()
    assert recognise(rows) == kind
    lacking = [v for v in every if v not in known]
    done = complete(rows, lacking)
    assert done.recognised == kind.description
    assert sorted(done.rows) == sorted(kind.arrange("c", every).rows())
    assert sum(done.added_below.values()) == len(lacking)


def test_a_label_is_a_name_so_numbers_go_where_their_neighbours_are() -> None:
    rows = [[str(i), "40-44" if i <= 45 else "45-49", "old", "*"] for i in (41, 42, 45, 46, 50)]
    rows += [[str(i), "1-5", "young", "*"] for i in (1, 5)]
    done = complete(rows, ["44", "45.5", "3", "99", "unknown"])
    assert done.recognised is None
    added = {row[0]: row for row in done.rows[len(rows) :]}
    assert added["44"] == ["44", "40-44", "old", "*"]
    assert added["45.5"] == ["45.5", "45.5", "old", "*"]
    assert added["3"] == ["3", "1-5", "young", "*"]
    assert added["99"] == ["99", "99", "99", "*"]
    assert added["unknown"] == ["unknown"] * 3 + ["*"]
    assert done.added_below == {"40-44": 1, "old": 1, "1-5": 1, "*": 2}
    tree_from_rows(done.rows)


def test_other_values_go_below_the_root() -> None:
    rows = [["nurse", "health", "*"], ["clerk", "office", "*"]]
    done = complete(rows, ["doctor"])
    assert done.rows == [*rows, ["doctor", "doctor", "*"]]
    assert done.added_below == {"*": 1}


def test_a_word_among_numbers_is_no_reason_to_fail() -> None:
    rows = intervals(5, 10).arrange("age", ["1", "2", "17"]).rows()
    done = complete(rows, ["unknown"])
    assert done.rows[-1] == ["unknown", "unknown", "unknown", "*"]


@pytest.mark.parametrize(
    "rows", [[["a", "*"]], [["1", "1-5", "*"]], [["20", "[20, 30)", "[15, 40)", "*"]], [["a", "b", "c", "*"]]]
)
def test_rows_of_no_builder_are_not_recognised(rows: list[list[str]]) -> None:
    assert recognise(rows) is None

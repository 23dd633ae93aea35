"""The columns of a session: what a cell may hold, and what is refused in the file."""

from __future__ import annotations

from typing import Any

import pytest

from shoal.errors import PolicyError
from shoal.protocol.schema import make_column

JOBS = [["nurse", "health", "*"], ["doctor", "health", "*"], ["clerk", "office", "*"]]


def column(**more: Any):
    return make_column({"name": "job", "role": "quasi-identifier", **more})


def test_a_value_climbs_its_hierarchy_to_the_star() -> None:
    made = column(hierarchy=JOBS)
    assert made.height == 2
    assert [made.label("nurse", level) for level in range(3)] == ["nurse", "health", "*"]


@pytest.mark.parametrize("given", [{"values": ["7", "8"]}, {"numbers": [7, 8]}, {}])
def test_without_a_hierarchy_a_value_is_itself_or_a_star(given: dict[str, Any]) -> None:
    made = column(**given)
    assert (made.height, made.label("7", 0), made.label("7", 1)) == (1, "7", "*")


def test_a_value_outside_the_schema_is_refused_and_not_repeated() -> None:
    for made in (column(hierarchy=JOBS), column(values=["a"]), column(numbers=[1, 9])):
        with pytest.raises(PolicyError, match="outside the session's schema") as told:
            made.check("SECRET")
        assert "SECRET" not in str(told.value)


def test_a_text_longer_than_allowed_is_refused_by_its_bytes() -> None:
    made = column(length=4)
    made.check("abcd")
    with pytest.raises(PolicyError, match="longer than the 4 bytes"):
        made.check("äöü")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"hierarchy": 5}, "rows of one length"),
        ({"hierarchy": [5]}, "rows of one length"),
        ({"hierarchy": []}, "rows of one length"),
        ({"hierarchy": [["a", "*"], ["b", "x", "*"]]}, "rows of one length"),
        ({"hierarchy": [["a", "b"]]}, "the last field"),
        ({"hierarchy": [["a", "x", "*"], ["a", "y", "*"]]}, "hierarchy of column 'job'"),
        ({"numbers": 5}, "two whole numbers"),
        ({"numbers": [1]}, "two whole numbers"),
        ({"numbers": [2, 1]}, "the lower first"),
        ({"numbers": [True, 2]}, "two whole numbers"),
        ({"values": 5}, "no list"),
        ({"values": "abc"}, "no list"),
        ({"values": []}, "is empty"),
        ({"values": ["a", "a"]}, "a value twice"),
        ({"length": 0}, "between 1 and 4096"),
        ({"role": "identifier"}, "needs a role"),
        ({"name": ""}, "no name"),
        ({"valeus": ["a"]}, "no setting called 'valeus'"),
    ],
)
def test_what_is_wrong_in_the_file_is_said(given: dict[str, Any], says: str) -> None:
    """Some of these ended with a traceback, and a misspelt 'values' let a column hold any text."""
    with pytest.raises(PolicyError, match=says):
        column(**given)


def test_a_column_that_is_no_table_is_refused() -> None:
    with pytest.raises(PolicyError, match="is a table"):
        make_column(5)  # type: ignore[arg-type]

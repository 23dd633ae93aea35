"""A form is read back into labels: different cells into different labels, and nothing is guessed."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.judge.forms import read_back

ENDS = st.tuples(st.none() | st.integers(-50, 50), st.none() | st.integers(-50, 50))


def test_bounds_are_intervals_values_and_stars() -> None:
    shown = pl.DataFrame({"age_from": [20, 31, None, None, 5], "age_to": [30, 31, None, 9, None], "n": [1, 2, 3, 4, 5]})
    frame, _ = read_back(shown, ["age"], "bounds")
    assert frame.columns == ["age", "n"]
    assert frame["age"].to_list() == ["[20, 30]", "31", "*", "[-inf, 9]", "[5, inf]"]


def test_days_and_lists() -> None:
    shown = pl.DataFrame({"d_from": [date(2024, 5, 1)], "d_to": [date(2024, 5, 31)], "job": [["cook", "x, y"]]})
    frame, _ = read_back(shown, ["d", "job"], "bounds")
    assert frame["d"].to_list() == ["[2024-05-01, 2024-05-31]"]
    assert frame["job"].to_list() == ['{cook, "x, y"}']
    assert read_back(pl.DataFrame({"job": ['["cook", "x, y"]', None, '["a"]']}), ["job"], "bounds")[0]["job"].to_list() == [
        '{cook, "x, y"}',
        "*",
        "a",
    ]


def test_typed_is_the_label_where_there_is_one() -> None:
    shown = pl.DataFrame({"age": [24, 31, None], "age_shown": ["[20, 30)", None, None]})
    assert read_back(shown, ["age"], "typed")[0]["age"].to_list() == ["[20, 30)", "31", None]


@given(st.lists(ENDS, min_size=1, max_size=12))
def test_different_bounds_are_different_labels(pairs: list[tuple[int | None, int | None]]) -> None:
    shown = pl.DataFrame({"x_from": [a for a, _ in pairs], "x_to": [b for _, b in pairs]}, schema={"x_from": pl.Int64, "x_to": pl.Int64})
    assert read_back(shown, ["x"], "bounds")[0]["x"].n_unique() == len(set(pairs))


@given(st.lists(st.lists(st.text(st.sampled_from('ab,"\\ {}'), max_size=3), min_size=1, max_size=3), min_size=1, max_size=8))
def test_lists_that_differ_are_told_apart(lists: list[list[str]]) -> None:
    """A list with a comma in a member, or with a member twice, is another cell."""
    shown = pl.DataFrame({"x": pl.Series(lists, dtype=pl.List(pl.String))})
    assert read_back(shown, ["x"], "bounds")[1][0].n_unique() == len({tuple(one) for one in lists})


@pytest.mark.parametrize("cell", ["not json", "3", "[]", "[1]", '{"a": 1}'])
def test_a_cell_that_is_no_list_is_refused_without_being_shown(cell: str) -> None:
    with pytest.raises(shoal.DataError) as said:
        read_back(pl.DataFrame({"x": [cell]}), ["x"], "bounds")
    assert cell not in str(said.value)


def test_a_table_in_another_form_is_refused() -> None:
    with pytest.raises(shoal.DataError, match="not in the form 'typed'"):
        read_back(pl.DataFrame({"x": ["a"]}), ["x"], "typed")
    with pytest.raises(shoal.PolicyError, match="no form"):
        read_back(pl.DataFrame({"x": ["a"]}), ["x"], "wide")

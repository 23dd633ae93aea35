"""What is published for a cluster: a row of it, or a median or mode where that is narrower."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from shoal.clustering.centres import combined, number_of, show
from shoal.clustering.points import Found
from shoal.text.dates import FORMS, write_date
from tests.clustering.small import placed


def one_cluster(frame: dict[str, list[object]], anywhere: bool, metric: object = None):
    made = placed(frame, metric)
    n = made.points.n_rows
    return made, show(made, Found(np.zeros(n, dtype=np.int32), made.points.of_row[:1]), anywhere)


def test_a_centre_among_the_rows_is_a_row() -> None:
    _, shown = one_cluster({"age": [20, 30, 22], "sex": ["f", "m", "m"]}, False, {"age": {"unit": 1}})
    assert shown.values == [["20"], ["f"]]
    assert shown.is_row.tolist() == [True]
    assert shown.radius.tolist() == [11.0]


def test_a_centre_anywhere_is_the_middle_of_numbers_and_the_most_frequent_category() -> None:
    _, shown = one_cluster({"age": [20, 30, 22], "sex": ["f", "m", "m"]}, True, {"age": {"unit": 1}})
    assert shown.values == [["25"], ["m"]]
    assert shown.is_row.tolist() == [False]
    assert shown.radius.tolist() == [6.0]


def test_a_row_is_shown_where_no_other_centre_is_narrower() -> None:
    _, shown = one_cluster({"age": [25, 20, 30]}, True, {"age": {"unit": 1}})
    assert shown.values == [["25"]]
    assert shown.is_row.tolist() == [True]


# eight digits are a number, unless they are said to be a date
@pytest.mark.parametrize("form", [form for form in FORMS if form != "YYYYMMDD"])
def test_dates_are_written_as_the_column_writes_them(form: str) -> None:
    """Some of the forms in which dates are read could not be written, and the clustering stopped with a KeyError."""
    first, last = (date(2000, month, day).toordinal() for month, day in ((1, 14), (5, 26)))
    texts: list[object] = [write_date(first, form), write_date(last, form)]
    made, shown = one_cluster({"born": texts}, True, {"born": {"unit": 1}})
    assert made.columns[0].form == form
    assert shown.is_row.tolist() == [False]
    middle = number_of(made.columns[0], str(shown.values[0][0]))
    assert number_of(made.columns[0], str(texts[0])) < middle < number_of(made.columns[0], str(texts[1]))
    assert 60 <= shown.radius[0] < 100


def test_a_cell_is_missing_where_most_rows_miss_it() -> None:
    _, shown = one_cluster({"age": [20, None, None], "x": [0, 1, 1]}, True, {"age": {"unit": 1}, "x": {"unit": 1}})
    assert shown.values[0] == [None]


@pytest.mark.parametrize(("combine", "expected"), [("sum", 7.0), ("euclid", 5.0), ("largest", 4.0)])
def test_distances_of_columns_are_put_together_as_asked(combine: str, expected: float) -> None:
    assert combined([np.array([3.0]), np.array([4.0])], combine).tolist() == [expected]

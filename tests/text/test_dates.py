"""Dates as people write them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.text.dates import FORMS, MONTHS, date_forms, parse_dates, write_date

WRITTEN = {
    "YYYY-MM-DD": "{d.year:04d}-{d.month:02d}-{d.day:02d}",
    "YYYY/MM/DD": "{d.year:04d}/{d.month:02d}/{d.day:02d}",
    "DD.MM.YYYY": "{d.day:02d}.{d.month:02d}.{d.year:04d}",
    "DD/MM/YYYY": "{d.day:02d}/{d.month:02d}/{d.year:04d}",
    "MM/DD/YYYY": "{d.month:02d}/{d.day:02d}/{d.year:04d}",
    "DD-MM-YYYY": "{d.day:02d}-{d.month:02d}-{d.year:04d}",
    "MM-DD-YYYY": "{d.month:02d}-{d.day:02d}-{d.year:04d}",
    "D Mon YYYY": "{d.day} {month} {d.year:04d}",
    "Mon D, YYYY": "{month} {d.day}, {d.year:04d}",
    "YYYY-Mon-DD": "{d.year:04d}-{month}-{d.day:02d}",
    "YYYYMMDD": "{d.year:04d}{d.month:02d}{d.day:02d}",
}


@pytest.mark.parametrize("form", list(WRITTEN))
@given(day=st.dates())
def test_a_date_reads_back(form: str, day: date) -> None:
    found, wrong = parse_dates([WRITTEN[form].format(d=day, month=MONTHS[day.month - 1].title())], form)
    assert (found.tolist(), wrong.tolist()) == ([day.toordinal()], [])


def test_every_form_is_tested() -> None:
    short = {"DD.MM.YY", "DD/MM/YY", "MM/DD/YY", "D Mon YY"}
    assert set(WRITTEN) | short | {"YYYY-MM", "MM/YYYY", "Mon YYYY"} == set(FORMS)


@pytest.mark.parametrize("text", ["2024-02-30", "2024-13-01", "0000-01-01", "2024-2-3", "2024-02-03x", "24-02-03", ""])
def test_texts_that_are_no_dates_stay_texts(text: str) -> None:
    assert parse_dates([text], "YYYY-MM-DD")[1].tolist() == [0]


@pytest.mark.parametrize("text", ["2024-02-03 12:30", "2024-02-03T12:30:59.123Z", "2024-02-03 12:30:00+01:00"])
def test_a_time_of_day_may_follow(text: str) -> None:
    assert parse_dates([text], "YYYY-MM-DD")[0].tolist() == [date(2024, 2, 3).toordinal()]


def test_forms_are_ranked_by_how_many_dates_do_not_fit() -> None:
    assert date_forms(["2024-03-01", "2024-03-02", "01.03.2024"]) == {"YYYY-MM-DD": 1, "DD.MM.YYYY": 2}
    assert date_forms(["13/01/2024", "14/01/2024"]) == {"DD/MM/YYYY": 0}
    assert date_forms(["blue", "green"]) == {}


@pytest.mark.parametrize("form", FORMS)
@given(day=st.dates(date(1930, 1, 1), date(2029, 12, 31)))
def test_a_date_is_written_in_every_form_in_which_it_is_read(form: str, day: date) -> None:
    """To the month in forms that name no day."""
    read, wrong = parse_dates([write_date(day.toordinal(), form)], form)
    assert len(wrong) == 0
    assert read.tolist() == [(day if "D" in form else day.replace(day=1)).toordinal()]

"""Dates in released cells: which days and moments a text names."""

from datetime import date, datetime

import pytest

from shoal.text.calendar import calendars_of, part_of
from shoal.text.dates import DAY


def day(text: str) -> float:
    return float(date.fromisoformat(text).toordinal() * DAY)


@pytest.mark.parametrize(
    ("shown", "first", "after"),
    [
        ("2024", "2024-01-01", "2025-01-01"),
        ("2020s", "2020-01-01", "2030-01-01"),
        ("2024-02", "2024-02-01", "2024-03-01"),
        ("2023-02", "2023-02-01", "2023-03-01"),
        ("2024-Q4", "2024-10-01", "2025-01-01"),
        ("2020-W53", "2020-12-28", "2021-01-04"),
        ("2024-05-31", "2024-05-31", "2024-06-01"),
    ],
)
def test_a_unit_of_the_calendar_lasts_to_the_beginning_of_the_next(shown, first, after):
    assert part_of(shown) == (day(first), True, day(after), False)


def test_hours_and_minutes_last_until_the_next():
    noon = datetime(2024, 5, 31, 12)
    begin = day("2024-05-31") + noon.hour * 3600
    assert part_of("2024-05-31T12") == (begin, True, begin + 3600, False)
    assert part_of("2024-05-31T12:30") == (begin + 1800, True, begin + 1860, False)


@pytest.mark.parametrize("shown", ["2023-02-29", "2024-13", "2021-W53", "0000", "2024-5", "24", "2024-Q5", "٢٠٢٤"])
def test_what_no_calendar_has_is_no_date(shown):
    assert part_of(shown) is None


def test_an_interval_in_the_form_of_the_column():
    """The column writes days before months, and so do its labels."""
    [found] = calendars_of(["31.12.2023", "01.02.2024"])
    assert found.ends_of("[01.02.2024, 03.02.2024)") == (day("2024-02-01"), True, day("2024-02-03"), False)
    assert found.ends_of("01.02.2024 - 03.02.2024") == (day("2024-02-01"), True, day("2024-02-04"), False)
    assert found.ends_of("(01.02.2024, 03.02.2024]") == (day("2024-02-02"), True, day("2024-02-04"), False)
    assert found.ends_of("some day") is None


def test_a_column_that_could_be_read_in_two_ways_has_both():
    """01/02 is a day in January or in February; a label is true if one way of reading all of the column makes it so."""
    assert len(calendars_of(["01/02/2024", "03/04/2024"])) == 2
    assert len(calendars_of(["01/02/2024", "13/04/2024"])) == 1
    assert calendars_of(["flu", "2024-01-01"]) == []
    assert calendars_of([None]) == []

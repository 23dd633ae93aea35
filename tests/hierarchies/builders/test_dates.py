"""Dates by calendar units."""

from __future__ import annotations

import pytest

from shoal.errors import HierarchyError
from shoal.hierarchies import dates
from shoal.hierarchies.encode import encode


def test_dates_are_grouped_by_month_and_year() -> None:
    encoded = encode("d", ["2023-12-31", "2024-03-01", "2024-03-31", "2024-04-01"], True, dates("month", "year"))
    assert encoded.tree.labels == ("2023-12-31", "2024-03-01", "2024-03-31", "2024-04-01", None, "2024-03", "2024", "*")
    assert encoded.tree.level.tolist() == [0, 0, 0, 0, 0, 1, 2, 3]


def test_leaves_are_in_the_order_of_time() -> None:
    encoded = encode("d", ["01.04.2024", "02.03.2024", "31.12.2023"], False, dates())
    assert encoded.tree.labels[:3] == ("31.12.2023", "02.03.2024", "01.04.2024")
    assert encoded.code_of.tolist() == [2, 1, 0]


def test_every_unit_has_its_label() -> None:
    rows = dates("day", "month", "quarter", "year", "decade").arrange("d", ["2024-05-06 10:00"]).rows()
    assert rows == [["2024-05-06 10:00", "2024-05-06", "2024-05", "2024-Q2", "2024", "2020s", "*"]]
    assert dates("week").arrange("d", ["2024-12-30"]).rows()[0][1] == "2025-W01"


def test_two_forms_are_counted_and_not_shown() -> None:
    with pytest.raises(HierarchyError) as caught:
        encode("d", ["01.03.2024", "2024-03-01", "2024-03-02"], False, dates())
    assert "1 of 3 values cannot be read as dates in the form YYYY-MM-DD of the rest" in str(caught.value)
    assert "01.03" not in str(caught.value)
    assert caught.value.missing_values.tolist() == [0]


def test_day_or_month_first_must_be_said() -> None:
    with pytest.raises(
        HierarchyError, match=r'read as DD/MM/YYYY and as MM/DD/YYYY. Say which: dates\(…, form="DD/MM/YYYY"\)'
    ):
        encode("d", ["01/02/2024", "03/04/2024"], False, dates())
    encoded = encode("d", ["01/02/2024", "03/04/2024"], False, dates("month", form="MM/DD/YYYY"))
    assert encoded.spec.arrange("d", ["01/02/2024"]).rows() == [["01/02/2024", "2024-01", "*"]]


def test_one_date_beyond_the_twelfth_tells() -> None:
    assert encode("d", ["01/02/2024", "13/02/2024"], False, dates()).tree.labels[-1] == "2024-02"


def test_weeks_and_months_cross() -> None:
    with pytest.raises(HierarchyError, match="A week may lie in two months"):
        dates("week", "month")


@pytest.mark.parametrize("asked", [("fortnight",), ("month", "month")])
def test_units_that_are_none_are_refused(asked: tuple[str, ...]) -> None:
    with pytest.raises(HierarchyError, match="unit"):
        dates(*asked)


def test_a_form_that_is_none_is_refused() -> None:
    with pytest.raises(HierarchyError, match="no form of dates called 'D/M/Y'"):
        dates("month", form="D/M/Y")

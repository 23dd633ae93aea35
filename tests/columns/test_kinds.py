"""What a column holds is read from its name and its values."""

from __future__ import annotations

import random

import polars as pl
import pytest

from shoal.columns.kinds import understand
from shoal.table.coded import code
from tests.columns.looked import look
from tests.columns.people import PEOPLE


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("age", range(18, 90), "number"),
        ("height", ["1.52", "1.7", "1.99"], "number"),
        ("amount", ["1.200,50", "3,5", "12"], "number"),
        ("amount", ["$1,200.50", "$3", "$45,000"], "number"),
        ("share", ["12%", "3.5%", "99%"], "number"),
        ("smokes", ["0", "1"], "boolean"),
        ("married", ["Yes", "No"], "boolean"),
        ("precinct", range(1, 6), "code"),
        ("stage", range(5), "ordered"),
        ("year", range(1990, 2010), "year"),
        ("hours", ["0.5", "1.0"], "code"),
        ("found", range(-1, 2), "code"),
        ("view", range(-2, 3), "ordered"),
        ("x", ["2016/01/01 00:47:36", "2016/03/01 10:47:36", "2017/03/01 10:47:36"], "timestamp"),
        ("x", ["01.01.2016", "31.12.2016"], "date"),
        ("x", ["8/16/20 18:57", "9/30/20 01:00", "10/1/20 11:11"], "timestamp"),
        ("x", ["1 Jan 2016", "15 Feb 2017"], "date"),
        ("issued", ["Jan-2010", "Feb-2011"], "date"),
        ("seen", ["07:05", "19:30", "23:59"], "time"),
        ("latitude", ["51.501", "51.612", "51.700"], "latitude"),
        ("lon", ["-0.12", "-0.07", "0.03"], "longitude"),
        ("long", ["tall", "short", "middling", "tall and thin"], "category"),
        ("postcode", ["81241", "81243", "90001"], "postal code"),
        ("post code", ["SW1A 1AA", "SW1A 2AA", "N1 9GU"], "postal code"),
        ("icd", ["C50.1", "C50.2", "I10.0"], "code"),
        ("job", ["nurse", "clerk", "cook"], "category"),
        ("age group", ["<18", "18-24", "25-34", "35-64", "65+"], "ordered"),
        ("satisfaction", ["low", "medium", "high"], "ordered"),
        ("size", ["1. small", "2. medium", "3. large"], "ordered"),
        ("race", ["1. White", "2. Black", "3. Asian"], "category"),
        ("same", ["here"], "constant"),
        ("first_name", PEOPLE, "name"),
        ("victim", PEOPLE, "name"),
    ],
)
def test_the_kind_of_a_column_is_found_out(name: str, values: list[object], kind: str) -> None:
    """Numbers, dates, codes and ordered categories as people write them."""
    assert look(name, list(values)).kind == kind


def test_what_tells_each_row_apart_is_an_identifier() -> None:
    drawn = random.Random(0).sample(range(100_000), 2000)
    assert look("x", drawn, 1).kind == "identifier"
    assert look("id", list(range(500)), 1).kind == "identifier"
    assert look("x", list(range(1, 501)), 1).kind == "identifier"
    assert look("patient", [f"GT{i}" for i in range(1000, 1200)], 1).kind == "identifier"
    assert look("income", [1.5 * i for i in range(500)], 1).kind == "number"
    assert look("age", list(range(18, 60)), 1).kind == "number"


def test_nine_values_are_no_identifier() -> None:
    """A column called id of which each value occurs in many rows tells nobody apart."""
    assert look("test_id", ["covid", "xcvd1"], 100).kind == "category"
    assert look("group id", list(range(9)), 100).kind != "identifier"


def test_long_texts_that_differ_are_free_text() -> None:
    texts = [f"seen at number {i} in the morning by the neighbour" for i in range(100)]
    assert look("notes", texts, 1).kind == "text"


def test_a_day_or_a_month_first_is_asked() -> None:
    """03/04/2016 is not silently day first."""
    found = look("d", ["03/04/2016", "05/06/2017"])
    assert (found.kind, found.form) == ("date", None)
    assert "DD/MM/YYYY or MM/DD/YYYY" in str(found.question)
    assert look("d", ["03/04/2016", "25/06/2017"]).form == "DD/MM/YYYY"


def test_a_comma_that_may_be_either_is_asked() -> None:
    found = look("x", ["1,234", "5,678"])
    assert (found.kind, found.question) == ("number", "Are its numbers written like 1,234.5 or as 1.234,5?")
    assert look("x", ["1,234", "5,678", "12"]).question is None


def test_no_evidence_shows_a_value() -> None:
    values = ["ZebraMarker77", *PEOPLE]
    for name in ("x", "name", "id", "zip"):
        assert "ZebraMarker77" not in str(look(name, values)).replace("order=", "")


def test_a_million_rows_take_little() -> None:
    """Only distinct values are looked at, in whole columns at a time."""
    import time

    column = code(pl.Series("x", [f"{i % 250_000 / 7:.3f}" for i in range(1_000_000)]))
    start = time.process_time()
    assert understand(column).kind == "number"
    assert time.process_time() - start < 5


@pytest.mark.parametrize(("name", "kind"), [("Breite (lat)", "latitude"), ("lon", "longitude"), ("amount", "number")])
def test_degrees_with_decimal_commas_are_places_too(name, kind):
    assert look(name, [f"48,{10000 + i}" for i in range(40)]).kind == kind


def test_dates_in_several_forms_are_asked_about_and_not_taken_for_free_text():
    days = [form for i in range(1, 29) for form in (f"2019-03-{i:02}", f"{i}/03/2019", f"Mar {i}, 2019")]
    found = look("seen", days, times=1)
    assert found.question is not None
    assert "several ways" in found.question
    assert look("seen", [f"x{i} or y" for i in range(60)], times=1).question is None


def test_dates_of_which_a_few_are_impossible_are_asked_about_and_not_taken_for_codes():
    days = [f"{i:02}.{month:02}.2024" for month in (1, 3, 5, 7) for i in range(1, 29)]
    found = look("Aufnahme", [*days, "31.02.2024", "00.00.0000", "45.13.2024"], times=1)
    assert found.evidence == ("its values are dates written DD.MM.YYYY, but for 3",)
    assert found.question is not None
    assert found.question.startswith("3 of its 115 values are not dates like the rest")
    assert look("Aufnahme", days, times=1).question is None
    assert look("Aufnahme", [*days, *(f"A{i:02}.12.2024" for i in range(60))], times=1).question is None, (
        "a third of them: no column of dates"
    )

"""From what a user wrote to a spec."""

from __future__ import annotations

from pathlib import Path

import pytest

import shoal.hierarchies
from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies import as_spec, dates, default_spec, from_file, intervals, laminar, levels, prefixes, spec_from_toml, suppression


@pytest.mark.parametrize(
    ("written", "spec"),
    [
        ({"intervals": [5, 10, 20]}, intervals(5, 10, 20)),
        ({"prefixes": [4, 3, 1]}, prefixes(4, 3, 1)),
        ({"prefixes": True}, prefixes()),
        ({"dates": ["month", "year"]}, dates("month", "year")),
        ({"dates": ["year"], "form": "DD/MM/YYYY"}, dates("year", form="DD/MM/YYYY")),
        ({"suppression": True}, suppression()),
        ({"levels": [["a", "*"], ["b", "*"]]}, levels([["a", "*"], ["b", "*"]])),
        ({"laminar": [["a", "b"]]}, laminar([{"a", "b"}])),
        ("job.csv", from_file(Path("folder") / "job.csv")),
        ({"file": "job.csv"}, from_file(Path("folder") / "job.csv")),
    ],
)
def test_policies(written: object, spec: object) -> None:
    assert spec_from_toml(written, "folder") == spec


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (5, "A hierarchy is a file"),
        ({}, "A hierarchy is a file"),
        ({"interval": [5]}, "must name exactly one kind, not 'interval'. There are: suppression, intervals"),
        ({"intervals": [5], "prefixes": [1]}, "not 'intervals' and 'prefixes'"),
    ],
)
def test_bad_policies(written: object, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        spec_from_toml(written)


def test_a_path_or_rows_may_stand_for_levels() -> None:
    assert as_spec("job.csv") == as_spec(Path("job.csv")) == from_file("job.csv")
    assert as_spec([["a", "*"]]) == levels([["a", "*"]])
    assert as_spec(suppression()) == suppression()
    for wrong in (5, None, intervals, dict):
        with pytest.raises(HierarchyError, match="A hierarchy is a path"):
            as_spec(wrong)


@pytest.mark.parametrize(
    ("column", "values", "description"),
    [
        ("age", [str(i) for i in range(17, 91)], "intervals of 5, 10, 20"),
        ("income", ["100", "2500", "90000"], "intervals of 5000, 10000, 20000, 40000"),
        ("height", ["1.52", "1.7", "1.99"], "intervals of 0.05, 0.1, 0.2"),
        ("admitted", ["2024-01-01", "2024-02-03", "2024-02-04", "2024-05-01", "2025-05-01"], "dates by month, quarter, year"),
        (
            "seen",
            ["2024-01-01 10:00", "2024-01-01 10:30", "2024-02-03 11:30", "2024-02-03 14:30", "2024-02-04 14:30"],
            "dates by hour, day, week",
        ),
        ("born", ["03/04/1990", "05/06/1991", "01/02/1991"], "dates by year"),
        ("zip", ["81241", "81243", "90001"], "prefixes of 4"),
        ("postcode", ["8124", "8131"], "prefixes of 2"),
        ("place", ["01067", "01069", "99999"], "prefixes of 4"),
        ("icd", ["C50.1", "C50.2", "I10.0"], "prefixes of 4"),
        ("post code", ["SW1A 1AA", "SW1A 2AA", "N1 9GU"], "3 levels over 3 values"),
        ("post code", ["K1A 0B1", "K1A 0B2", "M5V 3L9"], "prefixes of 6"),
        ("job", ["nurse", "clerk", "nurse 2"], "suppression"),
        ("education", ["11th", "12th", "Bachelors"], "suppression"),
        ("code", ["1-2", "blue", "3"], "suppression"),
        ("nothing", [], "suppression"),
        ("huge", ["1", "1e300"], "suppression"),
        ("wage", [str(10 + 3 * i) for i in range(40)] + ["40000", "90000"], "a grid of 1, 2, 5 times powers of ten"),
        ("precinct", ["1", "2", "3", "4", "5"], "suppression"),
        ("smokes", ["0", "1"], "suppression"),
        ("age group", ["18-24", "25-34", "35-64", "65+", "<18"], "neighbours among 5 ordered values"),
        ("amount", ["$1,200", "$3", "$45,000.50"], "intervals of 5000, 10000, 20000"),
        ("price", ["1,5", "12,25", "7,5"], "intervals of 0.5, 1, 2, 4"),
        ("unclear", ["1,234", "5,678"], "suppression"),
        ("lat", ["51.51", "51.62", "51.53"], "intervals of 0.01"),
        ("called at", ["07:05", "07:45", "19:30"], "times by hour, quarter and half of the day"),
    ],
)
def test_defaults(column: str, values: list[str], description: str) -> None:
    assert default_spec(column, sorted(values)).description == description


def test_the_room_names_what_it_offers() -> None:
    assert set(shoal.hierarchies.__all__) <= set(dir(shoal.hierarchies))
    assert all(callable(getattr(shoal.hierarchies, name)) for name in shoal.hierarchies.__all__)
    with pytest.raises(AttributeError):
        _ = shoal.hierarchies.no_such_name

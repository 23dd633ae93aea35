"""From what a user wrote to a spec."""

from __future__ import annotations

from pathlib import Path

import pytest

import shoal.hierarchies
from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies import (
    as_spec,
    dates,
    from_file,
    intervals,
    laminar,
    levels,
    prefixes,
    spec_from_toml,
    suppression,
)


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
def test_what_a_policy_says_is_understood(written: object, spec: object) -> None:
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
def test_what_a_policy_says_wrongly_is_named(written: object, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        spec_from_toml(written)


def test_a_path_or_rows_may_stand_for_levels() -> None:
    assert as_spec("job.csv") == as_spec(Path("job.csv")) == from_file("job.csv")
    assert as_spec([["a", "*"]]) == levels([["a", "*"]])
    assert as_spec(suppression()) == suppression()
    for wrong in (5, None, intervals, dict):
        with pytest.raises(HierarchyError, match="A hierarchy is a path"):
            as_spec(wrong)


def test_the_room_names_what_it_offers() -> None:
    assert set(shoal.hierarchies.__all__) <= set(dir(shoal.hierarchies))
    assert all(callable(getattr(shoal.hierarchies, name)) for name in shoal.hierarchies.__all__)
    with pytest.raises(AttributeError):
        _ = shoal.hierarchies.no_such_name

"""Two releases side by side."""

from __future__ import annotations

import pytest

import shoal
from tests.report.conftest import people
from tests.report.test_page import read


@pytest.fixture(scope="module")
def other() -> shoal.Release:
    return shoal.anonymize(
        people(),
        k=8,
        quasi_identifiers=["age", "height", "job", "zip"],
        sensitive=["ill", "income"],
        algorithm="mondrian",
    )


def test_every_figure_is_that_of_its_release(release, other):
    found = release.compare(other)
    rows = {name: (a, b) for name, a, b in found.rows()}
    assert rows["rows released"] == (f"{release.frame.height:,}", f"{other.frame.height:,}")
    assert rows["smallest group"] == (str(release.record["smallest_group"]), str(other.record["smallest_group"]))
    assert rows["highest chance of picking somebody's row"] == ("25 %", "12.5 %")
    assert set(found.figures(found.first)) == set(found.figures(found.second))
    assert "k = 4" in repr(found)
    assert "k = 8" in repr(found)


def test_warnings_come_first_and_only_those_that_tell_the_two_apart(release, other):
    same = release.compare(release)
    assert same.warnings() == []
    assert same.titles()[0] != same.titles()[1]
    text = release.compare(other)._repr_html_()
    read(text)
    assert text.index("Only in k = 4") < text.index("The two releases in figures")


def test_releases_of_two_tables_are_not_set_side_by_side_silently(release):
    another = shoal.anonymize(people(seed=8), k=4, quasi_identifiers=["age"], algorithm="mondrian", identifiers=["zip"])
    found = release.compare(another)
    assert found.warnings()[0].startswith("These are releases of two different tables")
    assert next(row for row in found._exact() if row[0] == "zip")[2] is None, "a column that one of them does not have"


def test_only_a_release_can_be_compared(release):
    with pytest.raises(TypeError, match="another release"):
        release.compare(release.frame)

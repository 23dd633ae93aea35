"""Names of levels, from labels that anybody can read."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.report.levels import kinds_used, levels_used, named_levels


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (["[20, 25)", "[20, 30)", "[30, 40)"], ["intervals of 5", "intervals of 10"]),
        (
            ["2016-03-02", "2016-03", "2016-Q2", "2016", "2010s", "2016-W07"],
            ["days", "weeks", "months", "quarters", "years", "decades"],
        ),
        (["392**", "39***", "3920*"], ["the first 4 characters", "the first 3 characters", "the first 2 characters"]),
        (["{a, b}", "{a, b, c}"], ["sets of 2", "sets of 3"]),
        (["north", "south"], ["groups: north, south"]),
        (["a", "b", "c", "d", "e"], ["groups: a, b, c and 2 more"]),
        (["50+"], ["intervals with an open end"]),
        (["0.5-1.5"], ["intervals of 1"]),
    ],
)
def test_a_level_has_a_name(labels: list[str], names: list[str]):
    """Levels were called 'level 3'."""
    assert [name for name, _ in named_levels(dict.fromkeys(labels, 1), {})] == names


def test_names_of_a_hierarchy_are_told_apart_by_its_levels():
    found = named_levels({"care": 5, "food": 9, "work": 3}, {"care": 1, "food": 1, "work": 2})
    assert found == [("groups: food, care", 14), ("groups: work", 3)]


def test_many_widths_share_a_few_names():
    found = named_levels({f"[0, {w})": 10 for w in range(2, 42)}, {})
    assert [rows for _, rows in found] == [100] * 4
    assert found[0][0] == "intervals of 2 to 11"
    assert found[-1][0] == "intervals of 32 to 41"


def test_shares_add_up_and_go_from_exact_to_hidden(release):
    for j, column in enumerate(release.problem.columns):
        found = levels_used(release, j)
        assert sum(level["share"] for level in found) == pytest.approx(1)
        assert [found[0]["name"], found[-1]["name"]] == ["exact", "hidden"]
        hidden = (release.frame[column.name].cast(pl.String) == "*").sum() / release.frame.height
        assert found[-1]["share"] == pytest.approx(hidden)


def test_a_label_that_is_also_a_value_counts_as_the_value():
    """Nothing tells whether 'Other' is the value or the group around it."""
    rows = [["Other", "Other", "*"], ["cook", "Other", "*"], ["nurse", "care", "*"], ["medic", "care", "*"]]
    frame = pl.DataFrame({"job": ["Other", "cook", "cook", "nurse", "nurse", "medic"]})
    found = shoal.anonymize(frame, k=3, quasi_identifiers=["job"], hierarchies={"job": rows})
    shares = {level["name"]: level["share"] for level in levels_used(found, 0)}
    assert shares == {"exact": 0.5, "groups: care": 0.5, "hidden": 0.0}


def test_the_kinds_of_a_columns_cells_add_up_and_a_column_that_is_hidden_everywhere_is_called_so():
    """The summary said '100 % generalized' of a column of stars, and '83 % exact' of one of decades."""
    table = pl.DataFrame(
        {
            "born": [f"{year}-05-0{day}" for year in (1981, 1982, 1991, 1992) for day in (1, 2, 3)],
            "code": [f"x{i}" for i in range(12)],
        }
    )
    asked = {"hierarchies": {"code": shoal.suppression(), "born": shoal.dates("decade")}}
    made = shoal.anonymize(table, k=6, quasi_identifiers=["born", "code"], **asked)
    assert kinds_used(made.solution, 0) == (0.0, 1.0, 0.0)
    assert kinds_used(made.solution, 1) == (0.0, 0.0, 1.0)

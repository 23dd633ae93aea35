"""From a solution back to a table: what was not generalized stays as it came."""

import polars as pl
import pytest

import shoal

TABLE = pl.DataFrame(
    {
        "name": ["A", "B", "C", "D"],
        "age": [20, 21, 40, None],
        "pay": [1.5, None, -0.0, 2.0],
        "seen": pl.Series([["x"], [], None, ["y"]], dtype=pl.List(pl.String)),
        "job": ["cook", "cook", "nurse", "medic"],
    }
)


def test_rows_columns_and_types_stay_and_identifiers_go():
    release = shoal.anonymize(TABLE, k=2, quasi_identifiers=["age", "job"], identifiers=["name"])
    assert release.frame.columns == ["age", "pay", "seen", "job"]
    assert release.frame.select("pay", "seen").equals(TABLE.select("pay", "seen"))
    assert release.frame.schema["age"] == pl.String


def test_withheld_rows_are_left_out_and_the_others_keep_their_order():
    table = pl.DataFrame({"q": ["a", "b", "a", "c", "c"], "n": [1, 2, 3, 4, 5]})
    release = shoal.anonymize(table, k=2, quasi_identifiers=["q"], withhold=0.2)
    assert release.frame.rows() == [("a", 1), ("a", 3), ("c", 4), ("c", 5)]


@pytest.mark.parametrize(
    ("hierarchy", "shown"),
    [
        (shoal.any_interval(), ["[20, 21]", "[20, 21]", "[40, 47]", "[40, 47]"]),
        (shoal.any_subset(), ["{20, 21}", "{20, 21}", "{40, 47}", "{40, 47}"]),
    ],
)
def test_free_columns_show_what_the_group_holds(hierarchy, shown):
    table = pl.DataFrame({"age": ["20", "21", "40", "47"], "x": ["a", "a", "b", "b"]})
    release = shoal.anonymize(table, k=2, quasi_identifiers=["age", "x"], weights={"x": 9}, hierarchies={"age": hierarchy}, measure="lm")
    assert release.frame["age"].to_list() == shown


def test_a_group_of_one_value_shows_it_and_one_of_all_values_a_star():
    table = pl.DataFrame({"age": ["20", "20", "30", "40"], "x": ["a", "a", "b", "b"]})
    release = shoal.anonymize(table, k=2, quasi_identifiers=["age", "x"], hierarchies={"age": shoal.any_subset()})
    assert release.frame["age"].to_list() == ["20", "20", "{30, 40}", "{30, 40}"]
    whole = shoal.anonymize(table, k=4, quasi_identifiers=["age", "x"], hierarchies={"age": shoal.any_subset()})
    assert whole.frame["age"].to_list() == ["*"] * 4

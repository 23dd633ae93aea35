"""What is known of labels, and what is said of those that are not."""

from __future__ import annotations

import polars as pl

import shoal

SHOWN = pl.DataFrame({"town": ["Graz"] * 5 + ["Linz"] * 5 + ["*"] * 5, "age": ["30"] * 5 + ["[40, 50)"] * 10})


def test_what_is_not_resolved_is_said() -> None:
    reading = shoal.read(SHOWN)
    assert dict(reading.summary().select("column", "unresolved").iter_rows()) == {"town": 2 / 3, "age": 0.0}
    assert any("'town'" in doubt and "not resolved" in doubt and "manifest" in doubt for doubt in reading.doubts)
    assert not any("'age'" in doubt and "not resolved" in doubt for doubt in reading.doubts)


def test_the_manifest_of_a_release_resolves_all_its_labels() -> None:
    table = pl.DataFrame(
        {"town": ["Graz", "Linz", "Wien"] * 20, "age": [str(20 + i) for i in range(60)], "mood": ["low", "medium", "high"] * 20}
    )
    made = shoal.anonymize(table, k=4, quasi_identifiers=table.columns, hierarchies={"town": shoal.any_subset()}, algorithm="mondrian")
    reading = shoal.read(made.frame.clone(), manifest=made.manifest)
    assert reading.summary()["unresolved"].max() in (None, 0.0)
    assert not any("not resolved" in doubt for doubt in reading.doubts)
    assert shoal.read(made).summary().equals(reading.summary())


def test_a_column_of_another_role_shows_its_values() -> None:
    """Quasi-identifiers may be generalized; a sensitive column is released as it is."""
    found = shoal.read(SHOWN.with_columns(ill=pl.Series(["flu"] * 6 + ["gout"] * 9)), quasi_identifiers=["town", "age"]).count(ill="flu")
    assert found.at_least == found.at_most == 6


def test_a_missing_cell_may_be_a_hidden_one_where_no_star_is_shown() -> None:
    """Some tools leave cells empty that they hide."""
    empty = pl.DataFrame({"x": pl.Series(["1"] * 5 + [None] * 5, dtype=pl.String)})
    assert shoal.read(empty).count(x="1").at_most == 10
    told = shoal.read(empty, hierarchies={"x": shoal.suppression()})
    assert told.count(x="1").at_most == 5
    assert told.count(x=None).at_least == 5


def test_the_policy_tells_as_much_as_the_manifest_of_columns_with_default_hierarchies() -> None:
    table = pl.DataFrame({"town": ["Graz", "Linz", "Wien"] * 20})
    made = shoal.anonymize(table, k=4, quasi_identifiers=["town"])
    assert shoal.read(made.frame.clone(), policy=made.policy).count(town="Graz").at_least == 20
    assert shoal.read(made.frame.clone()).count(town="Graz").at_least == 0

"""The recount of people: every group has rows of at least k, however rows are matched, or that is said."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from tests.judge.visits import QI, anonymize, people_of_groups, visits


def test_by_rows_a_group_may_be_one_persons_and_by_people_never():
    """Several rows of one person were counted as several people."""
    table = visits()
    by_rows = anonymize(table, person=None, identifiers=["patient"])
    assert min(people_of_groups(table, by_rows)) < 4
    by_people = anonymize(table)
    assert min(people_of_groups(table, by_people)) >= 4
    assert "patient" not in by_people.frame.columns
    with pytest.raises(shoal.NotAnonymous, match="fewer than 4 people"):
        shoal.verify(table, by_rows.frame, k=4, quasi_identifiers=QI, person="patient")


def test_withheld_rows_are_rows_and_the_rest_still_counts_people():
    table = visits()
    release = anonymize(table, withhold=0.1)
    assert release.record["n_withheld"] > 0
    assert min(people_of_groups(table, release)) >= 4
    verdict = shoal.verify(table, release.frame, k=4, quasi_identifiers=QI, person="patient")
    assert verdict.how == "in order"


# ---- what the verifier does with rows that are not where they were ----


def test_shuffled_rows_are_counted_in_the_worst_way_or_not_at_all():
    """Where the illness tells which row is which, people are counted; where it does not, status 4 says so."""
    table = visits(60, 30).with_columns(pl.Series("illness", [f"i{n}" for n in range(60)]))
    release = anonymize(table, keep_order=False)
    mixed = release.frame.sample(fraction=1.0, shuffle=True, seed=1)
    assert shoal.verify(table, mixed, k=4, quasi_identifiers=QI, person="patient", reordered=True).people.fewest >= 4
    without = mixed.drop("illness")
    with pytest.raises(shoal.NotCompared, match="could not be counted"):
        shoal.verify(table.drop("illness"), without, k=4, quasi_identifiers=QI, person="patient", reordered=True)


def test_a_release_that_keeps_the_person_is_rejected():
    table = visits(60, 30)
    release = anonymize(table)
    kept = release.frame.with_columns(table["patient"].gather(release.rows.tolist()))
    with pytest.raises(shoal.NotAnonymous, match="is in the release"):
        shoal.verify(table, kept, k=4, quasi_identifiers=QI, person="patient")

"""What a proof is about comes from the original and the policy alone."""

import numpy as np
import polars as pl

import shoal
from shoal.release.cases import case_for
from shoal.release.resolve import Hierarchies

TABLE = pl.DataFrame({"age": ["20", "20", "21", "40", "41"], "ill": ["a", "b", "c", "d", "e"]})


def case(table: pl.DataFrame = TABLE, **asked):
    release = shoal.anonymize(table, **{"k": 2, "quasi_identifiers": ["age"], **asked})
    return case_for(Hierarchies(release.original, release.policy))


def test_every_row_of_the_original_counts_and_the_policy_says_how_many_may_leave():
    for asked, leaving in (
        ({}, (0, False)),
        ({"withhold": 0.4}, (2, False)),
        ({"withhold": 1.0}, (3, False)),
        ({"deletion": True}, (0, True)),
    ):
        found = case(**asked)
        assert (found.k, int(found.rows.sum())) == (2, 5)
        assert found.ladders[0].count.sum() == 5
        assert (found.max_withheld, found.deletion) == leaving


def test_a_missing_cell_that_is_to_be_suppressed_is_a_star_from_the_start():
    table = pl.DataFrame({"age": ["20", "20", None, None]})
    for missing, starred in (("suppress", True), ("value", False)):
        [ladder] = case(table, missing=missing).ladders
        assert (ladder.starred is not None) == starred


def test_the_values_that_every_group_must_hold_are_those_of_all_rows():
    """Numbers that are written differently are one value, and a missing cell is none."""
    table = pl.DataFrame({"age": ["20", "20", "21", "40", "41"], "dose": ["1", "1.0", "2", None, "2"]})
    found = case(table, sensitive=["dose"], l_diversity=2).different
    assert found is not None
    assert found.least == 2
    assert [found.values[a:b].tolist() for a, b in zip(found.start, found.start[1:], strict=False)] == [[0], [1], [], [1]]


def test_k_people_are_different_values_too():
    table = pl.DataFrame({"age": ["20", "20", "40", "41"], "who": ["ann", " ann", "bob", "cy"]})
    found = case(table, person="who").different
    assert found is not None
    assert (found.least, np.diff(found.start).tolist()) == (2, [1, 1, 1])


def test_without_such_a_demand_nothing_is_counted():
    assert case().different is None

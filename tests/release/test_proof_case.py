"""What a proof is about comes from the original, the release and the policy alone."""

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.release.audit import case_for
from shoal.release.proof_case import fold
from shoal.release.resolve import Hierarchies
from shoal.table import Table

TABLE = pl.DataFrame({"age": ["20", "20", "21", "40", "41"], "ill": ["a", "b", "c", "d", "e"]})


def case(released: pl.DataFrame | None = None, **more):
    release = shoal.anonymize(TABLE, k=2, quasi_identifiers=["age"], **more)
    return case_for(Hierarchies(release.original, release.policy), Table(release.frame if released is None else released))


def test_equal_rows_are_one_tuple_with_a_count():
    codes, rows, of_row = fold([np.array([3, 1, 3, 3]), np.array([0, 0, 0, 2])])
    assert codes.tolist() == [[3, 0], [1, 0], [3, 2]]
    assert rows.tolist() == [2, 1, 1]
    assert of_row.tolist() == [0, 1, 0, 2]


def test_every_row_of_the_original_counts_where_all_were_released():
    found = case()
    assert found.is_determined
    assert (found.k, found.n_released, int(found.rows.sum())) == (2, 5, 5)
    assert found.ladders[0].count.sum() == 5


def test_the_other_columns_tell_which_row_was_withheld():
    found = case(TABLE.head(4))
    assert found.is_determined
    assert int(found.rows.sum()) == 4
    assert found.which is not None
    assert found.which.tolist() == [True] * 4 + [False]


def test_where_nothing_tells_all_that_may_have_been_released_count():
    """Stars for all: any of the five rows may be the one that was withheld, so all of them count, and one of them is too many."""
    plain = TABLE.select("age")
    release = shoal.anonymize(plain, k=2, quasi_identifiers=["age"])
    found = case_for(Hierarchies(release.original, release.policy), Table(pl.DataFrame({"age": ["*"] * 4})))
    assert not found.is_determined
    assert int(found.rows.sum()) == 5
    assert [n for n, _, _ in found.surplus] == [1]


@pytest.mark.parametrize(
    ("released", "says"),
    [
        (pl.concat([TABLE, TABLE]), "its original only 5"),
        (pl.DataFrame({"age": ["*"] * 3, "ill": ["a", "a", "a"]}), "not made of rows of this original"),
    ],
)
def test_a_release_of_something_else_is_refused(released, says):
    with pytest.raises(shoal.NotAnonymous, match=says):
        case(released)


def test_a_missing_cell_that_is_to_be_suppressed_is_a_star_from_the_start():
    table = pl.DataFrame({"age": ["20", "20", None, None]})
    for missing, starred in (("suppress", True), ("value", False)):
        release = shoal.anonymize(table, k=2, quasi_identifiers=["age"], missing=missing)
        [ladder] = case_for(Hierarchies(release.original, release.policy), Table(release.frame)).ladders
        assert (ladder.starred is not None) == starred


def test_the_values_that_every_group_must_hold_are_those_of_the_rows_that_may_have_been_released():
    """Numbers that are written differently are one value, and a missing cell is none."""
    table = pl.DataFrame({"age": ["20", "20", "21", "40", "41"], "dose": ["1", "1.0", "2", None, "2"]})
    asked = {"k": 2, "quasi_identifiers": ["age"], "sensitive": ["dose"], "l_diversity": 2}
    release = shoal.anonymize(table, **asked)
    found = case_for(Hierarchies(release.original, release.policy), Table(release.frame)).different
    assert found is not None
    assert found.least == 2
    assert [found.values[a:b].tolist() for a, b in zip(found.start, found.start[1:], strict=False)] == [[0], [1], [], [1]]


def test_k_people_are_different_values_too():
    table = pl.DataFrame({"age": ["20", "20", "40", "41"], "who": ["ann", " ann", "bob", "cy"]})
    release = shoal.anonymize(table, k=2, quasi_identifiers=["age"], person="who")
    found = case_for(Hierarchies(release.original, release.policy), Table(release.frame)).different
    assert found is not None
    assert (found.least, np.diff(found.start).tolist()) == (2, [1, 1, 1])


def test_without_such_a_demand_nothing_is_counted():
    assert case().different is None

"""The recount: it finds every way in which a release can break its promise."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.release.verify import verify

ORIGINAL = pl.DataFrame({"age": ["20", "21", "40", "41"], "zip": ["81", "81", None, None], "ill": ["flu", "gout", "flu", "flu"]})
RELEASED = ORIGINAL.with_columns(age=pl.Series(["[20, 30)", "[20, 30)", "[40, 50)", "[40, 50)"]))


def check(released: pl.DataFrame = RELEASED, **more):
    return verify(ORIGINAL, released, **{"k": 2, "quasi_identifiers": ["age", "zip"], **more})


def test_a_good_release_passes():
    verdict = check()
    assert (verdict.n_groups, verdict.smallest_group, verdict.has_checked_cells) == (2, 2, True)


def test_too_small_a_group():
    with pytest.raises(shoal.NotAnonymous, match="2 of 2 groups"):
        check(k=3)


def test_missing_and_star_are_values_like_any_other():
    mixed = RELEASED.with_columns(zip=pl.Series(["81", "81", None, "*"]))
    with pytest.raises(shoal.NotAnonymous, match="have fewer than 2"):
        check(mixed)


def test_a_cell_that_does_not_cover_its_original():
    wrong = RELEASED.with_columns(age=pl.Series(["[20, 30)", "[20, 30)", "[50, 60)", "[50, 60)"]))
    with pytest.raises(shoal.NotAnonymous, match="'age': 2 released cells do not cover"):
        check(wrong)


def test_a_value_where_the_original_is_missing():
    with pytest.raises(shoal.NotAnonymous, match="'zip'"):
        check(RELEASED.with_columns(zip=pl.Series(["81", "81", "90", "90"])))


NAMES = [["20", "40-49", "*"], ["21", "40-49", "*"], ["40", "20-29", "*"], ["41", "20-29", "*"]]


def test_a_label_of_the_hierarchy_is_a_name_first():
    named = RELEASED.with_columns(age=pl.Series(["40-49", "40-49", "20-29", "20-29"]))
    assert check(named, hierarchies={"age": NAMES}).columns[0].reads_names
    with pytest.raises(shoal.NotAnonymous, match="do not cover"):
        check(named)


def test_a_name_that_can_only_be_a_range_is_said_and_then_no_label_of_the_column_is_a_name():
    """R23: '40-44' is a name of the hierarchy and a range."""
    ranges = RELEASED.with_columns(age=pl.Series(["20-29", "20-29", "40-49", "40-49"]))
    found = check(ranges, hierarchies={"age": NAMES}).columns[0]
    assert (found.n_ambiguous, found.reads_names) == (2, False)
    mixed = RELEASED.with_columns(age=pl.Series(["20-29", "20-29", "20-29", "20-29"]))
    with pytest.raises(shoal.NotAnonymous, match="do not cover"):
        check(mixed, hierarchies={"age": NAMES})


def test_an_untouched_column_that_was_touched():
    touched = RELEASED.with_columns(ill=pl.Series(["flu", "flu", "flu", "flu"]))
    with pytest.raises(shoal.NotAnonymous, match="'ill' is in both tables and no quasi-identifier, and 1 cells of it differ"):
        check(touched)
    with pytest.raises(shoal.NotAnonymous, match="'ill' was to be released as it is"):
        check(touched, rows=[0, 1, 2, 3])


def test_rows_that_are_not_accounted_for():
    with pytest.raises(shoal.NotAnonymous, match="row by row"):
        check(rows=[0, 1, 2, 2])
    with pytest.raises(shoal.NotAnonymous, match="only 4"):
        check(pl.concat([RELEASED, RELEASED]))


def test_fewer_rows_are_compared_in_their_order():
    assert check(RELEASED.head(2)).has_checked_cells
    assert check(RELEASED.tail(2)).has_checked_cells


def test_fewer_rows_in_another_order_are_counted_but_not_compared():
    assert not check(RELEASED.head(3).reverse(), k=1).has_checked_cells


def test_diversity_is_counted_anew():
    with pytest.raises(shoal.NotAnonymous, match="1 of 2 groups break distinct-l-diversity"):
        shoal.verify(ORIGINAL, RELEASED, k=2, quasi_identifiers=["age", "zip"], sensitive=["ill"], l_diversity=2)


def test_closeness_is_counted_against_the_whole_table():
    verdict = shoal.verify(ORIGINAL, RELEASED, k=2, quasi_identifiers=["age", "zip"], sensitive=["ill"], t_closeness=0.25)
    assert next(iter(verdict.reached.values())) == pytest.approx(0.25)
    with pytest.raises(shoal.NotAnonymous, match="break t-closeness"):
        shoal.verify(ORIGINAL, RELEASED, k=2, quasi_identifiers=["age", "zip"], sensitive=["ill"], t_closeness=0.2)


def test_a_release_cannot_be_made_without_verifying():
    from shoal.release.release import Release

    with pytest.raises(shoal.NotAnonymous, match="made by verifying"):
        Release(RELEASED, *[None] * 11)


@given(st.lists(st.tuples(st.sampled_from(["a", "b", None]), st.sampled_from(["x", "*"])), min_size=1, max_size=12), st.integers(2, 4))
def test_the_count_is_the_count(rows, k):
    frame = pl.DataFrame({"p": [r[0] for r in rows], "q": [r[1] for r in rows]}, schema={"p": pl.String, "q": pl.String})
    smallest = min(rows.count(row) for row in rows)
    if smallest >= k:
        assert verify(frame, frame, k=k, quasi_identifiers=["p", "q"]).smallest_group == smallest
    else:
        with pytest.raises(shoal.NotAnonymous):
            verify(frame, frame, k=k, quasi_identifiers=["p", "q"])

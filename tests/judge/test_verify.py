"""The recount: it finds every way in which a release can break its promise."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.judge.verify import verify
from tests.judge.compared import ORIGINAL, RELEASED, check


def test_a_good_release_passes():
    verdict = check()
    assert (verdict.n_groups, verdict.smallest_group, verdict.has_checked_cells) == (2, 2, True)


def test_a_group_that_is_too_small_is_rejected():
    with pytest.raises(shoal.NotAnonymous, match="2 of 2 groups"):
        check(k=3)


def test_missing_and_star_are_values_like_any_other():
    mixed = RELEASED.with_columns(zip=pl.Series(["81", "81", None, "*"]))
    with pytest.raises(shoal.NotAnonymous, match="have fewer than 2"):
        check(mixed)


def test_rows_that_are_not_accounted_for_are_rejected():
    with pytest.raises(shoal.NotAnonymous, match="row by row"):
        check(rows=[0, 1, 2, 2])
    with pytest.raises(shoal.NotAnonymous, match="only 4"):
        check(pl.concat([RELEASED, RELEASED]))


def test_fewer_rows_are_compared_in_their_order():
    assert check(RELEASED.head(2)).has_checked_cells
    assert check(RELEASED.tail(2)).has_checked_cells


def test_fewer_rows_in_another_order_are_counted_but_not_compared():
    assert not check(RELEASED.head(3).reverse(), k=1).has_checked_cells


def test_diversity_is_counted_again():
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
        Release(RELEASED, *[None] * 12)


@given(st.lists(st.tuples(st.sampled_from(["a", "b", None]), st.sampled_from(["x", "*"])), min_size=1, max_size=12), st.integers(2, 4))
def test_the_smallest_group_is_what_plain_counting_finds(rows, k):
    frame = pl.DataFrame({"p": [r[0] for r in rows], "q": [r[1] for r in rows]}, schema={"p": pl.String, "q": pl.String})
    smallest = min(rows.count(row) for row in rows)
    if smallest >= k:
        assert verify(frame, frame, k=k, quasi_identifiers=["p", "q"]).smallest_group == smallest
    else:
        with pytest.raises(shoal.NotAnonymous):
            verify(frame, frame, k=k, quasi_identifiers=["p", "q"])


@pytest.mark.parametrize("reordered", [False, True])
def test_it_says_whether_it_is_certain_who_was_withheld(reordered: bool) -> None:
    """Of two rows that both fit, either may be the one that is lacking; with a column of its own for each row, or equal rows, it is certain."""
    original = pl.DataFrame({"age": ["20", "21", "22", "50", "51"], "note": list("abcde")})
    released = pl.DataFrame({"age": ["[20, 25)", "[20, 25)", "[50, 55)", "[50, 55)"], "note": list("acde")})
    asked = {"k": 2, "quasi_identifiers": ["age"], "reordered": reordered}
    told = verify(original, released, **asked)
    assert (told.n_withheld, told.withheld_are_certain) == (1, True)
    told = verify(original.drop("note"), released.drop("note"), **asked)
    assert (told.n_withheld, told.withheld_are_certain) == (1, False)
    alike = pl.DataFrame({"age": ["20", "20", "20", "50", "51"]})
    assert verify(alike, released.drop("note"), **asked).withheld_are_certain
    whole = verify(original.drop("note"), pl.DataFrame({"age": ["[20, 55)"] * 5}), **asked)
    assert (whole.n_withheld, whole.withheld_are_certain) == (0, True)


@pytest.mark.parametrize("seed", range(20))
def test_who_was_withheld_is_certain_where_no_other_choice_fits(seed: int) -> None:
    """Against trying every choice of rows, in any order."""
    rng = np.random.default_rng(seed)
    cells = rng.choice(["20", "21", "30", "31", "40"], 6).tolist()
    labels = {"20": "[20, 25)", "21": "[20, 25)", "30": "[30, 45)", "31": "[30, 45)", "40": "[20, 45)"}
    kept = np.sort(rng.permutation(6)[:4])
    shown = [labels[cells[i]] for i in kept]
    found = verify(pl.DataFrame({"x": cells}), pl.DataFrame({"x": shown}), k=1, quasi_identifiers=["x"], reordered=True)
    holds = {"[20, 25)": {"20", "21"}, "[30, 45)": {"30", "31", "40"}, "[20, 45)": set(cells)}
    choices = {
        tuple(sorted(cells[i] for i in way))
        for way in permutations(range(6), 4)
        if all(cells[i] in holds[label] for i, label in zip(way, shown, strict=True))
    }
    assert found.withheld_are_certain == (len(choices) == 1)

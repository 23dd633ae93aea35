"""What a label stands for: names of the hierarchy before texts, one way for a whole column."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.judge.words import words_of
from tests.judge.compared import RELEASED, check

NAMES = [["20", "40-49", "*"], ["21", "40-49", "*"], ["40", "20-29", "*"], ["41", "20-29", "*"]]


def test_a_label_of_the_hierarchy_is_a_name_first():
    named = RELEASED.with_columns(age=pl.Series(["40-49", "40-49", "20-29", "20-29"]))
    assert check(named, hierarchies={"age": NAMES}).columns[0].reads_names
    with pytest.raises(shoal.NotAnonymous, match="do not cover"):
        check(named)


def test_a_name_that_can_only_be_a_range_is_said_and_then_no_label_of_the_column_is_a_name():
    """'40-44' is a name of the hierarchy and a range."""
    ranges = RELEASED.with_columns(age=pl.Series(["20-29", "20-29", "40-49", "40-49"]))
    found = check(ranges, hierarchies={"age": NAMES}).columns[0]
    assert (found.n_ambiguous, found.reads_names) == (2, False)
    mixed = RELEASED.with_columns(age=pl.Series(["20-29", "20-29", "20-29", "20-29"]))
    with pytest.raises(shoal.NotAnonymous, match="do not cover"):
        check(mixed, hierarchies={"age": NAMES})


def test_a_set_with_a_member_that_nobody_knows_is_true_and_said():
    """A look-alike or a made-up value in a set makes it wider, not untrue; whoever checks the release is told."""
    wider = RELEASED.with_columns(age=pl.Series(["{20, 21, 2l}", "{20, 21, 2l}", "{40, 41}", "{40, 41}"]))
    verdict = check(wider)
    assert verdict.columns[0].n_strangers == 2
    assert any("2 cells show a set with members that neither the original nor the hierarchy has" in said for said in words_of(verdict))
    assert check(RELEASED.with_columns(age=pl.Series(["{20, 21}"] * 2 + ["{40, 41}"] * 2))).columns[0].n_strangers == 0
    with pytest.raises(shoal.NotAnonymous, match="1 released cell does not cover"):
        check(RELEASED.with_columns(age=pl.Series(["{20, 2l}", "{20, 2l}", "{40, 41}", "{40, 41}"])))


def test_labels_of_the_hierarchy_in_a_set_are_known():
    named = RELEASED.with_columns(age=pl.Series(["{40-49, 20-29}"] * 4))
    assert check(named, hierarchies={"age": NAMES}).columns[0].n_strangers == 0

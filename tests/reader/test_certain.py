"""What the reader calls certain, on random releases with every builder, read in every way, and in the notations of other tools.

He has:   the released table: as the object, with its manifest, with lists of his own, or alone.
He asks:  random ranges and values, of one to three columns.
He gets:  limits that hold, whatever the hidden cells are; and intervals of 95 % that hold the truth about as often as they say.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from tests.naive import recount
from tests.reader.asking import HELD, Tally, ask_recorded, one_of, play
from tests.reader.columns import Made


@pytest.mark.parametrize("first", range(0, 30, 6))
def test_the_truth_lies_between_what_is_certain(first: int, tmp_path: Path) -> None:
    """And the reader is never more certain than all values that the labels may stand for, tried one by one."""
    tally = Tally()
    for seed in range(first, first + 6):
        play(seed, tmp_path, 34, tally, with_naive=True)
    assert not tally.false
    assert not tally.tight


def test_intervals_hold_the_truth_on_a_fair_sample(tmp_path: Path) -> None:
    """Every builder, every way of reading."""
    tally = Tally()
    for seed in range(100, 124):
        play(seed, tmp_path, 40, tally)
    assert not tally.false
    assert HELD[0] <= tally.share("all") <= HELD[1]


@pytest.mark.parametrize("text", ["65", "65.0", "65,0"])
def test_a_number_is_the_same_however_it_is_written(text: str) -> None:
    """Typed columns write 65.0 where the table had 65: the reader counts both, and so does who judges it."""
    table = pl.DataFrame({"x": ["65"] * 6 + ["65.5"] * 5 + ["72", "70", "73.2", "71.5", "74"]})
    made = shoal.anonymize(table, k=4, quasi_identifiers=["x"], hierarchies={"x": shoal.intervals(5, 10)}, keep_order=False)
    reading = shoal.read(made.to_table(form="bounds"), manifest=made.manifest, policy=made.policy, form="bounds")
    assert "65.0" in reading.columns["x"].words.values
    meets = one_of(["65.0"], Made("intervals", [], None, recount.by_interval, float), reading.columns["x"].words)
    assert sum(map(meets, table["x"])) == 6
    assert reading.count(x=text).at_least == reading.count(x=text).at_most == 6


def test_stars_beside_intervals_that_share_their_ends_hide_all_numbers() -> None:
    """Where [20, 30) and [30, 40) are written by two numbers each, they cross; a star needs neither the least nor the greatest of all numbers."""
    shown = pl.DataFrame({"x": ["[20, 30]"] * 4 + ["[30, 40]"] * 4 + ["[40, 50]"] * 4 + ["*"] * 8})
    assert shoal.read(shown).count(x=(20, 20)).value < 1


def test_a_column_of_one_level_tells_nothing_of_its_categories() -> None:
    """All of a set may be one value, as they are where most people come from one country."""
    rows = [["Graz", "Austria", "*"], ["Linz", "Austria", "*"], ["Wien", "Austria", "*"], ["Bonn", "Germany", "*"]]
    found = shoal.read(pl.DataFrame({"x": ["Austria"] * 30 + ["Germany"] * 10}), hierarchies={"x": rows}).count(x="Wien")
    assert (found.low, found.high) == (0, 30)


def test_a_star_may_hide_missing_cells_unless_the_policy_says_otherwise() -> None:
    table = pl.DataFrame({"x": ["a"] * 20 + ["b"] * 20 + ["c", "d", "e", "a", "b", "a"]})
    made = shoal.anonymize(table, k=6, quasi_identifiers=["x"], hierarchies={"x": [[v, "*"] for v in "abcde"]}, keep_order=False)
    lists = {"x": [[v, "*"] for v in "abcde"]}
    told, untold = (
        shoal.read(made.frame.clone(), hierarchies=lists, measure="root-share", policy=p).count(x=list("abcde"))
        for p in (made.policy, None)
    )
    assert told.low == 46
    assert untold.low < 46


@pytest.mark.slow
def test_ten_thousand_questions(tmp_path: Path) -> None:
    tally = Tally()
    for seed in range(300):
        play(seed, tmp_path, 46, tally, with_naive=True)
    assert tally.asked["count"] >= 10_000
    assert not tally.false
    assert not tally.tight
    assert HELD[0] <= tally.share("all") <= HELD[1]


@pytest.mark.slow
def test_releases_of_other_tools() -> None:
    """With the hierarchies that come with them, and without: a label of ARX's '35-39' holds 36 to 40."""
    tally = Tally()
    ask_recorded(40, tally)
    assert not tally.false


@pytest.mark.parametrize(
    ("label", "value", "may"),
    [
        ("[20, 30)", (20, 29.9), True),
        ("[20, 30)", (30, 40), False),
        ("20-29", (30, 40), True),
        ("20-29", (31, 40), False),
        ("20..29", (19, 19), True),
        ("20 to 29", (25, 25), True),
        ("[20-30]", (30, 30), True),
        ("[20-30)", (30, 30), False),
        ("(20, 30)", (30, 30), True),
        ("50+", (49, 49), True),
        (">=50", (49, 49), False),
        ("2*", (70, 70), True),
        ("{20, 30}", (25, 25), False),
        ("20,30", (25, 25), True),
    ],
)
def test_what_a_notation_may_stand_for(label: str, value: tuple[float, float], may: bool) -> None:
    """A column of numbers without a word about them."""
    shown = pl.DataFrame({"x": ["16"] * 5 + ["70"] * 5 + [label] * 5})
    try:
        found = shoal.read(shown).count(x=value)
    except shoal.DataError:
        assert may, "a column that cannot be read as numbers has no ranges"
        return
    hits = 5 * sum(value[0] <= x <= value[1] for x in (16, 70))
    assert found.at_least == hits
    assert found.at_most == hits + 5 * may


def test_a_range_that_holds_an_interval_holds_its_rows_and_whole_numbers_are_not_taken_for_granted() -> None:
    shown = pl.DataFrame({"age": ["15"] * 5 + ["[20, 30)"] * 5})
    assert shoal.read(shown).count(age=(20, 30)).at_least == 5
    assert shoal.read(shown).count(age=(20, 29)).at_least == 0, "somebody may be 29.5"
    listed = shoal.read(shown, hierarchies={"age": [[str(age), "*"] for age in range(100)]})
    assert listed.count(age=(20, 29)).at_least == 5, "a list of all ages says that he is not"


@pytest.mark.parametrize("label", ["a,b", "a~b", "[a~b]", "a to b", "a|b", "Other", "not {a}", "{a, b}"])
def test_words_that_nobody_explained_may_be_anything(label: str) -> None:
    shown = pl.DataFrame({"x": ["a"] * 5 + ["b"] * 5 + ["c"] * 5 + [label] * 5})
    found = shoal.read(shown).count(x="c")
    assert (found.at_least, found.at_most) == (0, 20)
    ours = shoal.read(shown, hierarchies={"x": shoal.any_subset()}).count(x="c")
    assert ours.at_least == 5
    assert ours.at_most == (10 if label in ("not {a}", "[a~b]") else 5)


def test_a_name_of_several_sets_may_be_each_of_them() -> None:
    """'Other' is a value, and a group on two levels."""
    rows = [["Other", "Other", "all", "*"], ["clown", "Other", "all", "*"], ["cook", "food", "Other", "*"]]
    shown = pl.DataFrame({"x": ["Other"] * 6 + ["clown"] * 5 + ["cook"] * 5})
    found = shoal.read(shown, hierarchies={"x": rows})
    assert [(found.count(x=v).at_least, found.count(x=v).at_most) for v in ("Other", "clown", "cook")] == [(0, 6), (5, 11), (5, 11)]


def test_days_whose_month_and_day_may_be_exchanged_lie_anywhere() -> None:
    shown = pl.DataFrame({"x": ["01/02/2020"] * 5 + ["03/04/2020"] * 5 + ["2020"] * 5})
    reading = shoal.read(shown)
    assert reading.columns["x"].is_line
    found = reading.count(x=("2020-02-01", "2020-02-02"))
    assert (found.at_least, found.at_most) == (0, 15)


def test_a_table_of_counts_keeps_to_what_is_certain() -> None:
    """Bins of a line are ranges: what lies in one of them is certain, and only that."""
    shown = pl.DataFrame({"x": ["12"] * 5 + ["[20, 30)"] * 5 + ["[20, 40)"] * 5})
    table = shoal.read(shown).table("x", bins={"x": 10})
    low, high = (dict(zip(table["x"], table[end], strict=True)) for end in ("low", "high"))
    assert low["[10, 20)"] == high["[10, 20)"] == 5
    assert low["[20, 30)"] >= 5
    assert high["[20, 30)"] <= 10
    assert high["[30, 40)"] <= 5
    assert np.isclose(table["count"].sum(), 15)

"""Labels from a first to a last category."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.reader.stretches import between, stretches

BANDS = ["<18", "18-24", "25-44", "45-64", "65+"]


def test_a_label_from_band_to_band_is_no_value_of_its_own() -> None:
    """Its rows may be in any of the bands between."""
    shown = pl.DataFrame({"band": [*["18-24"] * 6, *["65+"] * 5, *["25-44"] * 5, *["<18 to 45-64"] * 4]})
    reading = shoal.read(shown, hierarchies={"band": shoal.neighbours(BANDS)})
    assert sorted(reading.table("band")["band"]) == sorted(BANDS)
    found = reading.count(band="18-24")
    assert (found.at_least, found.at_most) == (6.0, 10.0)
    old = reading.count(band="65+")
    assert (old.at_least, old.at_most) == (5.0, 5.0)
    guessed = shoal.read(shown).count(band="18-24")
    assert (guessed.at_least, guessed.at_most) == (0.0, 20.0), "the order of what others write is a guess"


def test_our_own_labels_of_ordered_categories_are_read_without_the_hierarchy() -> None:
    table = pl.DataFrame({"band": BANDS * 4, "x": ["1", "2", "3", "4", "5"] * 4, "ill": ["a", "b"] * 10})
    made = shoal.anonymize(
        table, k=10, quasi_identifiers=["band"], sensitive=["ill"], keep=["x"], hierarchies={"band": shoal.neighbours(BANDS)}
    )
    values = set(shoal.read(made.table).columns["band"].words.values)
    assert values <= {*BANDS, "*"}


def test_where_nothing_tells_the_order_a_label_may_be_anything() -> None:
    assert stretches(["north", "south", "north to south"], []) == {"north to south": ("north", "south")}
    assert between(("north", "south"), ["east", "north", "south"]) is None
    shown = pl.DataFrame({"x": [*["cold"] * 5, *["mild"] * 5, *["warm"] * 5, *["cold to warm"] * 8]})
    found = shoal.read(shown).count(x="mild")
    assert (found.at_least, found.at_most) == (0.0, 23.0)
    assert found.low <= 5
    assert found.high >= 5 + 8 / 3


@pytest.mark.parametrize("label", ["Road to Rome", "20 to 30", "to", " to "])
def test_words_and_ranges_are_not_taken_apart(label: str) -> None:
    assert stretches([label, "Paris", "Berlin"], []) == {}


def test_what_lies_between_two_categories_may_be_shown_nowhere() -> None:
    shown = pl.DataFrame({"month": ["JAN to APR"] * 24 + ["APR"] * 9 + ["AUG"] * 9})
    found = shoal.read(shown).count(month=["JAN", "APR"])
    assert (found.at_least, found.at_most) == (0.0, 42.0), "nobody said that they are months"
    assert found.low <= 18 <= found.high, "nine rows a month"

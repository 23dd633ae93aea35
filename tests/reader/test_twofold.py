"""Releases of unknown tools whose cells look like one value and were written for more.

He has:   a released table by a tool that he does not know, without a manifest: it rounds, cuts codes short, writes the first day of a month, or thousands with a point.
He asks:  for a value that some hidden cell has.
He gets:  limits that hold for all ways in which the cells may have been meant.
"""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.reader.twofold import cut_short, unit_of


def ask(cells: list[str], asked: object, **told: object) -> tuple[float, float]:
    shown = pl.DataFrame({"x": [cell for cell in cells for _ in range(5)]})
    found = shoal.read(shown, **told).count(x=asked)
    return found.at_least, found.at_most


@pytest.mark.parametrize(
    ("cells", "asked", "limits"),
    [
        (["40", "55", "[20, 30)"], (40, 40), (0, 5)),
        (["40", "55", "[20, 30)"], "40", (0, 5)),
        (["40", "55", "[20, 30)"], (36, 44), (0, 5)),
        (["40", "55", "[20, 30)"], (35, 45), (5, 5)),
        (["40", "55", "unknown"], "40", (0, 15)),
        (["40", "56", "[20, 30)"], (40, 40), (5, 5)),
        (["81234", "812", "90210"], "81234", (5, 10)),
        (["20200105", "20200210", "202001"], (20200101, 20200131), (5, 10)),
        (["1.234", "999", "12.000"], (1234, 1234), (0, 15)),
        (["1.234", "999", "12.000"], (1.2, 1.3), (0, 15)),
        (["1.234", "0.5", "12.000"], (1.2, 1.3), (5, 5)),
        (["2020-03-01", "2020-04-01", "2021"], ("2020-03-10", "2020-03-10"), (0, 5)),
        (["2020-01-01", "2019-01-01", "2021"], ("2020-03-10", "2020-03-10"), (0, 5)),
        (["2020-03-01", "2020-04-02", "2021"], ("2020-03-10", "2020-03-10"), (0, 0)),
        (["13/02/25", "23/04/30", "13/05/45"], ("2000-01-01", "2090-01-01"), (0, 15)),
        (["a", "b", "{*}"], "b", (0, 15)),
        (["a", "b", "{a, *}"], "b", (0, 15)),
    ],
)
def test_what_can_be_meant_in_two_ways_is_certain_in_none(cells: list[str], asked: object, limits: tuple[float, float]) -> None:
    assert ask(cells, asked) == limits


def test_our_manifest_and_a_hierarchy_say_that_numbers_are_themselves() -> None:
    cells = ["40", "55", "[20, 30)"]
    assert ask(cells, "40", hierarchies={"x": shoal.intervals(10)}) == (5, 5)
    assert ask(cells, "40", hierarchies={"x": [[str(age), "*"] for age in range(20, 60)]}) == (5, 5)


def test_incomes_are_no_codes_and_ages_are_not_rounded() -> None:
    assert not cut_short(["12000", "8500", "700"])
    assert not unit_of([str(age) for age in range(18, 90)])


def test_a_label_that_is_a_value_and_a_name_is_taken_for_both() -> None:
    """Eight rows that show 'Other' are eight others, or clowns and divers among them."""
    rows = [["Other", "Other", "*"], ["clown", "Other", "*"], ["diver", "Other", "*"], ["cook", "cook", "*"]]
    shown = pl.DataFrame({"job": ["Other"] * 8 + ["diver"] * 40 + ["cook"] * 20})
    reading = shoal.read(shown, hierarchies={"job": rows})
    for value, counts in {"Other": (8, 2), "diver": (40, 46)}.items():
        found = reading.count(job=value)
        assert all(found.low <= truth <= found.high for truth in counts)


def test_an_interval_is_no_single_point_where_the_count_is_not_certain() -> None:
    """Numbers below all that the narrowest labels speak of are unlikely, and not impossible."""
    shown = pl.DataFrame({"x": ["[100, 1000)"] * 25 + ["[700, 800)"] * 5 + ["[1000, 1500)"] * 5})
    for found in (shoal.read(shown).count(x=(239.7, 533)), shoal.read(shown).table("x", bins={"x": 100})):
        low, high = (found.low, found.high) if isinstance(found, type(shoal.read(shown).count())) else found.row(3)[2:]
        assert low < high
    ranges = pl.DataFrame({"x": ["30-34"] * 18 + ["41"] * 10})
    found = shoal.read(ranges).count(x=(15, 34))
    assert (found.at_least, found.at_most) == (0, 18)
    assert found.low < found.high

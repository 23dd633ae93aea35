"""Marks that stand for missing values."""

from __future__ import annotations

import pytest

from tests.columns.looked import look


@pytest.mark.parametrize("mark", ["NA", "?", "n/a", ".", "-", "*", "k.A.", "n.v.t.", "keine Angabe"])
def test_marks_of_missing_values_are_found_among_numbers(mark: str) -> None:
    """A column of numbers but for a few marks is a column of numbers."""
    found = look("age", [*range(20, 70), mark])
    assert (found.kind, found.marks) == ("number", (mark,))
    assert "5 cells hold" in found.evidence[-1]


def test_a_number_that_stands_apart_is_a_mark() -> None:
    assert look("age", [*range(20, 70), -99]).marks == ("-99",)
    assert look("temperature", [*range(-50, 20, 3), -99]).marks == ()
    assert look("weight", [*range(60, 90), 9999]).marks == ("9999",)


def test_words_are_marks_only_among_numbers_or_dates() -> None:
    assert look("born", ["1990-01-01", "1991-05-06", "unknown"]).marks == ("unknown",)
    assert look("urban", ["yes it is", "not at all", "unknown"]).marks == ()


def test_a_number_apart_is_a_mark_beside_other_marks_and_among_decimals() -> None:
    """-99 among weights such as 74,5, some of which are NA: it was taken for a weight."""
    weights = [f"{40 + i / 2:.1f}".replace(".", ",") for i in range(80)]
    assert look("Gewicht", [*weights, "-99"]).marks == ("-99",)
    assert look("Gewicht", [*weights, "NA", "k.A.", "-99"]).marks == ("NA", "k.A.", "-99")
    assert look("weight", [*(w.replace(",", ".") for w in weights), "-99.0"]).marks == ("-99.0",)
    assert look("change", [f"{i / 2 - 20}" for i in range(80)] + ["-99"]).marks == ()

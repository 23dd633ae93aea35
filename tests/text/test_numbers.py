"""Texts as numbers and dates."""

from __future__ import annotations

import pytest

from shoal.text.numbers import is_number, parse_numbers


@pytest.mark.parametrize("text", ["0", "-1", "+3", "1.5", ".5", "5.", "1e3", "1E-3", "007"])
def test_numbers_as_people_write_them_are_read(text: str) -> None:
    assert is_number(text)


@pytest.mark.parametrize("text", ["", " 1", "1 ", "12 kg", "1,5", "1_000", "nan", "inf", "-", "0x1", "١٢", "1.2.3", "1e", "20-30"])
def test_texts_that_are_no_numbers_stay_texts(text: str) -> None:
    assert not is_number(text)


def test_a_number_too_large_for_a_float_is_refused() -> None:
    _, wrong = parse_numbers(["1", "1e999", "2"])
    assert wrong.tolist() == [1]

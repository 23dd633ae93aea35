"""Several rows of one person are noticed; namesakes are not taken for one person."""

from __future__ import annotations

import random

import polars as pl
import pytest

from shoal.columns.whose import Whose, repeating, rows_counted
from shoal.table.coded import code
from tests.columns.hospital import FORENAMES, SURNAMES, stays


def found(frame: pl.DataFrame) -> list[Whose]:
    return repeating([code(column) for column in frame.iter_columns()])


def test_the_patients_number_says_whose_row_it_is() -> None:
    frame = stays()
    assert found(frame) == [Whose("PatNr", 150, frame.height, is_sure=True)]


def test_nothing_is_said_where_each_row_is_a_person() -> None:
    assert found(stays().unique("PatNr", keep="first", maintain_order=True)) == []


def test_a_number_that_was_typed_twice_is_no_second_row() -> None:
    frame = pl.DataFrame(
        {"patient_id": [str(1000 + i - (i == 77)) for i in range(500)], "age": [str(i % 60) for i in range(500)]}
    )
    assert found(frame) == []


@pytest.mark.parametrize("times", [1, 3])
def test_namesakes_are_no_persons_with_several_rows(times: int) -> None:
    """Sixteen forenames and sixteen surnames make 256 names: in a thousand rows all of them repeat, by chance alone."""
    draw = random.Random(8)
    frame = pl.DataFrame({"Name": [f"{draw.choice(FORENAMES)} {draw.choice(SURNAMES)}" for _ in range(1000 * times)]})
    assert found(frame) == []


def test_full_names_that_repeat_beyond_chance_are_people() -> None:
    """Two hundred people, each with three rows, of sixteen hundred names that there may be."""
    draw = random.Random(10)
    first, last = (
        [f"{a}{b}na" for a in "BDFGHJKL" for b in "aeiou"],
        [f"{a}{b}sen" for a in "BDFGHJKL" for b in "aeiou"],
    )
    people = [f"{draw.choice(first)} {draw.choice(last)}" for _ in range(200)]
    assert [w.column for w in found(pl.DataFrame({"name": people * 3}))] == ["name"]


def test_a_surname_alone_is_nobody() -> None:
    draw = random.Random(9)
    assert found(pl.DataFrame({"Nachname": [draw.choice(SURNAMES) for _ in range(400)]})) == []


def test_the_words_name_the_flag_and_how_many_rows_were_looked_at() -> None:
    said = rows_counted(Whose("PatNr", 603, 1200), 1200)
    assert said.startswith("'PatNr' has 603 different values in 1,200 rows.")
    assert "--person 'PatNr'" in said
    assert "in the first 1,200 rows" in rows_counted(Whose("PatNr", 603, 1200), 5000)

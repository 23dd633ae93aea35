"""A column is a number of people if others about a person follow it, whatever it is called; a text that names people is
no category.
"""

from __future__ import annotations

import random

import polars as pl
import pytest

from shoal import io
from shoal.columns.roles import overview
from tests.columns.hospital import FORENAMES, SURNAMES, stays


def roles(frame: pl.DataFrame) -> dict[str, tuple[str, str]]:
    return {s.column: (s.role, s.kind) for s in overview(io.read(frame))}


@pytest.mark.parametrize("name", ["PatNr", "xq", "Schlüssel A", "Vorgang"])
def test_a_number_of_patients_is_an_identifier_whatever_it_is_called(name: str) -> None:
    """A patient's number that no list of words knows was only a question, and released by a command that did not name
    it.
    """
    assert roles(stays(name))[name] == ("identifier", "identifier")


def test_gaps_and_marks_of_missing_hide_no_number_of_people() -> None:
    frame = stays("xq").with_columns(
        pl.when(pl.int_range(pl.len()) % 9 == 0).then(None).otherwise(pl.col("Name")).alias("Name")
    )
    assert roles(frame)["xq"][0] == "identifier"


def test_a_measurement_is_no_number_of_people() -> None:
    """Numbers that repeat, beside columns about people that do not follow them."""
    draw = random.Random(1)
    frame = stays().with_columns(pl.Series("Puls", [str(draw.randint(40, 190)) for _ in range(stays().height)]))
    found = roles(frame)
    assert found["Puls"][1] == "number"
    assert found["Gewicht"][1] == "number"


def test_a_hospitals_code_is_no_number_of_people() -> None:
    """A code decides its town and its name, and nothing about a person."""
    draw = random.Random(2)
    code = [draw.randint(1, 90) for _ in range(600)]
    frame = pl.DataFrame({
        "site_code": [f"H{c:03}" for c in code], "town": [f"Town {c // 3}" for c in code],
        "sex": [draw.choice("mf") for _ in code],
        "age": [str(draw.randint(20, 80)) for _ in code],
    })  # fmt: skip
    assert roles(frame)["site_code"][1] != "identifier"


def test_a_remark_that_names_people_is_free_text_and_dropped() -> None:
    """A few sentences that occur again and again were called a category."""
    found = {s.column: s for s in overview(io.read(stays()))}
    assert (found["Bemerkung"].role, found["Bemerkung"].kind) == ("identifier", "text")
    assert found["Bemerkung"].reasons[0] == "it contains values of 'Name'"


def test_a_surname_of_its_own_row_is_found_in_a_text() -> None:
    draw = random.Random(4)
    who = [draw.choice(SURNAMES) for _ in range(300)]
    texts = [f"Frau {name} wünscht Besuch" if i % 4 == 0 else "ruhige Nacht gehabt" for i, name in enumerate(who)]
    frame = pl.DataFrame({"nachname": who, "verlauf": texts, "sex": [draw.choice("mw") for _ in who]})
    found = {s.column: s for s in overview(io.read(frame))}
    assert found["verlauf"].holds == "nachname"


def test_names_that_are_words_make_no_category_a_text() -> None:
    """Smith, Baker and Cook are surnames and trades: by chance they stand in one row."""
    draw = random.Random(5)
    trades = ("Baker", "Cook", "Smith", "Taylor", "Carpenter", "Shop assistant", "Bus driver")
    frame = pl.DataFrame({
        "surname": [draw.choice(("Baker", "Cook", "Smith", "Taylor", "Carpenter", "Jones", "Young", "Brown", "Hill",
        "Wood")) for _ in range(500)],
        "job": [draw.choice(trades) for _ in range(500)],
    })  # fmt: skip
    assert roles(frame)["job"] == ("quasi-identifier", "category")


def test_forenames_and_surnames_of_a_column_of_full_names_are_found() -> None:
    """Written the other way round as well: Hansen, Uwe is Uwe Hansen."""
    draw = random.Random(6)
    pairs = [(draw.choice(FORENAMES), draw.choice(SURNAMES)) for _ in range(200)]
    frame = pl.DataFrame({
        "Name": [f"{last}, {first}" for first, last in pairs],
        "Text": [f"heute war {first} {last} zu Besuch" if i % 3 else "heute war niemand da" for i,
        (first, last) in enumerate(reversed(pairs))],
    })  # fmt: skip
    assert {s.column: s.holds for s in overview(io.read(frame))}["Text"] == "Name"


def test_a_patients_number_in_the_text_of_its_row_is_found_and_other_numbers_are_not() -> None:
    """Numbers occur in any text; the row's own one is no accident."""
    draw = random.Random(7)
    number = [str(40_000 + i // 2) for i in range(400)]
    sex = [draw.choice("mw") for _ in range(400)]
    own = pl.DataFrame(
        {
            "PatNr": number,
            "sex": sex,
            "Text": [f"Akte {n} liegt vor" if i % 3 else "ohne Befund" for i, n in enumerate(number)],
        }
    )
    other = pl.DataFrame(
        {"PatNr": number, "sex": sex, "Text": [f"Rechnung {draw.randint(40_000, 40_199)} ist offen" for _ in number]}
    )
    assert {s.column: s.holds for s in overview(io.read(own))}["Text"] == "PatNr"
    assert {s.column: s.holds for s in overview(io.read(other))}["Text"] is None

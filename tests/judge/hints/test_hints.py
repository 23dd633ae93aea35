"""What is said of columns that tell what a release hides."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.judge.hints.hints import Hint, _is_arranged, hints
from tests.attacks.telling import QI, column, released, table


def found(extra: pl.Series, original: pl.DataFrame, **more) -> list[Hint]:
    release = released(original).with_columns(extra)
    return hints(original, release, np.arange(original.height), QI, ["extra"], **more)


def test_each_way_of_telling_has_words_that_name_the_columns_and_say_how_often():
    rng = np.random.default_rng(0)
    original = table(rng)
    words = {kind: found(column(kind, rng, original), original)[0].words() for kind in ("birth year", "crc32", "rank", "last digits")}
    assert words["birth year"] == "column 'extra' gives back 'age' in 100 % of the rows where it is hidden"
    assert words["crc32"].startswith("column 'extra' is crc32 of 'zip', 'age' in ")
    assert words["rank"] == "column 'extra' narrows 'age' to 1 % of what the released cells leave open"
    assert words["last digits"] == "column 'extra' tells a part of what is hidden of 'zip' in 100 % of the rows where it is hidden"


def test_a_sum_of_two_is_said_to_be_one():
    rng = np.random.default_rng(0)
    original = table(rng).with_columns(zip=pl.lit("80") + pl.Series(rng.integers(100, 200, 400).astype(str)))
    (hint,) = found(column("sum", rng, original), original)
    assert hint.words().startswith("column 'extra' gives back 'age', 'zip' in at least 90 % of the rows, together with the other columns")


def test_a_code_of_all_quasi_identifiers_together_is_found():
    """No column by itself decides it, and it decides none: a number of classes that is computed of two of them."""
    rng = np.random.default_rng(0)
    original = table(rng, 3000).with_columns(zip=pl.lit("8") + pl.Series(rng.integers(0, 9, 3000).astype(str)), job=pl.lit("x"))
    mixed = [(7 * int(a) + 5 * int(z) + (s == "f")) % 3 for a, z, s in original.select("age", "zip", "sex").iter_rows()]
    (hint,) = found(pl.Series("extra", map(str, mixed)), original)
    assert (hint.how, hint.of) == ("code", ("age", "zip", "sex"))


def test_rows_that_were_withheld_do_not_shift_the_others():
    rng = np.random.default_rng(0)
    original = table(rng)
    rows = np.flatnonzero(rng.random(400) < 0.9)
    release = released(original).with_columns(column("birth year", rng, original))[pl.Series(rows)]
    (hint,) = hints(original, release, rows, QI, ["extra"])
    assert (hint.how, hint.of, hint.share) == ("value", ("age",), 1.0)


def test_an_identifier_that_is_not_released_is_looked_for_too():
    rng = np.random.default_rng(0)
    original = table(rng).with_columns(mail=pl.Series([f"p{i}@x.org" for i in range(400)]))
    release = released(original).drop("mail").with_columns(extra="<" + original["mail"] + ">")
    (hint,) = hints(original, release, np.arange(400), QI, ["extra"], ["mail"])
    assert hint.of == ("mail",)


def test_nothing_is_said_of_constant_and_empty_columns():
    original = table(np.random.default_rng(0))
    assert found(pl.Series("extra", ["a"] * 400), original) == []
    assert found(pl.Series("extra", [None] * 400, dtype=pl.String), original) == []
    assert hints(original, released(original), np.arange(400), QI, []) == []


def test_an_order_that_follows_from_what_rows_show_tells_nothing() -> None:
    """Sorted rows are what the program itself writes; anybody who has the rows can sort them."""
    sorted_by_number = pl.DataFrame({"a": ["[0, 5)", "[0, 5)", "[5, 9)", None], "pay": ["9", "10", "10", "1"]})
    assert _is_arranged(sorted_by_number)
    assert _is_arranged(sorted_by_number.with_columns(pl.col("pay").cast(pl.Int64)))
    assert not _is_arranged(sorted_by_number[[3, 0, 1, 2]])
    assert not _is_arranged(sorted_by_number[[2, 0, 1, 3]])

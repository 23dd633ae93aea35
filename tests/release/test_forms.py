"""Forms for analysis: typed tables that tell no more than the labels, recounted in the form in which they are written."""

from __future__ import annotations

import re
from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.errors import NotAnonymous
from shoal.io import write
from shoal.release.forms import in_form

K = 3


def table(n: int = 60, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 60, n),
            "job": rng.choice(["cook", "nurse", "smith", "tailor"], n),
            "seen": [date(2024, 1, 1 + int(d)).isoformat() for d in rng.integers(0, 28, n)],
            "code": [["1201", "1202", "1300", None][i] for i in rng.integers(0, 4, n)],
            "wage": rng.integers(1, 9, n),
        }
    )


def release(frame: pl.DataFrame, **more: object) -> shoal.Release:
    hierarchies = {
        "age": shoal.intervals(5, 20),
        "job": [["cook", "food", "*"], ["nurse", "care", "*"], ["smith", "craft", "*"], ["tailor", "craft", "*"]],
        "seen": shoal.dates("month"),
        "code": shoal.any_subset(),
    }
    return shoal.anonymize(frame, k=K, quasi_identifiers=list(hierarchies), keep=["wage"], hierarchies=hierarchies, time_limit=0.2, **more)


def alike(frame: pl.DataFrame, names: list[str]) -> int:
    """The smallest group of rows that show the same."""
    return int(frame.group_by(names).len()["len"].min())


@pytest.mark.parametrize("form", ["bounds", "typed"])
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_a_form_is_k_anonymous_as_it_is_written_and_verify_says_so(tmp_path, form: str, ending: str) -> None:
    frame = table()
    made, path = release(frame), tmp_path / f"r{ending}"
    made.write(path, form=form)
    written = pl.read_parquet(path) if ending == ".parquet" else pl.read_csv(path)
    shown = [name for name in written.columns if name != "wage"]
    assert alike(written, shown) >= K
    names = ["age", "job", "seen", "code"]
    verdict = shoal.verify(
        frame, path, k=K, quasi_identifiers=names, hierarchies={n: made.policy.columns[n].hierarchy for n in names}, form=form
    )
    assert verdict.smallest_group >= K


def test_bounds_are_typed_and_hold_the_original() -> None:
    """Released numbers were `29.0`, `[60, 70)`, `*` and empty cells in one column; two columns of numbers can be analysed."""
    frame = table()
    made = release(frame)
    shown = made.to_table(form="bounds")
    assert shown.schema["age_from"] == shown.schema["age_to"] == pl.Int64
    assert shown.schema["seen_from"] == pl.Date
    assert shown.schema["job"] == pl.List(pl.String)
    before = frame[made.rows]
    low, high = shown["age_from"].fill_null(-1), shown["age_to"].fill_null(999)
    assert ((low <= before["age"]) & (before["age"] <= high)).all()
    day = before["seen"].str.to_date()
    assert ((shown["seen_from"].fill_null(date(1, 1, 1)) <= day) & (day <= shown["seen_to"].fill_null(date(9999, 1, 1)))).all()
    for cell, value in zip(shown["code"].to_list(), before["code"].to_list(), strict=True):
        assert cell is None or value in cell


def test_typed_has_one_value_a_label_and_says_which_are_guesses() -> None:
    """One column of numbers, and beside it what was shown where a number is a guess."""
    made = release(table())
    shown = made.to_table(form="typed")
    assert shown.schema["age"] == pl.Int64
    exact = shown["age_shown"].is_null()
    assert shown.filter(exact)["age"].cast(pl.String).to_list() == made.frame.filter(exact)["age"].to_list()
    assert shown.filter(~exact)["age_shown"].to_list() == made.frame.filter(~exact)["age"].to_list()
    for label, value in shown.filter(~exact).select("age_shown", "age").unique().rows():
        ends = re.findall(r"\d+", label)
        assert not ends or int(ends[0]) <= value < int(ends[1])
    assert shown.group_by("age_shown").agg(pl.col("age").n_unique()).filter(pl.col("age_shown").is_not_null())["age"].max() == 1


@given(seed=st.integers(0, 10_000), form=st.sampled_from(["bounds", "typed"]))
@settings(max_examples=15, deadline=None)
def test_a_form_tells_nothing_that_the_labels_do_not(seed: int, form: str) -> None:
    """Rows that show the same labels show the same in every form, and hidden values do not matter."""
    made = release(table(40, seed))
    names = [column.name for column in made.problem.columns]
    shown = in_form(made.frame.select(names), dict(made.hierarchies), form, lists_as_text=True)
    both = pl.concat([made.frame.select(names).rename({n: f"label {n}" for n in names}), shown], how="horizontal")
    assert both.unique().height == made.frame.select(names).unique().height


def test_what_was_changed_after_verifying_is_not_written(tmp_path) -> None:
    frame, verdict = release(table()).in_form("bounds", lists_as_text=True)
    other = frame.with_columns(pl.when(pl.int_range(pl.len()) == 0).then(None).otherwise(pl.col("age_to")).alias("age_to"))
    with pytest.raises(NotAnonymous, match="not the table that was verified"):
        write(other, tmp_path / "r.csv", verdict=verdict)
    assert not (tmp_path / "r.csv").exists()


@pytest.mark.parametrize(
    ("form", "column", "value"),
    [
        ("bounds", "age_to", 1000),
        ("bounds", "job", '["cook", "nurse", "smith", "tailor"]'),
        ("typed", "age", 77),
        ("typed", "job_shown", "*"),
    ],
)
def test_one_cell_made_wider_leaves_a_row_alone_and_is_found(form: str, column: str, value: object) -> None:
    """An attacker who could write his own forms: the wider cell is true, but only one row has it."""
    frame = table()
    made = release(frame)
    shown = made.in_form(form, lists_as_text=True)[0]
    at = int(shown[column].is_not_null().arg_max() or 0) if form == "bounds" else 0
    doctored = shown.with_columns(pl.when(pl.int_range(pl.len()) == at).then(pl.lit(value)).otherwise(pl.col(column)).alias(column))
    names = ["age", "job", "seen", "code"]
    with pytest.raises(NotAnonymous, match="Not 3-anonymous"):
        shoal.verify(
            frame, doctored, k=K, quasi_identifiers=names, hierarchies={n: made.policy.columns[n].hierarchy for n in names}, form=form
        )


def test_bounds_that_miss_the_original_are_found() -> None:
    frame = table()
    made = release(frame)
    shown = made.in_form("bounds", lists_as_text=True)[0]
    moved = shown.with_columns(pl.col("age_from") + 30, pl.col("age_to") + 30)
    names = ["age", "job", "seen", "code"]
    with pytest.raises(NotAnonymous, match="age"):
        shoal.verify(
            frame, moved, k=K, quasi_identifiers=names, hierarchies={n: made.policy.columns[n].hierarchy for n in names}, form="bounds"
        )


def test_a_hierarchy_whose_labels_say_something_else_stays_in_labels() -> None:
    """ARX's hierarchy of Adult calls 41 to 45 '40-44'."""
    ages = [str(x) for x in range(41, 51)]
    rows = [[x, "40-44" if int(x) <= 45 else "45-49", "*"] for x in ages]
    frame = pl.DataFrame({"age": ages * 2, "sex": ["f", "m"] * 10})
    made = shoal.anonymize(frame, k=4, quasi_identifiers=["age", "sex"], hierarchies={"age": rows}, time_limit=0.2)
    assert made.to_table(form="bounds").columns == ["age", "sex"]


def test_a_column_that_is_in_the_way_is_named() -> None:
    frame = table().with_columns(pl.lit(1).alias("age_from"))
    with pytest.raises(shoal.DataError, match="'age_from' already"):
        release(frame, sensitive=["age_from"]).to_table(form="bounds")
    with pytest.raises(shoal.PolicyError, match="no form 'wide'"):
        release(table()).to_table(form="wide")


def test_the_reader_reads_every_form_alike() -> None:
    made = release(table(200, 3))
    names = [column.name for column in made.problem.columns]
    plain = shoal.read(made)
    for form in ("bounds", "typed"):
        reading = shoal.read(
            made.to_table(form=form),
            form=form,
            quasi_identifiers=names,
            measure=made.policy.measure,
            hierarchies={n: made.policy.columns[n].hierarchy for n in names},
        )
        one, other = (r.count(job="nurse") for r in (reading, plain))
        assert (one.at_least, one.at_most) == (other.at_least, other.at_most)


def test_a_form_is_not_written_to_a_database_that_would_count_other_columns(tmp_path) -> None:
    with pytest.raises(shoal.ShoalError, match="to files only"):
        release(table()).write(f"sqlite:///{tmp_path}/r.db?table=people", form="bounds")
    assert not list(tmp_path.iterdir())

"""Asking a release: what an analyst would state of the answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import shoal
from shoal import demo

RNG = np.random.default_rng(3)


def people(n: int = 1500) -> pl.DataFrame:
    age = np.clip(RNG.normal(42, 14, n).round(), 18, 90).astype(int)
    sex = RNG.choice(["f", "m"], n, p=[0.55, 0.45])
    job = np.where(
        age > 60,
        RNG.choice(["retired", "clerk"], n, p=[0.8, 0.2]),
        RNG.choice(["nurse", "cook", "clerk", "smith"], n, p=[0.4, 0.3, 0.25, 0.05]),
    )
    town = RNG.choice(["north", "south", "east", "west", "isle"], n, p=[0.4, 0.3, 0.2, 0.08, 0.02])
    ill = RNG.choice(["flu", "cold"], n)
    return pl.DataFrame({"age": age, "sex": sex, "job": job, "town": town, "ill": ill})


TABLE = people()
QI = ["age", "sex", "job", "town"]


@pytest.fixture(scope="module", params=["non-uniform-entropy", "lm"])
def release(request) -> shoal.Release:
    return shoal.anonymize(TABLE, k=5, quasi_identifiers=QI, sensitive=["ill"], measure=request.param, time_limit=1)


def ask(rng: np.random.Generator) -> dict:
    """A random conjunction of one to three conditions."""
    asked: dict = {}
    for name in rng.choice([*QI, "ill"], rng.integers(1, 4), replace=False):
        if name == "age":
            low = int(rng.integers(18, 70))
            asked["age"] = (low, low + int(rng.choice([4, 9, 19])))
        else:
            values = TABLE[name].unique().sort().to_list()
            asked[str(name)] = list(rng.choice(values, rng.integers(1, max(2, len(values) // 2)), replace=False))
    return asked


def truth(asked: dict) -> int:
    kept = TABLE
    for name, value in asked.items():
        kept = kept.filter(pl.col(name).is_between(*value) if name == "age" else pl.col(name).is_in(value))
    return kept.height


def test_what_is_exact_is_counted_exactly():
    shown = pl.DataFrame({"age": ["30", "30", "40", "40"], "sex": ["f", "f", "m", "m"]})
    found = shoal.read(shown).count(age=30)
    assert (found.value, found.low, found.high, found.at_least, found.at_most) == (2, 2, 2, 2, 2)


def test_the_truth_lies_between_what_is_certain_and_what_is_possible(release):
    """The limits use no assumption at all, so they may never fail."""
    reading = shoal.read(release)
    rng = np.random.default_rng(0)
    for _ in range(300):
        asked = ask(rng)
        found = reading.count(asked)
        assert found.at_least <= truth(asked) <= found.at_most
        assert found.at_least <= found.low <= found.value + 1e-9
        assert found.value <= found.high + 1e-9
        assert found.high <= found.at_most


def test_intervals_hold_the_truth_as_often_as_they_say(release):
    reading, rng = shoal.read(release), np.random.default_rng(1)
    held = []
    for _ in range(400):
        asked = ask(rng)
        found = reading.count(asked)
        if found.at_most > found.at_least:
            held.append(found.low - 0.5 <= truth(asked) <= found.high + 0.5)
    assert np.mean(held) > 0.9


def test_intervals_are_not_wide_for_nothing(release):
    """Counts of one column: the error to expect is a few percent of what is possible."""
    reading = shoal.read(release)
    for name in ("sex", "job"):
        for value in TABLE[name].unique():
            found = reading.count({name: value})
            assert found.high - found.low <= 0.75 * (found.at_most - found.at_least) + 2


def test_a_table_adds_up_and_agrees_with_counts(release):
    reading = shoal.read(release)
    table = reading.table("sex", "job")
    assert table["count"].sum() == pytest.approx(TABLE.height)
    for sex, job, count, low, high in table.iter_rows():
        one = reading.count(sex=sex, job=job)
        assert (count, low, high) == pytest.approx((one.value, one.low, one.high))


def test_a_table_by_steps_and_with_an_exact_column(release):
    reading = shoal.read(release)
    table = reading.table("age", "ill", bins={"age": 20}, where={"sex": "f"})
    found = table.filter((pl.col("age") == "[40, 60)") & (pl.col("ill") == "flu"))["count"].item()
    assert found == pytest.approx(reading.count(age=(40, 59), ill="flu", sex="f").value)


def test_means_and_quantiles_are_near_and_say_how_near(release):
    reading = shoal.read(release)
    mean = reading.mean("age")
    assert mean.low <= TABLE["age"].mean() <= mean.high
    assert abs(mean.value - TABLE["age"].mean()) < 1.5
    nurses = TABLE.filter(pl.col("job") == "nurse")["age"]
    assert reading.mean("age", job="nurse").value == pytest.approx(nurses.mean(), abs=2.5)
    for share in (0.25, 0.5, 0.75):
        found = reading.quantile("age", share)
        assert found.low - 1 <= TABLE["age"].quantile(share) <= found.high + 1


def test_a_file_tells_as_much_as_the_release_object(release, tmp_path: Path):
    """Nothing is read but what was published: the same answers come from the written file and its manifest."""
    release.write(tmp_path / "release.csv")
    from_file = shoal.read(tmp_path / "release.csv", manifest=release.manifest)
    from_object = shoal.read(release)
    rng = np.random.default_rng(2)
    for _ in range(30):
        asked = ask(rng)
        assert from_file.count(asked) == from_object.count(asked)


def test_a_drawn_table_keeps_what_is_shown_and_has_types(release):
    drawn = shoal.read(release).imputed(seed=1)
    assert drawn.height == TABLE.height
    assert drawn["age"].dtype.is_integer()
    exact = drawn.filter(pl.col("age_exact"))["age"].cast(pl.String)
    assert exact.equals(release.frame.filter(drawn["age_exact"])["age"], null_equal=True)
    assert drawn["ill"].equals(release.frame["ill"])
    assert shoal.read(release).imputed(seed=1).equals(drawn)
    assert not shoal.read(release).imputed(seed=2).equals(drawn)


def test_many_drawings_vary_as_much_as_the_interval_says(release):
    """Rubin's rules need it: the spread of a count over drawings is about its standard error."""
    reading = shoal.read(release)
    drawn = reading.imputed(times=60)
    counts = drawn.filter(pl.col("job") == "clerk").group_by("imputation").len()["len"].to_numpy()
    found = reading.count(job="clerk")
    assert counts.mean() == pytest.approx(found.value, abs=2 * found.standard_error)
    assert 0.4 * found.standard_error < counts.std() < 1.6 * found.standard_error


def test_days_are_days():
    """Months and days of one column: ranges, tables and drawn tables speak of dates."""
    shown = pl.DataFrame({"day": ["2024-05-30"] * 3 + ["2024-06-02"] * 3 + ["2024-06"] * 4})
    reading = shoal.read(shown)
    june = reading.count(day=("2024-06-01", None))
    assert (june.at_least, june.at_most) == (7, 7)
    assert reading.count(day=("2024-05-30", "2024-05-30")).value == pytest.approx(3)
    drawn = reading.imputed()
    assert drawn["day"].dtype == pl.Date
    assert drawn["day"].dt.year().unique().to_list() == [2024]
    assert reading.table("day")["day"].dtype == pl.Date


def test_pandas_in_pandas_out():
    shown = pd.DataFrame({"age": ["30", "30", "31", "31", "[30, 40)", "[30, 40)"], "sex": ["f", "f", "m", "m", "*", "*"]})
    reading = shoal.read(shown)
    assert isinstance(reading.table("sex"), pd.DataFrame)
    assert isinstance(reading.imputed(), pd.DataFrame)


def test_it_says_when_values_seem_hidden_by_how_rare_they_are():
    """Nine in ten rare values hidden, and nothing of the frequent one: the reader must notice."""
    shown = ["a"] * 900 + ["b"] * 10 + ["*"] * 90
    reading = shoal.read(pl.DataFrame({"x": shown, "group": [str(i // 5) for i in range(1000)]}), quasi_identifiers=["x"])
    assert reading.summary()["hidden"].item() == pytest.approx(0.09)
    certain = shoal.read(pl.DataFrame({"x": ["a"] * 10}))
    assert certain.doubts == []
    assert any("'x'" in sentence for sentence in shoal.read(pl.DataFrame({"x": ["a"] * 500 + ["b"] * 20 + ["*"] * 480})).doubts)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"height": 3}, "no column 'height'"),
        ({"sex": (1, 2)}, "neither numbers nor dates"),
        ({"age": ("x", "y")}, "must be numbers"),
        ({"age": (1, 2, 3)}, "a pair"),
        ({"job": "pilot"}, "no such value"),
    ],
)
def test_wrong_questions_are_told(release, asked: dict, words: str):
    with pytest.raises(shoal.DataError, match=words):
        shoal.read(release).count(asked)


def test_the_demo_with_its_hierarchies():
    """Labels of hierarchy files, codes cut short, missing cells: every value's limits hold the truth."""
    files = demo.files()
    release = shoal.anonymize(files.table, policy=files.policy, time_limit=1, suppress=0.0)
    reading = shoal.read(release)
    original = pl.read_csv(files.table, infer_schema_length=0)
    names = reading.summary()["column"].to_list()
    assert len(names) > 2
    for name in names:
        for value, n in original[name].drop_nulls().value_counts().sort("count").tail(40).iter_rows():
            if value in reading.columns[name].words.values:
                found = reading.count({name: value})
                assert found.at_least <= n <= found.at_most

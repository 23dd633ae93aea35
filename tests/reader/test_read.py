"""A release read by an analyst."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import shoal
from shoal import demo
from tests.reader.people import TABLE, ask


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


def test_a_file_tells_as_much_as_the_release_object(release, tmp_path: Path):
    """Nothing is read but what was published: the same answers come from the written file and its manifest."""
    release.write(tmp_path / "release.csv")
    from_file = shoal.read(tmp_path / "release.csv", manifest=release.manifest)
    from_object = shoal.read(release)
    rng = np.random.default_rng(2)
    for _ in range(30):
        asked = ask(rng)
        assert from_file.count(asked) == from_object.count(asked)


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


def test_a_code_cut_short_may_be_one_that_no_cell_shows():
    """Ten rows show 273**, and one of their codes is shown elsewhere: nobody knows how many of them have it."""
    codes = pl.DataFrame({"zip": ["27301"] * 3 + ["273**"] * 10 + ["*"] * 2, "sex": ["f"] * 15})
    reading = shoal.read(codes, quasi_identifiers=["zip", "sex"])
    found = reading.count(zip="27301")
    assert (found.at_least, found.at_most) == (3, 15)
    assert found.low <= 3.5
    assert reading.table("zip")["low"][0] <= 3.5
    listed = shoal.read(codes, quasi_identifiers=["zip", "sex"], hierarchies={"zip": [["27301", "273**", "*"], ["27302", "273**", "*"]]})
    assert listed.count(zip=["27301", "27302"]).at_least == 13, "a star may hide a missing cell"


def test_the_demo_with_its_hierarchies():
    """Labels of hierarchy files, codes cut short, missing cells: every value's limits hold the truth."""
    files = demo.files()
    release = shoal.anonymize(files.table, policy=files.policy, time_limit=1, withhold=0.0)
    reading = shoal.read(release)
    original = pl.read_csv(files.table, infer_schema_length=0)
    names = reading.summary()["column"].to_list()
    assert len(names) > 2
    for name in names:
        for value, n in original[name].drop_nulls().value_counts().sort("count").tail(40).iter_rows():
            if value in reading.columns[name].words.values:
                found = reading.count({name: value})
                assert found.at_least <= n <= found.at_most


def test_what_a_star_hides_may_be_something_that_no_cell_shows() -> None:
    """A release of 1,195 stars and one date that five rows show does not mean that everybody was born on that day."""
    shown = pl.DataFrame({"born": ["*"] * 1195 + ["21.06.1997"] * 5})
    found = shoal.read(shown, hierarchies={"born": shoal.suppression()}).count(born="21.06.1997")
    assert (found.at_least, found.at_most) == (5.0, 1200.0)
    assert found.value < 100
    codes = pl.DataFrame({"code": ["*"] * 90 + ["x1"] * 5 + ["x2"] * 5})
    assert shoal.read(codes).count(code="x1").value < 20


def test_values_that_many_groups_show_are_taken_for_all_there_are() -> None:
    shown = pl.DataFrame({"sex": (["f"] * 5 + ["m"] * 5) * 20 + ["*"] * 40, "age": [str(20 + i // 5) for i in range(240)]})
    found = shoal.read(shown).count(sex="f")
    assert found.value == pytest.approx(120, abs=1)
    assert (found.at_least, found.at_most) == (0, 240), "nobody said that f is no name of a set"
    told = shoal.read(shown, hierarchies={"sex": shoal.suppression()}).count(sex="f")
    assert (told.at_least, told.at_most) == (100, 140), "certain is only what is shown"


def test_a_column_that_is_hidden_everywhere_is_called_hidden() -> None:
    shown = pl.DataFrame({"born": ["*"] * 6, "sex": ["f"] * 3 + ["m"] * 3})
    reading = shoal.read(shown)
    assert reading.columns["born"].is_hidden.all()


def test_where_only_one_value_is_listed_a_star_hides_another() -> None:
    """A group that shows a star holds two values at least."""
    shown = pl.DataFrame({"second": [None] * 180 + ["*"] * 10}, schema={"second": pl.String})
    found = shoal.read(shown).count(second=None)
    assert (found.at_least, found.at_most) == (180.0, 190.0)
    assert found.low <= 188 <= found.high


def test_a_range_cuts_a_stretch_of_numbers_in_which_none_is_shown() -> None:
    """Of [2.5, 3.5) a part lies in the range: what is certain must not depend on where its middle is."""
    shown = pl.DataFrame({"x": ["2.25"] * 5 + ["[2.5, 3.5)"] * 10 + ["[3.5, 4.5)"] * 10})
    reading = shoal.read(shown)
    found = reading.count(x=(2, 3.25))
    assert (found.at_least, found.at_most) == (5.0, 15.0)
    assert found.value == pytest.approx(5 + 7.5)
    assert reading.count(x=(3, 3)).at_most == 10.0
    assert reading.count(x=(2, 3.5)).at_least == 15.0
    only = shoal.read(pl.DataFrame({"x": ["[330, 340)"] * 10 + ["[340, 350)"] * 10}))
    assert only.count(x=(335.12, 344.34)).at_least == 0.0
    assert only.count(x=(335.12, 344.34)).at_most == 20.0


def test_a_number_beyond_all_that_is_shown_may_be_behind_a_star() -> None:
    shown = pl.DataFrame({"year": ["1999"] * 5 + ["2000"] * 5 + ["*"] * 7})
    found = shoal.read(shown).count(year=(2005, 2008))
    assert (found.at_least, found.at_most) == (0.0, 7.0)


def test_a_step_between_few_numbers_is_not_believed() -> None:
    """Weeks 4, 8 and 16 do not mean that there are no others in [0, 4)."""
    shown = pl.DataFrame({"week": ["4"] * 5 + ["8"] * 5 + ["16"] * 5 + ["[0, 4)"] * 8})
    assert shoal.read(shown).count(week=(1, 2)).value == pytest.approx(4, abs=0.1)


def test_names_that_only_the_owner_knows_are_not_taken_for_values(tmp_path):
    """A release shows 'homme' for M and H. Without its hierarchy nobody can count M, and nothing is called certain."""
    rng = np.random.default_rng(1)
    table = pl.DataFrame({"s": rng.choice(list("MFHD"), 200), "z": rng.choice(list("abcdefgh"), 200)})
    rows = [["M", "homme", "*"], ["H", "homme", "*"], ["F", "femme", "*"], ["D", "femme", "*"]]
    release = shoal.anonymize(table, k=5, quasi_identifiers=["s", "z"], hierarchies={"s": shoal.levels(rows)}, effort=0.1)
    told = shoal.read(release.frame, manifest=release.manifest)
    for question in (lambda: told.count(s="F"), lambda: told.table("s"), lambda: told.count(z="a", s="M")):
        with pytest.raises(shoal.DataError, match="may show names that stand for several values"):
            question()
    assert any("'s'" in doubt and "not published" in doubt for doubt in told.doubts)
    assert told.count(z="a").at_most is not None
    given = shoal.read(release.frame, manifest=release.manifest, hierarchies={"s": shoal.levels(rows)})
    found, truth = given.count(s="F"), int((table["s"] == "F").sum())
    assert found.at_least <= truth <= found.at_most
    assert shoal.read(release.frame, manifest=release.manifest, policy=release.policy).count(s="F") == found
    assert shoal.read(release).count(s="F") == found


def test_a_column_with_rare_values_that_are_shown_nowhere_is_doubted():
    """Ten frequent trades and 150 rare ones: all rare ones are hidden, and the reader cannot know how many there were. It says so."""
    rng = np.random.default_rng(4)
    trade = np.where(rng.random(3000) < 0.2, rng.integers(100, 250, 3000), rng.integers(0, 10, 3000)).astype(str)
    table = pl.DataFrame({"trade": trade, "sex": rng.choice(["f", "m"], 3000)})
    hidden = {"trade": shoal.suppression(), "sex": shoal.suppression()}
    rows = table.with_columns(pl.concat_str(pl.lit("t"), "trade").alias("trade"))
    told = shoal.read(
        shoal.anonymize(rows, k=10, quasi_identifiers=["trade", "sex"], hierarchies=hidden, effort=0.1).frame,
        quasi_identifiers=["trade", "sex"],
    )
    assert any("'trade'" in doubt and "shown nowhere" in doubt for doubt in told.doubts)
    assert not any("'sex'" in doubt and "shown nowhere" in doubt for doubt in told.doubts)


def test_a_manifest_of_another_release_is_refused() -> None:
    """With other rows, or with more groups than it tells, or one in another form: what a manifest says of labels holds for its own release."""
    files = demo.files()
    release = shoal.anonymize(files.table, policy=files.policy, time_limit=1)
    manifest = json.loads(json.dumps(release.manifest))
    assert shoal.read(release.frame, manifest=manifest).n_rows == release.frame.height
    with pytest.raises(shoal.DataError, match="rows"):
        shoal.read(release.frame.head(50), manifest=manifest)
    with pytest.raises(shoal.DataError, match="groups"):
        shoal.read(release.frame, manifest={**manifest, "n_groups": 1})
    for key, wrong in (("orders", {"age": 5}), ("quasi_identifiers", 5), ("hierarchies", {"age": 5})):
        with pytest.raises(shoal.PolicyError, match=key):
            shoal.read(release.frame, manifest={**manifest, key: wrong})

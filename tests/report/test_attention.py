"""What somebody who signs has to look at first."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.report.model import owner_model
from shoal.report.plain import look_first
from shoal.report.public import public_model


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    rng = np.random.default_rng(5)
    sex = rng.choice(["female", "male"], 300)
    age = rng.integers(20, 60, 300)
    return pl.DataFrame(
        {
            "age": age,
            "sex": sex,
            "SexCode": np.where(sex == "female", "0", "1"),
            "decade": [f"{a // 10}x" for a in age],
            "noise": rng.choice(["a", "b", "c"], 300),
            "ill": np.where(age < 30, "flu", "gout"),
        }
    )


def model_of(frame: pl.DataFrame, for_owner: bool, **asked):
    made = shoal.anonymize(frame, k=5, algorithm="mondrian", **asked)
    return owner_model(made) if for_owner else public_model(made)


@pytest.mark.parametrize("for_owner", [True, False])
def test_what_nobody_named_stands_first(frame, for_owner: bool):
    """The report opened in green and had its warnings at the end."""
    model = model_of(frame, for_owner, quasi_identifiers=["age"], keep=["noise"], sensitive=["ill"])
    heads = [head for head, _ in look_first(model)]
    assert heads[0] == "Not protected: sex, SexCode, decade."
    assert heads[1] == "Kept on purpose: noise."
    assert heads[2].startswith("'ill' is given away for")


def test_columns_that_tell_what_others_hide_are_named(frame):
    """SexCode goes out beside sex, and the decade beside the age."""
    model = model_of(frame, True, quasi_identifiers=["age", "sex"], keep=["SexCode", "decade", "noise"])
    told = {(t["teller"], t["told"]): t["how"] for t in model["attention"]["tells"]}
    assert told[("SexCode", "sex")] == "all"
    assert told[("decade", "age")] == "some"
    assert not any("noise" in pair for pair in told)


def test_the_published_edition_says_it_as_far_as_the_release_shows_it(frame):
    """Whether a column tells what another hides is counted in the exact cells of the release, not in the original."""
    big = pl.concat([frame.select("sex", "SexCode", "noise")] * 4).with_columns(
        pl.Series("age", np.random.default_rng(0).integers(20, 90, 1200))
    )
    model = model_of(
        big,
        False,
        quasi_identifiers=["age", "sex"],
        keep=["SexCode", "noise"],
        hierarchies={"age": shoal.suppression()},
    )
    release = shoal.anonymize(
        big,
        k=5,
        algorithm="mondrian",
        quasi_identifiers=["age", "sex"],
        keep=["SexCode", "noise"],
        hierarchies={"age": shoal.suppression()},
    )
    shown = release.frame.filter(pl.col("sex") != "*")
    if len(shown) < len(release.frame):
        assert {"teller": "SexCode", "told": "sex", "how": "all"} in model["attention"]["tells"]
    assert not any(t["teller"] == "noise" for t in model["attention"]["tells"])


def test_nothing_is_said_plainly():
    rng = np.random.default_rng(6)
    frame = pl.DataFrame({"age": rng.integers(20, 60, 400), "ill": rng.choice(["flu", "cold", "gout"], 400)})
    for for_owner in (True, False):
        model = model_of(frame, for_owner, quasi_identifiers=["age"], sensitive=["ill"], l_diversity=2)
        assert look_first(model) == []
    text = shoal.anonymize(
        frame, k=5, quasi_identifiers=["age"], sensitive=["ill"], l_diversity=2, algorithm="mondrian"
    ).report()
    assert "Nothing stands out." in text


def test_an_order_that_tells_is_the_owners_to_know():
    frame = pl.DataFrame(
        {"age": sorted(np.random.default_rng(7).integers(20, 80, 300).tolist()), "sex": ["f", "m"] * 150}
    )
    owner = model_of(frame, True, quasi_identifiers=["age", "sex"])
    assert any("order of the rows tells of age" in head for head, _ in look_first(owner))
    assert "order" not in model_of(frame, False, quasi_identifiers=["age", "sex"])["attention"]


def test_a_sensitive_column_that_is_different_in_most_rows_is_said_first():
    """Whoever knows the amount of somebody's claim finds the row, whatever its group.

    It follows from the release, so both editions say it.
    """
    rows = pl.DataFrame(
        {
            "age": [str(20 + i % 6) for i in range(60)],
            "paid": [f"{i * 37 + 5}.50" for i in range(60)],
            "ill": ["ab"[i % 2] for i in range(60)],
        }
    )
    release = shoal.anonymize(rows, k=5, quasi_identifiers=["age"], sensitive=["paid", "ill"], effort=0.1)
    for page in (release.report(), release.owner_report()):
        first = page.partition("Look here first</h2>")[2].partition("<h2")[0]
        assert "is different in most rows: 60 rows (100.0" in first
        assert "&#x27;ill&#x27; is different" not in first


def test_people_who_stand_out_by_all_their_rows_are_said_first_to_the_owner():
    rng = np.random.default_rng(3)
    rows = pl.DataFrame(
        {"who": [f"p{i // 3}" for i in range(90)], "age": rng.integers(20, 80, 90), "ill": rng.choice(list("abc"), 90)}
    )
    release = shoal.anonymize(rows, k=4, quasi_identifiers=["age"], sensitive=["ill"], person="who", effort=0.1)
    alone = release.record["people"]["n_alone"]
    assert alone > 0
    assert f"{alone} of 30 people stand out by all of their rows together" in release.owner_report()
    assert "stand out" not in release.report(), "how many people there are is not for publication"


def test_a_chance_is_said_with_what_it_rests_on():
    """Where k counts rows and somebody has several, the chance of picking hers is higher."""
    rows = pl.DataFrame({"age": [str(20 + i % 6) for i in range(60)], "ill": ["ab"[i % 2] for i in range(60)]})
    assert (
        "on average, if every person has one row."
        in shoal.anonymize(rows, k=5, quasi_identifiers=["age"], sensitive=["ill"], effort=0.1).report()
    )

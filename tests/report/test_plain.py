"""Sentences of the first page: true, and understood by a reader who has never heard of entropy."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.report import plain, words
from shoal.report.document import document
from shoal.report.markdown import markdown
from shoal.report.model import owner_model
from shoal.report.public import public_model
from tests.report.conftest import people


@pytest.fixture(scope="module", params=["public", "owner"])
def model(request, release):
    return public_model(release) if request.param == "public" else owner_model(release)


def document_text(model):
    return markdown(model).replace("\\", "")


def changed(model, **figures):
    key = "record" if "record" in model else "manifest"
    return {**model, key: {**model[key], **figures}}


def test_the_promise_says_what_was_counted(model, release):
    sizes = release.frame.group_by(release.manifest["quasi_identifiers"]).len()["len"]
    assert f"at least {int(sizes.min()) - 1} others in age, height, job and zip" in plain.promise(model)
    assert f"at least {int(sizes.min())} rows that fit" in plain.promise(model)
    assert "at least 1 other in" in plain.promise(changed(model, smallest_group=2))
    assert "different people" in plain.promise(changed(model, person="name"))
    assert "the 9 protected columns" in plain.promise(changed(model, quasi_identifiers=list("abcdefghi")))


def test_the_chance_is_never_said_to_be_lower_than_it_is(model, release):
    said = plain.neighbour(model)[0]
    highest = float(said.split("at most ")[1].split(" %")[0]) / 100
    assert highest >= 1 / release.manifest["smallest_group"] - 1e-12


def test_how_close_it_is_said_without_boasting(model):
    m = model.get("record") or model["manifest"]
    assert "Nobody can do better" in plain.near({**m, "ratio": 1.0})
    assert plain.near({**m, "ratio": 1.0440001}).startswith(
        "Nobody can do much better: what this release loses is at most 1.045 times the least possible."
    )
    assert plain.near({**m, "ratio": 1.987}).startswith(
        "What this release loses is at most 1.987 times the least possible."
    )
    assert "not known" in plain.near({**m, "ratio": None, "lower_bound": None, "bound": "none for this measure"})


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            {"max_withheld": 0, "deletion": False},
            "o release of these rows with the same levels and the same promise loses less",
        ),
        (
            {"max_withheld": 8, "deletion": False},
            (
                "o release that withholds at most 8 of these rows, whichever, with the same levels and the same "
                "promise loses less"
            ),
        ),
        (
            {"max_withheld": 396, "deletion": True},
            "o release of these rows with the same levels and the same promise, whichever it deletes, "
            "with every cell of a deleted row counted as hidden, loses less",
        ),
    ],
)
def test_the_bound_speaks_of_the_releases_that_were_asked_for(model, asked, said):
    m = {**(model.get("record") or model["manifest"]), **asked}
    assert said in plain.near({**m, "ratio": 1.0})
    assert said in plain.near({**m, "ratio": 1.5})
    for ratio in (1.0, 1.5):
        assert said.replace("with the same levels and the same promise", "by these hierarchies") in words.closeness(
            {**m, "ratio": ratio, "lower_bound": 1.0}
        )


def test_editions_that_show_other_figures_say_why(release):
    """The owner's report has exact figures and the published one rounded ones; the fingerprint of the policy is the
    same in both.
    """
    ours, theirs = document_text(owner_model(release)), document_text(public_model(release))
    assert "rounded here so that they tell nothing of the original" in theirs
    assert "rounded here" not in ours
    assert "The owner's report has other figures beside these" in theirs
    assert "it is in the owner's report alone" in ours
    told = [
        owner_model(release)["identity"]["policy_sha256"],
        public_model(release)["identity"]["policy_sha256"],
        release.manifest["policy_sha256"],
    ]
    assert told == told[:1] * 3
    assert all(f"(without seed, time limit and lists of values): {told[0]}" in text for text in (ours, theirs))


def test_a_run_that_the_clock_ended_says_so(release):
    model = owner_model(release)
    assert words.ENDED_EARLY not in document_text(model)
    assert document_text(changed(model, is_repeatable=False)).count(words.ENDED_EARLY) == 2, (
        "beside the loss, and where it is said how to repeat the run"
    )


def test_of_people_it_is_not_said_that_every_person_has_one_row():
    frame = people(120).with_columns(pl.Series("who", [str(i // 2) for i in range(120)]))
    release = shoal.anonymize(
        frame,
        k=4,
        quasi_identifiers=["age", "job"],
        identifiers=["who"],
        person="who",
        keep=["height", "zip", "ill", "income"],
        algorithm="mondrian",
    )
    for model in (owner_model(release), public_model(release)):
        said = plain.neighbour(model)[0]
        assert "rows of at least 4 different people that fit" in said
        assert "every person has one row" not in document_text(model)
    assert "is the neighbour's with a chance of at most" in plain.neighbour(owner_model(release))[0]


def test_the_first_line_names_the_columns_and_those_that_are_as_they_were(model, release):
    """'5-anonymous release' stood over birth dates and phone numbers that nobody had named."""
    said = plain.first_line(model)
    names = ", ".join(release.facts["quasi_identifiers"])
    assert said.startswith(f"{release.facts['k']}-anonymous in {names}")
    for name in [*release.facts["sensitive"], *release.facts["unprotected"]]:
        assert name in said.partition(" Released as they are: ")[2]
    assert document(model).identity[0] == ("Release", said)


def test_the_price_adds_up(model):
    said = plain.price(model)
    counts = [int(word) for word in said.split(". ")[0].replace(",", "").split() if word.isdigit()]
    assert counts[0] == 100
    assert sum(counts[1:]) == 100
    assert "7 rows of 400 were withheld" in said
    assert "No row was withheld" in plain.price(changed(model, n_withheld=0))


def test_a_part_is_never_said_to_be_nothing_or_all():
    assert plain.share(1, 100_000) == "under 0.1 %"
    assert plain.share(99_999, 100_000) == "over 99.9 %"
    assert plain.share(0, 10) == "0.0 %"
    assert plain.share(10, 10) == "100.0 %"


def test_what_a_neighbour_learns_without_picking_a_row(model, release):
    for said, name in zip(plain.neighbour(model)[1:], ("ill", "income"), strict=True):
        groups = release.frame.group_by(release.manifest["quasi_identifiers"]).agg(release.frame[name].name)
        alike = sum(len(values) for values in groups[name].to_list() if len(set(values)) == 1)
        assert (f"For {alike:,} rows" in said) == bool(alike)

"""Sentences of the first page: true, and understood by a reader who has never heard of entropy."""

from __future__ import annotations

import pytest

from shoal.report import plain
from shoal.report.model import owner_model
from shoal.report.public import public_model


@pytest.fixture(scope="module", params=["public", "owner"])
def model(request, release):
    return public_model(release) if request.param == "public" else owner_model(release)


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
    assert plain.near({**m, "ratio": 1.0440001}).startswith("Nobody can do much better: this release loses at most 4.5 % more")
    assert plain.near({**m, "ratio": 1.5}).startswith("This release loses at most 50 % more")
    assert "not known" in plain.near({**m, "ratio": None, "lower_bound": None, "bound": "none for this measure"})


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

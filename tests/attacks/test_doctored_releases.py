"""A doctored release passed for a true one. What the attacker has, wants and gets: ``doctoring.py``."""

from __future__ import annotations

from itertools import islice

import numpy as np
import polars as pl
import pytest

import shoal
from tests.attacks import doctoring
from tests.attacks.doctoring import DOCTORS, case, faults, is_accepted, mutations

EACH = 6


@pytest.mark.parametrize("seed", range(5))
def test_nothing_that_breaks_a_promise_is_accepted(seed):
    rng = np.random.default_rng(seed)
    original, release = case(rng)
    assert faults(original, release, release.frame) == ()
    assert is_accepted(original, release, release.frame)
    for doctored in islice(mutations(rng, original, release), EACH):
        if doctored.breaks:
            assert not is_accepted(original, release, doctored.frame), (doctored.name, doctored.breaks)


@pytest.mark.parametrize("doctor", DOCTORS, ids=lambda doctor: doctor.__name__)
def test_every_way_of_doctoring_breaks_something_and_is_found(doctor):
    rng = np.random.default_rng(7)
    broken = 0
    while broken < 2:
        original, release = case(rng)
        for _ in range(3):
            frame = doctor(rng, original, release, release.frame)
            if faults(original, release, frame):
                broken += 1
                assert not is_accepted(original, release, frame)


def test_an_error_shows_no_cell():
    """No cell of a person's row in a message."""
    rng = np.random.default_rng(3)
    original, release = case(rng)
    marked = original.with_columns(job=pl.lit("zyxw"), ill=pl.lit("qvut"))
    for doctored in islice(mutations(rng, original, release), 4):
        with pytest.raises(shoal.ShoalError) as error:
            shoal.verify(marked, doctored.frame, k=2, quasi_identifiers=["job", "age"])
        assert "zyxw" not in str(error.value)
        assert "qvut" not in str(error.value)


def test_the_naive_count_knows_what_it_judges():
    rng = np.random.default_rng(1)
    original, release = case(rng)
    name = doctoring._names(release)[1]
    lie = release.frame.with_columns(pl.lit("nurse").alias(name))
    assert "truth" in faults(original, release, lie)

"""What may be published: rounded so that it stays true, and only where others could have made the figure."""

from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.release.disclosure import BITS, Freedom, round_down, round_up

FIGURES = st.floats(1e-12, 1e15, allow_nan=False)


@given(FIGURES)
def test_a_loss_is_rounded_up_and_a_bound_down_so_that_both_stay_true(value: float):
    low, high = round_down(value), round_up(value)
    assert low <= value <= high
    assert high - low <= 1.001e-3 * value
    for rounded in (low, high):
        assert len(Decimal(repr(rounded)).normalize().as_tuple().digits) <= 4


@given(FIGURES)
def test_what_was_rounded_once_stays(value: float):
    assert round_up(round_up(value)) == round_up(value)
    assert round_down(round_down(value)) == round_down(value)


def test_the_freedom_outside_of_every_single_class_must_suffice():
    """An attacker who knows all rows of one class but one value is left with the freedom of the others only."""
    enough = float(BITS)
    alone = Freedom(bits=np.array([enough]), of_class=np.array([[enough], [0.0]]))
    assert not alone.hides(1), "one class holds all of it"
    shared = Freedom(bits=np.array([2 * enough]), of_class=np.array([[enough], [enough]]))
    assert shared.hides(1)
    assert not shared.hides(2)


def test_only_the_columns_that_a_figure_is_about_count():
    found = Freedom(bits=np.array([100.0, 0.0]), of_class=np.array([[1.0, 0.0]]))
    assert found.hides(1, [0])
    assert not found.hides(1, [1])


def test_a_small_table_publishes_no_entropy_and_a_large_one_does():
    """R3: of four rows, the loss alone would pick the original out of all tables that fit the release."""
    few = pl.DataFrame({"age": ["20", "21", "30", "30"], "ill": ["a", "b", "c", "d"]})
    told = shoal.anonymize(few, k=2, quasi_identifiers=["age"]).manifest
    assert told["loss"] is None
    assert told["lower_bound"] is None
    assert "not published" in told["bound"]
    many = pl.DataFrame({"age": [str(20 + i % 50) for i in range(3000)], "zip": [str(i * 7 % 97) for i in range(3000)]})
    release = shoal.anonymize(many, k=5, quasi_identifiers=["age", "zip"], algorithm="mondrian")
    assert release.manifest["loss"] == pytest.approx(release.record["loss"], rel=1e-3)
    assert release.manifest["loss"] >= release.record["loss"]

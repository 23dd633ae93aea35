"""What may be published: rounded so that it stays true, and only where others could have made the figure."""

from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.release.disclosure import BITS, Freedom, freedom, round_down, round_up
from tests.attacks.published import guess

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


def free(bits: np.ndarray, of_class: np.ndarray, spread: float = 50.0, adds: float = 1.0, takes: float = 1.0) -> Freedom:
    """Values behind the labels that lie halfway between all alike and all even, unless told otherwise."""
    each = np.ones_like(of_class)
    return Freedom(bits, of_class, np.full(len(bits), spread), np.full(len(bits), 100.0), adds * each, takes * each)


def test_an_extreme_spread_is_kept_back():
    """Within what one class can add to nothing, or take from the most, a figure would speak of every class."""
    bits, of_class = np.array([1000.0]), np.array([[1.0], [2.0]])
    assert free(bits, of_class, spread=50.0, adds=30.0, takes=30.0).hides(1)
    for spread in (0.0, 30.0, 70.0, 100.0):
        assert not free(bits, of_class, spread=spread, adds=30.0, takes=30.0).hides(1)


def test_what_a_class_takes_and_adds():
    """Four rows of two values behind one label, in two classes by another column: even, they have 4 bits. If both rows of a class are alike, three
    of four have one value: 4 · H(3/4) = 3.245 bits are left. If the other class is of one value and this one of the other, 4 bits are there."""
    frame = pl.DataFrame({"x": ["a", "b"] * 2, "y": ["1", "1", "2", "2"]})
    release = guess(frame, np.array([0, 0, 1, 1]), {"k": 2, "quasi_identifiers": ["x", "y"], "hierarchies": {"x": shoal.suppression()}})
    found = freedom(release.solution)
    assert release.frame["x"].to_list() == ["*"] * 4
    assert (found.spread[0], found.widest[0]) == (4.0, 4.0)
    assert found.takes[:, 0].tolist() == pytest.approx([4 - 3.245112] * 2, abs=1e-5)
    assert found.adds[:, 0].tolist() == [4.0, 4.0]
    assert not found.hides(1, [0])


def test_the_freedom_outside_of_every_single_class_must_suffice():
    """An attacker who knows all rows of one class but one value is left with the freedom of the others only."""
    enough = float(BITS)
    alone = free(bits=np.array([enough]), of_class=np.array([[enough], [0.0]]))
    assert not alone.hides(1), "one class holds all of it"
    shared = free(bits=np.array([2 * enough]), of_class=np.array([[enough], [enough]]))
    assert shared.hides(1)
    assert not shared.hides(2)


def test_only_the_columns_that_a_figure_is_about_count():
    found = free(bits=np.array([100.0, 0.0]), of_class=np.array([[1.0, 0.0]]))
    assert found.hides(1, [0])
    assert not found.hides(1, [1])


def test_a_small_table_publishes_no_entropy_and_a_large_one_does():
    """Of four rows, the loss alone would pick the original out of all tables that fit the release."""
    few = pl.DataFrame({"age": ["20", "21", "30", "30"], "ill": ["a", "b", "c", "d"]})
    told = shoal.anonymize(few, k=2, quasi_identifiers=["age"]).manifest
    assert told["loss"] is None
    assert told["lower_bound"] is None
    assert "not published" in told["bound"]
    rng = np.random.default_rng(1)
    many = pl.DataFrame({"age": rng.integers(20, 70, 3000).astype(str), "zip": rng.geometric(0.05, 3000).astype(str)})
    release = shoal.anonymize(many, k=5, quasi_identifiers=["age", "zip"], algorithm="mondrian")
    assert release.manifest["loss"] == pytest.approx(release.record["loss"], rel=1e-3)
    assert release.manifest["loss"] >= release.record["loss"]

"""Losses recounted from what labels stand for."""

from __future__ import annotations

import math

import polars as pl
import pytest

import shoal
from shoal import measures, registry
from tests.release.twelve import release


def test_the_loss_is_counted_with_the_weights():
    made = release(weights={"age": 3.0}, measure="lm")
    one = {column.name: column.losses["lm"] for column in made.verdict.columns[:2]}
    assert made.record["loss"] == pytest.approx(3 * one["age"] + one["sex"])


@pytest.mark.parametrize("measure", registry.names(measures.CATALOG))
@pytest.mark.parametrize("algorithm", ["mondrian", "auto"])
def test_the_recount_from_texts_finds_what_the_solver_counted_in_codes(measure, algorithm):
    """Two ways to one figure: prices of nodes, and the sets that the labels stand for."""
    made = release(measure=measure, algorithm=algorithm)
    assert made.verdict.loss == pytest.approx(made.solution.loss, rel=1e-9, abs=1e-9)


def test_each_measure_is_what_it_is_by_hand():
    """Four rows, two of them shown as a pair of which one value occurs once and one three times in the table."""
    original = pl.DataFrame({"x": ["a", "b", "b", "b"]})
    found = shoal.measure(original, pl.DataFrame({"x": ["{a, b}", "{a, b}", "b", "b"]}), quasi_identifiers=["x"]).columns["x"]
    bits = 2 - 0.75 * math.log2(3)
    assert found["entropy"] == pytest.approx(2 * bits)
    assert found["monotone-entropy"] == pytest.approx(2 * bits)
    assert found["non-uniform-entropy"] == pytest.approx(2 + math.log2(4 / 3))
    assert found["information-share"] == pytest.approx((2 + math.log2(4 / 3)) / bits)
    assert (found["lm"], found["stars"], found["tree"]) == (2.0, 2.0, 2.0)

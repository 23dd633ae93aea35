"""What a release by any tool has lost."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import measures, registry
from tests.release.twelve import DATA, HOW


@pytest.mark.parametrize("measure", registry.names(measures.CATALOG))
def test_manifest_and_measure_are_one_figure_when_rows_are_withheld(measure):
    """LM was 18,410.38 in the manifest and 18,340.22 by shoal measure."""
    frame = pl.concat([DATA, pl.DataFrame({"age": [99], "sex": ["x"], "ill": ["flu"], "pay": [2.0]})])
    made = shoal.anonymize(frame, **{**HOW, "k": 2, "withhold": 0.1, "measure": measure})
    assert made.manifest["n_withheld"] == 1
    found = shoal.measure(frame, made.table, quasi_identifiers=HOW["quasi_identifiers"], hierarchies=HOW["hierarchies"])
    for name, value in made.record["measures"].items():
        assert found.measures[name]["total"] == pytest.approx(value["total"], abs=1e-9), name
    assert made.loss == pytest.approx(found.measures[measure]["total"], abs=1e-9)


def test_another_tools_release_is_measured_by_hand():
    """Two values shown as a set of three, of four: LM 2/3 per cell; the other two shown as they are."""
    original = pl.DataFrame({"x": ["a", "b", "c", "d"]})
    released = pl.DataFrame({"x": ["{a, b, c}", "{a, b, c}", "c", "d"]})
    found = shoal.measure(original, released, quasi_identifiers=["x"])
    assert found.measures["lm"]["total"] == pytest.approx(4 / 3)
    assert found.measures["lm"]["per_cell"] == pytest.approx(1 / 3)
    assert found.measures["stars"]["total"] == 2
    assert found.columns["x"]["entropy"] == pytest.approx(2 * np.log2(3))
    assert (found.n_groups, found.smallest_group) == (3, 1)


def test_a_withheld_row_is_a_row_of_suppressed_cells():
    original = pl.DataFrame({"x": ["a", "a", "b"]})
    found = shoal.measure(original, original.head(2), quasi_identifiers=["x"])
    assert found.measures["stars"]["total"] == 0
    assert found.measures["stars"]["total_all_rows"] == 1
    assert found.measures["stars"]["per_cell_all_rows"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("released", "says"),
    [
        (pl.DataFrame({"x": ["a"] * 4}), "4 rows and its original only 3"),
        (pl.DataFrame({"y": ["a"] * 3}), "has no column 'x'"),
        (pl.DataFrame({"x": ["b", "b", "a"]}), "do not cover"),
    ],
)
def test_what_is_no_release_of_it_is_told(released, says):
    with pytest.raises(shoal.DataError, match=says):
        shoal.measure(pl.DataFrame({"x": ["a", "a", "b"]}), released, quasi_identifiers=["x"])


def test_somebody_must_say_what_outsiders_know():
    with pytest.raises(shoal.PolicyError, match="--qi"):
        shoal.measure(DATA, DATA)

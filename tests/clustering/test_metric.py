"""Distances column by column."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import shoal
from tests.clustering.small import apart, placed


def test_a_metric_file_and_a_policy_say_the_same(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [20, 30, 55, 60], "sex": ["f", "f", "m", "m"]})
    file = tmp_path / "metric.toml"
    file.write_text('[columns.age]\nunit = 10\n[columns.sex]\nmetric = "category"\nweight = 3\n')
    policy = tmp_path / "policy.toml"
    policy.write_text(
        'k = 2\n[columns.age]\nrole = "quasi-identifier"\nunit = 10\n[columns.sex]\nrole = "quasi-identifier"\nmetric '
        '= "category"\nweight = 3\n'
    )
    one = shoal.cluster(frame, r=2, quasi_identifiers=["age", "sex"], metric=file)
    other = shoal.cluster(frame, policy=policy)
    assert one.record["metric"] == other.record["metric"]
    assert one.clusters == other.clusters
    assert other.manifest["r"] == 2


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"age": {"unit": 0}}, "unit must be a positive number"),
        ({"age": {"unit": 1, "spread": True}}, "not both"),
        ({"age": {"weight": -1}}, "weight must be a positive number"),
        ({"age": {"metric": "cosine"}}, "no metric called 'cosine'"),
        ({"age": {"stretch": 2}}, "no metric setting called 'stretch'"),
        ({"height": {"unit": 1}}, "no quasi-identifier is called 'height'"),
        ({"age": {"metric": "place"}}, "needs a table of latitudes"),
        ({"age": {"metric": "hierarchy"}}, "none was given"),
        ({"age": {"unit": 1}, "combine": "product"}, "combine must be one of"),
        ({"age": {"metric": "category", "unit": 5}}, "unit has no meaning where the metric is 'category'"),
        ({"age": {"metric": "number", "places": {"A": (1, 2)}}}, "places has no meaning where the metric is 'number'"),
        ({"age": {"hierarchy": [["1", "*"], ["2", "*"]]}}, 'metric = "hierarchy" or metric = "number"'),
        (7, "not a int"),
    ],
)
def test_bad_settings_are_named(spec: object, words: str) -> None:
    with pytest.raises(shoal.PolicyError, match=words):
        placed({"age": [1, 2]}, spec)


def test_bad_cells_are_named_by_row_and_never_shown() -> None:
    with pytest.raises(shoal.DataError, match=r"2 of 4 cells are no numbers \(rows 2, 4\)") as told:
        placed({"age": ["20", "SECRET", "30", "SECRET"]}, {"age": {"unit": 10, "metric": "number"}})
    assert "SECRET" not in str(told.value)
    with pytest.raises(shoal.DataError, match="not finite"):
        placed({"age": [1.0, float("inf")]})
    with pytest.raises(shoal.DataError, match="lacks") as told:
        placed({"town": ["SECRET", "Paris"]}, {"town": {"places": {"Paris": (48.0, 2.0)}}})
    assert "SECRET" not in str(told.value)


def test_a_hierarchy_over_codes_or_over_numbers_of_which_it_was_said_is_measured_along() -> None:
    """0.2.0 passed over the hierarchy of a column of codes, and took all of them for equally far apart."""
    codes = {"zip": ["01067", "01069", "81000"]}
    rows = [["01067", "010", "*"], ["01069", "010", "*"], ["81000", "810", "*"]]
    made = placed(codes, {"zip": {"hierarchy": rows}})
    assert made.columns[0].kind == "hierarchy"
    assert (apart(made, 0, 1), apart(made, 0, 2)) == (0.5, 1.0)
    ages = [["1", "low", "*"], ["2", "low", "*"], ["9", "high", "*"]]
    for kind, far in (("hierarchy", 1.0), ("number", 8.0)):
        made = placed(
            {"age": [1, 2, 9]},
            {"age": {"hierarchy": ages, "metric": kind, **({"unit": 1} if kind == "number" else {})}},
        )
        assert apart(made, 0, 2) == far

"""Distances column by column."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import shoal
from tests.clustering.small import placed


def test_a_metric_file_and_a_policy_say_the_same(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [20, 30, 55, 60], "sex": ["f", "f", "m", "m"]})
    file = tmp_path / "metric.toml"
    file.write_text('[columns.age]\nunit = 10\n[columns.sex]\nmetric = "category"\nweight = 3\n')
    policy = tmp_path / "policy.toml"
    policy.write_text(
        'k = 2\n[columns.age]\nrole = "quasi-identifier"\nunit = 10\n[columns.sex]\nrole = "quasi-identifier"\nmetric = "category"\nweight = 3\n'
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

"""What was asked of a clustering, and what is wrong with it."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal

FRAME = pl.DataFrame({"age": [1, 2, 3, 8, 9, 10], "cost": [1, 1, 1, 1, 1, 9], "ill": list("abcabc")})


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"r": 7}, shoal.Infeasible, "6 rows, which cannot make a cluster of r=7"),
        ({"r": 0}, shoal.PolicyError, "at least 1"),
        ({"r": True}, shoal.PolicyError, "at least 1"),
        ({"r": 2.5}, shoal.PolicyError, "whole number"),
        ({}, shoal.PolicyError, "how many rows"),
        ({"r": 2, "outliers": 1}, shoal.PolicyError, "below 1"),
        ({"r": 2, "outliers": -0.1}, shoal.PolicyError, "at least 0"),
        ({"r": 2, "outliers": "some"}, shoal.PolicyError, "fraction"),
        ({"r": 2, "outliers": float("nan")}, shoal.PolicyError, "fraction"),
        ({"r": 2, "method": "center"}, shoal.PolicyError, "--max-clusters"),
        ({"r": 2, "method": "center", "max_clusters": 0}, shoal.Infeasible, "smallest feasible number is 1"),
        ({"r": 2, "method": "center", "max_clusters": 1.5}, shoal.PolicyError, "whole number"),
        ({"r": 2, "max_clusters": 3}, shoal.Refused, "--method center"),
        ({"r": 2, "method": "gathr"}, shoal.PolicyError, "Did you mean 'gather'"),
        ({"r": 2, "centers": "middle"}, shoal.PolicyError, "centers must be one of input, any, not 'middle'"),
        ({"r": 2, "sensitive_as": "set"}, shoal.PolicyError, "sensitive_as must be one of list, counts, not 'set'"),
        ({"r": 2, "setup_cost": 1}, shoal.Refused, "--method cellular"),
        (
            {"r": 2, "method": "cellular", "setup_cost": "cost", "centers": "any"},
            shoal.Refused,
            "no set-up cost of its own",
        ),
        ({"r": 2, "method": "cellular", "setup_cost": -1}, shoal.PolicyError, "at least 0"),
        ({"r": 2, "method": "cellular", "setup_cost": float("inf")}, shoal.PolicyError, "finite"),
        ({"r": 2, "method": "cellular", "setup_cost": "ill"}, shoal.DataError, "not finite numbers"),
        ({"r": 2, "method": "cellular", "setup_cost": [1, 2]}, shoal.PolicyError, "2 set-up costs for 6 rows"),
        (
            {"r": 1, "method": "cellular", "setup_cost": "cost", "centers": "any"},
            shoal.Refused,
            "no set-up cost of its own",
        ),
        ({"r": 2, "quasi_identifiers": []}, shoal.PolicyError, "No quasi-identifier"),
        ({"r": 2, "quasi_identifiers": ["agee"]}, shoal.DataError, "no column 'agee'"),
        ({"r": 2, "metric": {}, "distances": np.zeros((6, 6))}, shoal.PolicyError, "not both"),
        ({"r": 2, "distances": np.zeros((5, 5))}, shoal.DataError, "for 5 rows"),
        (
            {"r": 2, "hierarchies": {}, "distances": np.zeros((6, 6))},
            shoal.PolicyError,
            "distances or hierarchies, not both",
        ),
        (
            {"r": 2, "hierarchies": {}, "metric": "hamming"},
            shoal.PolicyError,
            "Hierarchies have no meaning beside this metric",
        ),
        ({"r": 2, "l_diversity": 2}, shoal.PolicyError, "Name one with --sensitive"),
        ({"r": 2, "sensitive": ["ill"], "l_diversity": 4}, shoal.Infeasible, "one cluster of all 6 rows does not keep"),
        ({"r": 2, "k": 2}, TypeError, "no argument called 'k'"),
    ],
)
def test_bad_input_is_named(asked: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        shoal.cluster(FRAME, **{"quasi_identifiers": ["age"], **asked})


def test_a_run_with_nothing_to_cluster_is_refused() -> None:
    with pytest.raises(shoal.PolicyError, match="nothing to cluster"):
        shoal.cluster(r=2)
    with pytest.raises(shoal.DataError, match="no rows"):
        shoal.cluster(FRAME.clear(), r=2, quasi_identifiers=["age"])


def test_roles_without_a_table_are_refused() -> None:
    with pytest.raises(shoal.PolicyError, match="The column 'age' has a role, and there is no table"):
        shoal.cluster(distances=np.zeros((6, 6)), r=2, quasi_identifiers=["age"])


def test_columns_beside_distances_are_told_as_not_published() -> None:
    made = shoal.cluster(FRAME, distances=np.zeros((6, 6)), r=2, quasi_identifiers=["age"], sensitive=["ill"])
    assert made.table.columns == ["cluster", "size", "ill"]
    assert set(made.manifest["dropped"]) == {"age", "cost"}


def test_one_person_a_cluster_is_said() -> None:
    c = shoal.cluster(FRAME, r=1, method="cellular", setup_cost=1, quasi_identifiers=["age"])
    assert "single person" in c.record["notes"][0]
    assert c.record["guarantee"] == 3.0

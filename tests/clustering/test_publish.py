"""What is published of clusters is true."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import polars as pl
import pytest

import shoal
from tests.clustering.people import QI, people, run


@pytest.mark.parametrize(
    "asked",
    [
        {"method": "gather"},
        {"method": "gather", "centers": "input"},
        {"method": "gather", "outliers": "0.1"},
        {"method": "gather", "outliers": 0.1, "centers": "input"},
        {"method": "center", "max_clusters": 4},
        {"method": "center", "max_clusters": 4, "outliers": 0.05},
        {"method": "cellular"},
        {"method": "cellular", "centers": "any"},
        {"method": "cellular", "setup_cost": 2.5},
        {"method": "cellular", "outliers": 0.1},
    ],
)
def test_what_is_published_is_true(asked: dict[str, Any]) -> None:
    frame = people()
    c = run(frame, r=5, **asked)
    told = c.record
    members = [row for _, rows in c.clusters for row in rows]
    assert sorted(members + c.outliers) == list(range(60))
    assert all(len(rows) >= 5 for _, rows in c.clusters)
    assert (
        len(c.outliers)
        == told["n_outliers"]
        <= told["max_outliers"]
        == int(Fraction(str(asked.get("outliers", 0))) * 60)
    )
    assert c.table.height == len(c.clusters) == told["n_clusters"]
    assert c.table["size"].to_list() == [len(rows) for _, rows in c.clusters]
    assert "name" not in c.table.columns
    radii = []
    for (centre, rows), shown in zip(c.clusters, c.table.to_dicts(), strict=True):
        assert json.loads(shown["illness"]) == sorted(frame["illness"][row] for row in rows)
        apart = [
            abs(frame["age"][i] - float(shown["age"])) / 10
            + (frame["town"][i] != shown["town"])
            + (frame["sex"][i] != shown["sex"])
            for i in rows
        ]
        radii.append(max(apart))
        if centre is not None:
            assert [str(frame[name][centre]) for name in QI] == [shown[name] for name in QI]
        if asked.get("centers") == "input":
            assert centre is not None
    cellular = asked["method"] == "cellular"
    assert ("radius" in c.table.columns) == cellular
    if cellular:
        assert c.table["radius"].to_list() == pytest.approx(radii)
    total = sum(len(rows) * radius for (_, rows), radius in zip(c.clusters, radii, strict=True))
    cost = total + asked.get("setup_cost", 0) * len(radii) if cellular else max(radii)
    assert c.cost == pytest.approx(cost) == told["cost"]
    assert c.lower_bound <= c.cost + 1e-9
    assert c.ratio == pytest.approx(c.cost / c.lower_bound)
    assert c.ratio <= told["guarantee"]
    assert told["largest_radius"] == pytest.approx(max(radii))


def test_sensitive_values_are_shown_as_counts_or_lists_with_missing_ones() -> None:
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "ill": ["a", None, "b", "b"]})
    c = shoal.cluster(frame, r=4, quasi_identifiers=["age"], sensitive=["ill"], sensitive_as="counts")
    assert json.loads(c.table["ill"][0]) == {"b": 2, "": 1, "a": 1}
    c = shoal.cluster(frame, r=4, quasi_identifiers=["age"], sensitive=["ill"])
    assert json.loads(c.table["ill"][0]) == ["a", "b", "b", None]


def test_names_that_are_taken_get_out_of_the_way() -> None:
    frame = pl.DataFrame({"size": [1, 2, 9, 9], "radius": ["a", "b", "a", "b"]})
    c = shoal.cluster(frame, method="cellular", r=2, quasi_identifiers=["size"], sensitive=["radius"])
    assert c.table.columns == ["size", "size_", "radius_", "radius"]


@pytest.mark.parametrize("asked", [{}, {"l_diversity": 2}])
def test_nothing_is_published_of_a_row_that_is_left_out(asked: dict[str, Any]) -> None:
    frame = pl.DataFrame(
        {"age": [1, 2, 3, 51, 52, 53, 900], "ill": ["flu", "cold", "flu", "cold", "gout", "flu", "plague"]}
    )
    made = shoal.cluster(frame, r=3, outliers="1/7", quasi_identifiers=["age"], sensitive=["ill"], **asked)
    assert made.outliers == [6]
    for published in (made.table.write_csv(), made.long.write_csv(), str(made.manifest)):
        assert "plague" not in published
        assert "900" not in published

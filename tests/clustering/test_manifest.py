"""What is published of a clustering beside its table, and what stays with the owner."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import shoal


@pytest.mark.parametrize("method", ["gather", "cellular"])
def test_what_is_published_of_a_clustering_can_be_computed_from_its_table(method: str) -> None:
    """R3, for clusterings: two tables with the same clusters and the same columns have the same manifest, whatever their rows hide."""
    frame = pl.DataFrame({"age": [20, 22, 24, 60, 62, 64], "town": ["A"] * 3 + ["B"] * 3})
    other = frame.with_columns(age=pl.Series([21, 22, 23, 61, 62, 63]) if method == "gather" else pl.Series([20, 22, 24, 60, 62, 64]))
    asked: dict[str, Any] = {"method": method, "r": 3, "quasi_identifiers": ["age", "town"], "metric": {"age": {"unit": 10}}}
    one, two = shoal.cluster(frame, **asked), shoal.cluster(other, **asked)
    assert one.table.equals(two.table)
    assert one.manifest == two.manifest
    assert (one.manifest["cost"] is None) == (method == "gather")
    if method == "cellular":
        assert one.manifest["cost"] == pytest.approx(float((one.table["size"] * one.table["radius"]).sum()))
    assert one.cost > 0
    assert one.record["cost"] == one.cost
    for key in ("lower_bound", "ratio"):
        assert one.manifest[key] is None
    for key in ("seconds", "seed", "cost_before_improvement", "n_distinct", "policy_sha256", "notice"):
        assert key not in one.manifest
    assert "Not for publication" in one.record["notice"]

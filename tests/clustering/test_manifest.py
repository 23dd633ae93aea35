"""What is published of a clustering beside its table, and what stays with the owner."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import shoal

AGES = [20, 22, 24, 60, 62, 64]


@pytest.mark.parametrize("method", ["gather", "cellular"])
def test_what_is_published_of_a_clustering_can_be_computed_from_its_table(method: str) -> None:
    """For clusterings: two tables with the same clusters, the same columns and the same largest radius have the same
    manifest, whatever their rows hide.
    """
    frame = pl.DataFrame({"age": AGES, "town": ["A"] * 3 + ["B"] * 3})
    other = frame.with_columns(age=pl.Series([20, 22, 24, 61, 62, 63] if method == "gather" else AGES))
    asked: dict[str, Any] = {
        "method": method,
        "r": 3,
        "quasi_identifiers": ["age", "town"],
        "metric": {"age": {"unit": 10}},
    }
    one, two = shoal.cluster(frame, **asked), shoal.cluster(other, **asked)
    assert one.table.equals(two.table)
    assert one.manifest == two.manifest
    assert one.manifest["largest_radius"] == one.manifest["cost" if method == "gather" else "largest_radius"]
    if method == "cellular":
        assert one.manifest["cost"] == pytest.approx(float((one.table["size"] * one.table["radius"]).sum()))
    assert one.cost > 0
    assert one.record["cost"] == one.cost
    for key in ("lower_bound", "ratio"):
        assert one.manifest[key] is None
    for key in ("seconds", "seed", "cost_before_improvement", "n_distinct", "policy_sha256", "notice"):
        assert key not in one.manifest
    assert "Not for publication" in one.record["notice"]


@pytest.mark.parametrize("method", ["gather", "center"])
def test_the_largest_radius_is_published_rounded_up_and_tells_of_one_row(method: str) -> None:
    """The paper publishes it.

    No row is farther from its centre, and one row of some cluster is so far, up to the rounding: docs/disclosure.md
    says so.
    """
    more = {"max_clusters": 2} if method == "center" else {}
    made = shoal.cluster(
        pl.DataFrame({"age": AGES}), method=method, r=3, quasi_identifiers=["age"], metric={"age": {"unit": 7}}, **more
    )
    told = made.manifest["largest_radius"]
    assert made.record["largest_radius"] == pytest.approx(2 / 7)
    assert told == 0.2858
    centres = [float(x) for x in made.table["age"]]
    assert all(min(abs(age - c) for c in centres) <= 7 * told for age in AGES)
    candidates = {round(c + sign * 7 * told) for c in centres for sign in (1, -1)}
    assert candidates & set(AGES), "somebody has one of these ages: that is what it tells"
    assert [made.manifest[key] for key in ("lower_bound", "ratio")] == [None, None]

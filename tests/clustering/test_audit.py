"""Published clusters checked against the original."""

from __future__ import annotations

from itertools import starmap
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.clustering.audit import verify_clustering
from shoal.errors import DataError, NotAnonymous
from shoal.policy.columns import ColumnPolicy
from shoal.policy.policy import Policy
from shoal.privacy import asking
from tests.clustering.published import QI, verify


@pytest.mark.parametrize(
    "change",
    [
        pl.col("size") + 1,
        pl.col("radius") * 0.5,
        pl.lit("99").alias("age"),
        pl.when(pl.int_range(pl.len()) == 0).then(2).otherwise(pl.col("size")).alias("size"),
    ],
)
def test_clusters_that_cannot_be_true_are_found_out(published: Path, change: pl.Expr) -> None:
    pl.read_csv(published / "clusters.csv").with_columns(change).write_csv(published / "doctored.csv")
    assert verify(published, table="doctored.csv") == 1


def test_another_table_is_no_table_of_clusters(published: Path) -> None:
    with pytest.raises(DataError, match="no column 'size'"):
        verify_clustering(
            published / "table.csv", published / "table.csv", method="cellular", r=3, quasi_identifiers=QI
        )
    pl.read_csv(published / "clusters.csv").head(2).write_csv(published / "few.csv")
    with pytest.raises(NotAnonymous, match="may be left out"):
        verify_clustering(published / "table.csv", published / "few.csv", method="cellular", r=3, quasi_identifiers=QI)


ILL = pl.DataFrame(
    {"id": list("pqrstuvw"), "age": [1, 2, 3, 4, 51, 52, 53, 54], "ill": ["HIV"] * 4 + ["flu", "cold", "gout", "flu"]}
)
ASKED: dict[str, Any] = {"method": "cellular", "r": 4, "quasi_identifiers": ["age"]}


@pytest.mark.parametrize("form", ["list", "counts"])
@pytest.mark.parametrize(
    "criterion",
    [{"l_diversity": 2}, {"l_diversity": "entropy:1.5"}, {"l_diversity": "recursive:4,2"}, {"t_closeness": 0.3}],
)
def test_clusters_of_one_value_are_no_diverse_ones(criterion: dict[str, Any], form: str) -> None:
    """0.2.0 published ["HIV", "HIV", "HIV", "HIV"] where two values were asked for, and its verify agreed."""
    plain = shoal.cluster(ILL, sensitive=["ill"], sensitive_as=form, **ASKED).table
    with pytest.raises(NotAnonymous, match="of 2 clusters break"):
        verify_clustering(ILL, plain, sensitive=["ill"], **ASKED, **criterion)
    kept = shoal.cluster(ILL, sensitive=["ill"], sensitive_as=form, **ASKED, **criterion).table
    assert verify_clustering(ILL, kept, sensitive=["ill"], **ASKED, **criterion).kept
    policy = Policy(
        k=4,
        columns={"ill": ColumnPolicy("sensitive", demands=tuple(starmap(asking.read_shorthand, criterion.items())))},
    )
    with pytest.raises(NotAnonymous, match="of 2 clusters break"):
        verify_clustering(ILL, plain, policy=policy, **ASKED)


def test_a_cluster_shows_sensitive_columns_and_no_others() -> None:
    plain = shoal.cluster(ILL, sensitive=["ill", "id"], **ASKED).table
    assert verify_clustering(ILL, plain, sensitive=["ill", "id"], **ASKED).n_clusters == 2
    for roles in ({"identifiers": ["id"]}, {"sensitive": ["ill"]}, {"policy": Policy(k=4)}):
        with pytest.raises(NotAnonymous, match="neither a quasi-identifier nor sensitive"):
            verify_clustering(ILL, plain, **ASKED, **roles)
    with pytest.raises(NotAnonymous, match="lacks the sensitive column 'ill'"):
        verify_clustering(ILL, plain.drop("ill"), sensitive=["ill", "id"], **ASKED)


def test_marks_of_missing_cells_are_missing_when_clusters_are_verified() -> None:
    marks = {"missing_values": ["HIV"]}
    made = shoal.cluster(ILL, sensitive=["ill"], **ASKED, **marks).table
    assert verify_clustering(ILL, made, sensitive=["ill"], **ASKED, **marks).n_clusters == 2
    with pytest.raises(NotAnonymous, match="values that rows within their radii do not have"):
        verify_clustering(ILL, made, sensitive=["ill"], **ASKED)


def test_true_clusters_pass_although_no_radius_is_published() -> None:
    """0.2.0 held sensitive values to the least radius at which sizes fit, and refused clusters that were wider, and
    true.
    """
    frame = pl.DataFrame({"age": [0, 1, 4, 6, 9, 10], "ill": list("aabbab")})
    asked = {"r": 3, "method": "gather", "quasi_identifiers": ["age"]}
    wide = pl.DataFrame({"age": ["1", "9"], "size": [3, 3], "ill": ['["a", "a", "a"]', '["b", "b", "b"]']})
    assert verify_clustering(frame, wide, **asked).cost == pytest.approx(0.8)
    with pytest.raises(NotAnonymous, match="values that rows within their radii do not have"):
        verify_clustering(frame, wide.with_columns(ill=pl.Series(['["a", "a", "a"]', '["a", "b", "b"]'])), **asked)

"""Published clusters checked against the original."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from shoal.clustering.audit import verify_clustering
from shoal.errors import DataError, NotAnonymous
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
        verify_clustering(published / "table.csv", published / "table.csv", method="cellular", r=3, quasi_identifiers=QI)
    pl.read_csv(published / "clusters.csv").head(2).write_csv(published / "few.csv")
    with pytest.raises(NotAnonymous, match="may be left out"):
        verify_clustering(published / "table.csv", published / "few.csv", method="cellular", r=3, quasi_identifiers=QI)

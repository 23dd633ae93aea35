"""Published clusters checked against the original."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.cli.main import run
from shoal.clustering.audit import verify_clustering
from shoal.errors import DataError, NotAnonymous

QI = ["age", "town"]


def people(n: int = 40) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    towns = [("A", "B", "C", None)[i] for i in rng.integers(0, 4, n)]
    return pl.DataFrame({"age": [str(a) for a in rng.integers(17, 80, n)], "town": towns, "ill": ["flu"] * n})


@pytest.fixture
def published(tmp_path: Path) -> Path:
    people().write_csv(tmp_path / "table.csv")
    made = shoal.cluster(tmp_path / "table.csv", method="cellular", r=3, quasi_identifiers=QI)
    made.write(tmp_path / "clusters.csv")
    made.proof(tmp_path / "proof")
    return tmp_path


def verify(folder: Path, *more: str, table: str = "clusters.csv") -> int:
    flags = ["--qi", "age,town", "--method", "cellular", "-r", "3", "--quiet"]
    return run(["verify", str(folder / "table.csv"), str(folder / table), *flags, *more])


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

"""Proofs of clusterings: what is true passes, what claims more than the optimum does not, and the command says so."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.cli.main import run
from shoal.clustering.audit import verify_clustering
from shoal.clustering.base import Answer, Task
from shoal.clustering.proof import case_of, most_bytes, points_of_rows, prices_of, write
from shoal.clustering.proof_check import Case, check
from shoal.clustering.space_of import Placed
from shoal.errors import DataError, NotAnonymous, ShoalError
from shoal.release.proof_file import Prices, parse
from tests.clustering.small import exhaustive, random_task, solve

METHODS = ["gather", "center", "cellular"]
QI = ["age", "town"]


def of_task(method: str, d: np.ndarray, task: Task) -> tuple[Case, Placed]:
    """The case of a task whose distances are given whole: every row a row of the matrix."""
    placed = Placed(task.points, (), (), "matrix", d, np.arange(len(d), dtype=np.int32))
    return case_of(placed, task, method == "cellular"), placed


def proved(method: str, d: np.ndarray, task: Task, answer: Answer) -> tuple[Case, Prices, float]:
    case, placed = of_task(method, d, task)
    prices: Any = answer.proof.get("prices")
    data, value = write(case, prices_of(placed, task, prices, method == "cellular"), points_of_rows(placed))
    return case, parse(data, most_bytes(case)), value


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(40))
def test_a_true_proof_holds_and_stays_below_the_optimum(method: str, seed: int) -> None:
    d, task = random_task(np.random.default_rng(seed), method)
    answer = solve(method, task)
    _, _, value = proved(method, d, task, answer)
    best = exhaustive(d, task, method)
    assert value <= best + 1e-9
    if method == "cellular":
        assert value == pytest.approx(answer.lower_bound, rel=1e-6, abs=1e-9)
    else:
        assert value <= answer.lower_bound + 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_no_forged_prices_claim_more_than_the_optimum(method: str) -> None:
    """R4, for clusterings: raised, moved, at random and climbing with the checker's own answers."""
    rng = np.random.default_rng(7)
    more = taken = 0
    for _ in range(40):
        d, task = random_task(rng, method)
        case, proof, value = proved(method, d, task, solve(method, task))
        best = exhaustive(d, task, method)
        step = int(proof.prices.max(initial=1)) // 3 + 1
        for _ in range(30):
            prices = proof.prices.copy()
            kind = rng.integers(4)
            if kind == 0:
                prices = np.ceil(prices * rng.choice([1.001, 1.1, 2.0])).astype(np.int64)
            elif kind == 1:
                prices = (rng.random(len(prices)) * 2 * (prices.max(initial=0) + 1)).astype(np.int64)
            else:
                prices[rng.integers(len(prices))] += step
                prices[rng.integers(len(prices))] //= int(rng.choice([1, 2]))
            forged = replace(proof, prices=prices)
            try:
                claimed = check(case, forged)
            except ShoalError:
                step = step * 3 // 4 + 1
                more += 1
                continue
            taken += 1
            assert claimed <= best * (1 + 1e-9) + 1e-9
            proof = forged if claimed >= value else proof
    assert more > 100
    assert taken > 50


def people(n: int = 40) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    towns = [("A", "B", "C", None)[i] for i in rng.integers(0, 4, n)]
    return pl.DataFrame({"age": [str(a) for a in rng.integers(17, 80, n)], "town": towns, "ill": ["flu"] * n})


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("centers", ["input", "any"])
@pytest.mark.parametrize("outliers", [None, "0.1"])
@pytest.mark.parametrize("metric", [None, {"age": {"unit": 10}}, "hamming"])
def test_what_is_written_is_accepted_by_what_reads_it(tmp_path: Path, method: str, centers: str, outliers: str | None, metric: Any) -> None:
    people().write_csv(tmp_path / "table.csv")
    asked = {"method": method, "r": 3, "centers": centers, "outliers": outliers, "metric": metric, "quasi_identifiers": QI}
    if method == "center":
        asked["max_clusters"] = 6
    made = shoal.cluster(tmp_path / "table.csv", sensitive=["ill"], **asked)
    made.write(tmp_path / "clusters.csv")
    value = made.proof(tmp_path / "proof")
    found = verify_clustering(tmp_path / "table.csv", tmp_path / "clusters.csv", proof=tmp_path / "proof", **asked)
    assert found.lower_bound == value
    assert found.lower_bound <= made.lower_bound + 1e-9
    assert found.cost <= made.cost * (1 + 1e-9)
    assert found.lower_bound <= found.cost + 1e-9
    assert (found.n_clusters, found.smallest_cluster) == (made.manifest["n_clusters"], made.manifest["smallest_cluster"])


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


def test_the_command_checks_clusterings(published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(published, "--proof", str(published / "proof")) == 0
    assert verify(published) == 0
    assert verify(published, "-r", "4") == 1
    content = json.loads(gzip.decompress((published / "proof").read_bytes()))
    content["prices"] = [2 * p for p in content["prices"]]
    (published / "forged").write_bytes(gzip.compress(json.dumps(content).encode()))
    assert verify(published, "--proof", str(published / "forged")) == 1
    (published / "none").write_text("nothing")
    assert verify(published, "--proof", str(published / "none")) == 2
    capsys.readouterr()
    assert run(["verify", str(published / "table.csv"), str(published / "clusters.csv"), "--qi", "age,town", "--method", "cellular", "-r", "3",
                "--proof", str(published / "proof")]) == 0  # fmt: skip
    assert "The proof holds: no such clustering costs less" in capsys.readouterr().out


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

"""Proofs of clusterings: what is true passes, what claims more than the optimum does not, and the command says so."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import shoal
from shoal.cli.main import run
from shoal.clustering.audit import verify_clustering
from tests.clustering.published import QI, people, verify
from tests.clustering.small import METHODS


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("centers", ["input", "any"])
@pytest.mark.parametrize("outliers", [None, "0.1"])
@pytest.mark.parametrize("metric", [None, {"age": {"unit": 10}}, "hamming"])
def test_what_is_written_is_accepted_by_what_reads_it(
    tmp_path: Path, method: str, centers: str, outliers: str | None, metric: Any
) -> None:
    people().write_csv(tmp_path / "table.csv")
    asked = {
        "method": method,
        "r": 3,
        "centers": centers,
        "outliers": outliers,
        "metric": metric,
        "quasi_identifiers": QI,
    }
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
    assert (found.n_clusters, found.smallest_cluster) == (
        made.manifest["n_clusters"],
        made.manifest["smallest_cluster"],
    )


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
    assert run(["verify", str(published / "table.csv"), str(published / "clusters.csv"), "--qi", "age,town", "--method",
                "cellular", "-r", "3",
                "--proof", str(published / "proof")]) == 0  # fmt: skip
    assert "The proof holds: no such clustering costs less" in capsys.readouterr().out

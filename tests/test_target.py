"""A column to predict: what tells of it is kept, and how much each column tells is not published."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.cli.main import run
from shoal.errors import PolicyError, Refused
from shoal.policy.policy import Policy
from shoal.policy.workload import over_mean, relevance
from shoal.report.model import first_model

QI = ["a", "b", "c"]


def people(n: int = 400) -> pl.DataFrame:
    """The target is a by itself in nine rows of ten; b and c are as a is, and tell nothing."""
    rng = np.random.default_rng(n)
    a, b, c = (rng.choice(list("pqrstuvw"), n) for _ in range(3))
    income = np.where(rng.random(n) < 0.9, np.isin(a, list("pqrs")), rng.random(n) < 0.5)
    return pl.DataFrame({"a": a, "b": b, "c": c, "income": np.where(income, "high", "low")})


def hidden(release: shoal.Release, name: str) -> float:
    return float((release.frame[name] == "*").mean())


def test_the_share_of_the_targets_information() -> None:
    rng = np.random.default_rng(1)
    rows = np.ones(2000, dtype=np.int64)
    target = rng.integers(0, 2, 2000)
    assert relevance(target, target, rows) == pytest.approx(1, abs=0.01)
    chance = [relevance(rng.integers(0, 50, 2000), target, rows) for _ in range(40)]
    assert np.mean(chance) < 0.005
    assert relevance(target, np.zeros(2000, dtype=np.int64), rows) == 0
    halves = np.where(rng.random(2000) < 0.5, target, -1)
    assert 0.45 < relevance(halves, target, rows) < 0.55
    assert over_mean({"a": 0.5, "b": 0.1, "c": 0.0}) == {"a": 2.5, "b": 0.5, "c": 0.1}


def test_what_tells_of_the_target_is_kept() -> None:
    asked = {"k": 5, "quasi_identifiers": QI, "keep": ["income"]}
    plain, aimed = shoal.anonymize(people(), **asked), shoal.anonymize(people(), target="income", **asked)
    assert hidden(aimed, "a") < min(hidden(plain, "a"), hidden(aimed, "b"), hidden(aimed, "c"))
    again = shoal.anonymize(people(), weights={c.name: c.weight for c in aimed.problem.columns}, **asked)
    assert again.frame.equals(aimed.frame)
    assert "income" in " ".join(aimed.record["notes"])


def test_the_weights_are_in_nothing_that_is_published() -> None:
    release = shoal.anonymize(people(), k=5, quasi_identifiers=QI, keep=["income"], target="income", measure="lm")
    other = shoal.anonymize(people(410), k=5, quasi_identifiers=QI, keep=["income"], target="income", measure="lm")
    assert release.manifest["policy_sha256"] == other.manifest["policy_sha256"]
    assert "weight" not in release.policy.toml()
    assert first_model(release)["asked"]["weights"] == {}
    assert release.manifest["loss"] is None or release.manifest["loss"] != release.record["loss"]
    assert "notes" not in release.manifest


def test_an_engine_that_counts_finds_the_same_weights(tmp_path: Path) -> None:
    table, asked = tmp_path / "people.csv", {"k": 5, "quasi_identifiers": QI, "keep": ["income"], "target": "income"}
    people().write_csv(table)
    shoal.publish(table, tmp_path / "out.csv", engine="files", **asked)
    assert pl.read_csv(tmp_path / "out.csv", infer_schema=False).equals(shoal.anonymize(people(), **asked).frame)


def test_from_the_command_to_its_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, out, proof = (str(tmp_path / name) for name in ("people.csv", "out.csv", "proof.bin"))
    people().write_csv(table)
    flags = ["-k", "5", "--qi", "a,b,c", "--target", "income", "--proof", proof]
    assert run(["anonymize", table, "-o", out, "--keep", "income", *flags]) == 0
    assert "Weights by what each column tells of 'income'" in " ".join(capsys.readouterr().out.split())
    assert run(["verify", table, out, *flags]) == 0


def test_bad_input_is_told() -> None:
    frame, asked = people(), {"k": 5, "quasi_identifiers": QI, "keep": ["income"]}
    with pytest.raises(PolicyError, match="wage"):
        shoal.anonymize(frame, target="wage", **asked)
    with pytest.raises(PolicyError, match="identifier"):
        shoal.anonymize(frame, k=5, quasi_identifiers=QI, identifiers=["income"], target="income")
    with pytest.raises(PolicyError, match="choose one"):
        shoal.anonymize(frame, target="income", workload=["a"], **asked)
    with pytest.raises(PolicyError, match="chance"):
        shoal.anonymize(frame.with_columns(income=pl.lit("same")), target="income", **asked)
    with pytest.raises(Refused, match="target"):
        shoal.cluster(frame.select("a"), method="gather", r=3, quasi_identifiers=["a"], policy=Policy(target="income"))

"""One flag for suppression alone: a cell keeps its value or is a star, and the least loss is the papers' number of stars."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.cli.main import run
from shoal.errors import PolicyError, Refused
from shoal.policy.policy import Policy
from tests.naive.optima import optima
from tests.tables import make_problem


def people(n: int = 40) -> pl.DataFrame:
    rng = np.random.default_rng(n)
    return pl.DataFrame(
        {"age": rng.integers(20, 30, n), "born": rng.choice(["1990-01-02", "1991-05-06"], n), "job": rng.choice(["cook", "nurse"], n)}
    )


def test_numbers_and_dates_are_kept_or_hidden() -> None:
    frame = people()
    release = shoal.anonymize(frame, k=3, quasi_identifiers=frame.columns, suppression_only=True)
    for name in frame.columns:
        was, now = frame[name].cast(pl.String).to_list(), release.frame[name].cast(pl.String).to_list()
        assert all(b in (a, "*") for a, b in zip(was, now, strict=True))
    assert Policy(suppression_only=True).toml().count("suppression_only = true") == 1


def test_the_least_loss_is_the_least_number_of_stars() -> None:
    frames = [people(n)[:, :2] for n in (5, 6, 7, 8)]
    least = optima([make_problem([[str(v) for v in row] for row in frame.rows()], 2) for frame in frames])
    for frame, stars in zip(frames, least.tolist(), strict=True):
        release = shoal.anonymize(frame, k=2, quasi_identifiers=frame.columns, suppression_only=True, measure="stars", algorithm="exact")
        assert release.loss == stars == sum((release.frame[name].cast(pl.String) == "*").sum() for name in frame.columns)


def test_from_the_command_to_its_verification(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, out, proof = (str(tmp_path / name) for name in ("people.csv", "out.csv", "proof.bin"))
    people().write_csv(table)
    flags = ["-k", "3", "--qi", "age,born,job", "--suppression-only", "--proof", proof]
    assert run(["anonymize", table, "-o", out, *flags]) == 0
    assert set(pl.read_csv(out, infer_schema=False)["born"]) <= {"1990-01-02", "1991-05-06", "*"}
    assert run(["verify", table, out, *flags]) == 0
    policy = tmp_path / "policy.toml"
    policy.write_text("k = 3\nsuppression_only = true\n[columns.age]\nhierarchy = { intervals = [5] }\n")
    capsys.readouterr()
    assert run(["anonymize", table, "-o", str(tmp_path / "no.csv"), "--policy", str(policy)]) == 2
    assert "line 4" in capsys.readouterr().err
    assert not (tmp_path / "no.csv").exists()


def test_hierarchies_beside_it_are_refused(tmp_path: Path) -> None:
    frame, asked = people(), {"k": 3, "quasi_identifiers": ["age"], "suppression_only": True}
    with pytest.raises(PolicyError, match=r"'age'.*leave one of them out"):
        shoal.anonymize(frame, hierarchies={"age": shoal.intervals(5)}, **asked)
    with pytest.raises(PolicyError, match="folder of hierarchies"):
        shoal.anonymize(frame, hierarchies=tmp_path, **asked)
    assert shoal.anonymize(frame, hierarchies={"age": shoal.suppression()}, **asked).record["smallest_group"] >= 3
    with pytest.raises(Refused, match="suppression_only"):
        shoal.cluster(frame, method="gather", r=3, quasi_identifiers=["age"], policy=Policy(suppression_only=True))

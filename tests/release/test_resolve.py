"""Every label that our builders write is understood by the verifier with the same flags."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal import encode
from shoal.cli.main import run
from shoal.errors import HierarchyError
from shoal.hierarchies.encode import encode as build
from shoal.io import read
from shoal.policy.given import make_policy
from shoal.release import resolve
from shoal.release.resolve import Hierarchies

DATES = {
    "slashes and a time": [f"2016/{1 + i % 12:02d}/01 00:47:{i:02d}" for i in range(24)],
    "points": [f"{1 + i:02d}.{1 + i % 12:02d}.2016" for i in range(24)],
    "iso": [f"20{10 + i % 4}-03-{1 + i:02d}" for i in range(24)],
    "codes": [f"81{100 + i}" for i in range(24)],
    "leading zeros": [f"00{100 + i}" for i in range(24)],
    "numbers": [str(1000 * i) for i in range(24)],
    "decimal commas": [f"{i},5" for i in range(24)],
    "times": [f"{i:02d}:15" for i in range(24)],
}


@pytest.mark.parametrize("kind", DATES)
@pytest.mark.parametrize("measure", ["entropy", "lm", "tree"])
def test_every_label_of_ours_is_understood_with_the_same_flags(kind, measure, tmp_path):
    """Dates such as 2016/01/01 00:47:36 and 01.01.2016 were called untrue."""
    pl.DataFrame({"when": DATES[kind], "x": ["a", "b"] * 12}).write_csv(tmp_path / "o.csv", separator="|")
    flags = ["-k", "4", "--qi", "when,x"]
    assert run(["anonymize", str(tmp_path / "o.csv"), "-o", str(tmp_path / "r.csv"), "--measure", measure, "--quiet", *flags]) == 0
    assert run(["verify", str(tmp_path / "o.csv"), str(tmp_path / "r.csv"), *flags]) == 0
    assert run(["measure", str(tmp_path / "o.csv"), str(tmp_path / "r.csv"), "--qi", "when,x"]) == 0


def test_a_hierarchy_that_was_given_is_taken_as_it_stands(tmp_path):
    (tmp_path / "job.csv").write_text("nurse;health;*\ncook;food;*\n")
    table = read(pl.DataFrame({"job": ["nurse", "cook"]}))
    for given in (tmp_path / "job.csv", [["nurse", "health", "*"], ["cook", "food", "*"]]):
        policy = make_policy(None, k=2, quasi_identifiers=["job"], hierarchies={"job": given})
        assert [level.to_list() for level in Hierarchies(table, policy).texts("job").levels] == [
            ["nurse", "cook"],
            ["health", "food"],
            ["*", "*"],
        ]


def test_without_one_the_default_of_its_kind_is_taken():
    policy = make_policy(None, k=2, quasi_identifiers=["age"])
    texts = Hierarchies(read(pl.DataFrame({"age": ["17", "25", "41"]})), policy).texts("age")
    assert texts.levels[0].to_list() == ["17", "25", "41"]
    assert set(texts.levels[-1].to_list()) == {"*"}


def test_a_file_that_is_wrong_is_named_with_its_line(tmp_path):
    (tmp_path / "job.csv").write_text("nurse;health;*\nnurse;food;*\n")
    policy = make_policy(None, k=2, quasi_identifiers=["job"], hierarchies={"job": tmp_path / "job.csv"})
    with pytest.raises(HierarchyError, match=r"job\.csv: .*2"):
        Hierarchies(read(pl.DataFrame({"job": ["nurse"]})), policy).texts("job")


def test_verifying_with_a_proof_builds_each_hierarchy_once(tmp_path, monkeypatch):
    """It built them three times."""
    frame = pl.DataFrame({"age": [str(20 + i % 30) for i in range(60)], "job": ["nurse", "cook", "smith"] * 20})
    asked = {"k": 4, "quasi_identifiers": ["age", "job"], "hierarchies": {"age": shoal.intervals(5, 10)}}
    release = shoal.anonymize(frame, **asked)
    release.proof(tmp_path / "proof")
    built = []
    monkeypatch.setattr(resolve, "build", lambda name, *given: built.append(name) or build(name, *given))
    shoal.verify(frame, release.frame, **asked, proof=tmp_path / "proof")
    assert sorted(built) == ["age", "job"]


def test_a_run_with_its_proof_builds_each_hierarchy_once(tmp_path, monkeypatch):
    """Writing the proof built them again."""
    frame = pl.DataFrame({"age": [str(20 + i % 30) for i in range(60)], "job": ["nurse", "cook", "smith"] * 20})
    built = []
    for module in (resolve, encode):
        monkeypatch.setattr(module, "build", lambda name, *given: built.append(name) or build(name, *given))
    asked = {"k": 4, "quasi_identifiers": ["age", "job"], "hierarchies": {"age": shoal.intervals(5, 10)}}
    release = shoal.anonymize(frame, **asked)
    release.proof(tmp_path / "proof")
    assert sorted(built) == ["age", "job"]
    shoal.verify(frame, release.frame, **asked, proof=tmp_path / "proof")
    assert sorted(built) == ["age", "age", "job", "job"], "the checker builds its own, from the policy"

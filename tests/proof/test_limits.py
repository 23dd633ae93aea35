"""Proofs made to keep the checker busy: every walk counts its work, and refuses in words beyond its limit."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from shoal.cli.main import run
from shoal.proof import sets as proof_sets
from shoal.proof import walk as proof_walk

N = 26
NAMES = [f"c{j}" for j in range(N)]
QI = [word for name in NAMES for word in ("--qi", name)]


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """20 rows alike, and two for each column that differ in it alone. Prices of ten stars for these hold in every box, but nearly every one of 2^26 boxes must be looked at to know that."""
    monkeypatch.chdir(tmp_path)
    rows = ["0" * N] * 20 + ["".join("x" if i == j else "0" for i in range(N)) for j in range(N) for _ in range(2)]
    (tmp_path / "t.csv").write_text(",".join(NAMES) + "\n" + "\n".join(",".join(row) for row in rows) + "\n")
    asked = ["anonymize", "t.csv", "-o", "r.csv", "-k", "20", *QI, "--measure", "stars", "--effort", "0.1", "--quiet", "--proof", "p.gz"]
    assert run(asked) == 0
    assert run(["verify", "t.csv", "r.csv", "-k", "20", *QI, "--measure", "stars", "--reordered", "--proof", "p.gz"]) == 0, (
        "an honest proof passes"
    )
    return tmp_path / "p.gz"


def altered(path: Path, walk: str | None) -> None:
    proof = json.loads(gzip.decompress(path.read_bytes()))
    lone = [any(column["values"][column["places"][i]] == "x" for column in proof["columns"]) for i in range(len(proof["prices"]))]
    proof["prices"] = [int(is_lone and 9.9 * 2 ** proof["shift"]) for is_lone in lone]
    proof.pop("cuts", None), proof.pop("walk", None)
    if walk:
        proof["walk"] = walk
    path.write_bytes(gzip.compress(json.dumps(proof).encode()))


@pytest.mark.parametrize(("walk", "said"), [(None, "too many boxes"), ("sets", "too many sets")])
def test_prices_that_need_too_many_boxes_or_sets_are_refused(
    hostile: Path, walk: str | None, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """A price vector over 20 columns kept the checker busy for ever: its walk over boxes had no limit."""
    monkeypatch.setattr(proof_walk, "LEAST_WORK", 20_000_000)
    monkeypatch.setattr(proof_walk, "WORK_OF_EACH", 10_000)
    monkeypatch.setattr(proof_sets, "MOST_WORK", 500_000)
    altered(hostile, walk)
    assert run(["verify", "t.csv", "r.csv", "-k", "20", *QI, "--measure", "stars", "--reordered", "--proof", "p.gz"]) == 1
    assert said in capsys.readouterr().err


def test_the_limit_is_far_above_what_honest_proofs_take(monkeypatch: pytest.MonkeyPatch, hostile: Path):
    """Those of tables of thousands of rows with eight columns take 1,300 rows of boxes for each distinct row, of 24,000: a hundredth of the limit is enough here."""
    monkeypatch.setattr(proof_walk, "LEAST_WORK", proof_walk.LEAST_WORK // 100)
    assert run(["verify", "t.csv", "r.csv", "-k", "20", *QI, "--measure", "stars", "--reordered", "--proof", "p.gz"]) == 0

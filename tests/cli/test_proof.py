"""``--proof``: written for an auditor, checked by ``verify``, and worthless once a price is raised."""

from __future__ import annotations

import gzip
import json

import pytest

QI = ("--qi", "age", "--qi", "zip", "--qi", "job")


@pytest.fixture
def released(shoal, people, tmp_path):
    answer = shoal(
        "anonymize", people, "-o", tmp_path / "r.csv", "-k", 4, *QI, "--proof", tmp_path / "p.bin", "--record", tmp_path / "m.json"
    )
    assert answer.status == 0, answer.err
    assert "not for publication" in answer.out
    return tmp_path


def test_the_proof_is_checked_and_says_how_close(shoal, people, released):
    answer = shoal("verify", people, released / "r.csv", "-k", 4, *QI, "--proof", released / "p.bin")
    assert answer.status == 0, answer.err
    bound = json.loads((released / "m.json").read_text())["lower_bound"]
    assert "The proof holds" in answer.out
    assert f"{bound:,.1f}" in answer.out


def test_a_raised_price_is_found_out(shoal, people, released):
    content = json.loads(gzip.decompress((released / "p.bin").read_bytes()))
    most = max(range(len(content["prices"])), key=content["prices"].__getitem__)
    content["prices"][most] *= 3
    (released / "forged.bin").write_bytes(gzip.compress(json.dumps(content).encode()))
    answer = shoal("verify", people, released / "r.csv", "-k", 4, *QI, "--proof", released / "forged.bin")
    assert answer.status == 1
    assert "does not hold" in answer.err


def test_the_measure_is_not_taken_from_the_proof(shoal, people, tmp_path):
    """R4: what made the release is said to the verifier, not by the file."""
    made = shoal("anonymize", people, "-o", tmp_path / "r.csv", "-k", 4, *QI, "--measure", "non-uniform-entropy", "--proof", tmp_path / "p")
    assert made.status == 0, made.err
    told = shoal("verify", people, tmp_path / "r.csv", "-k", 4, *QI, "--measure", "non-uniform-entropy", "--proof", tmp_path / "p")
    assert told.status == 0, told.err
    assert "(non-uniform-entropy)" in told.out
    untold = shoal("verify", people, tmp_path / "r.csv", "-k", 4, *QI, "--proof", tmp_path / "p")
    assert untold.status == 1
    assert "flags" in untold.err


def test_a_proof_for_another_k_or_no_proof_at_all(shoal, people, released):
    assert shoal("verify", people, released / "r.csv", "-k", 3, *QI, "--proof", released / "p.bin").status == 1
    assert shoal("verify", people, released / "r.csv", "-k", 4, *QI, "--proof", people).status == 2


def test_free_columns_have_a_proof(shoal, people, tmp_path):
    policy = tmp_path / "free.toml"
    policy.write_text('[columns.age]\nrole = "quasi-identifier"\nhierarchy = { any_interval = true }\n')
    answer = shoal("anonymize", people, "-o", tmp_path / "r.csv", "-k", 4, "--policy", policy, "--proof", tmp_path / "p.bin")
    assert answer.status == 0, answer.err
    checked = shoal("verify", people, tmp_path / "r.csv", "-k", 4, "--policy", policy, "--proof", tmp_path / "p.bin")
    assert checked.status == 0, checked.err
    assert "The proof holds" in checked.out

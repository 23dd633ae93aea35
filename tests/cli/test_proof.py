"""``--proof``: written for an auditor, checked by ``verify``, and worthless once a price is raised."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace

import pytest

from shoal.judge import measures
from shoal.judge.measures.entropy import ENTROPY

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
    told = re.search(r"loses less than ([\d,.]+\d)", answer.out)
    assert told is not None
    assert float(told[1].replace(",", "")) == pytest.approx(bound, rel=2e-3)


def test_a_raised_price_is_found_out(shoal, people, released):
    content = json.loads(gzip.decompress((released / "p.bin").read_bytes()))
    most = max(range(len(content["prices"])), key=content["prices"].__getitem__)
    content["prices"][most] *= 3
    (released / "forged.bin").write_bytes(gzip.compress(json.dumps(content).encode()))
    answer = shoal("verify", people, released / "r.csv", "-k", 4, *QI, "--proof", released / "forged.bin")
    assert answer.status == 1
    assert "does not hold" in answer.err


def test_the_measure_is_not_taken_from_the_proof(shoal, people, tmp_path):
    """What made the release is said to the verifier, not by the file."""
    made = shoal("anonymize", people, "-o", tmp_path / "r.csv", "-k", 4, *QI, "--measure", "non-uniform-entropy", "--proof", tmp_path / "p")
    assert made.status == 0, made.err
    told = shoal("verify", people, tmp_path / "r.csv", "-k", 4, *QI, "--measure", "non-uniform-entropy", "--proof", tmp_path / "p")
    assert told.status == 0, told.err
    assert "(non-uniform-entropy)" in told.out
    untold = shoal("verify", people, tmp_path / "r.csv", "-k", 4, *QI, "--proof", tmp_path / "p")
    assert untold.status == 1
    assert "flags" in untold.err


def test_a_proof_for_another_k_and_a_file_that_is_not_a_proof_are_refused(shoal, people, released):
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


def test_where_there_can_be_no_proof_that_is_said_before_the_run(shoal, people, tmp_path, monkeypatch):
    """A measure that does not tell the checker its prices: the search does not begin, nothing is written, and the message says what to do."""
    monkeypatch.setattr("shoal.judge.measures.entropy.NO_FLOOR", replace(ENTROPY, floor=None), raising=False)
    monkeypatch.setitem(measures.CATALOG, "entropy", "shoal.judge.measures.entropy:NO_FLOOR")
    monkeypatch.setattr("shoal.engines.driver.solve", lambda *_: pytest.fail("the search began"))
    answer = shoal("anonymize", people, "-o", tmp_path / "r.csv", "-k", 4, *QI, "--measure", "entropy", "--proof", tmp_path / "p.bin")
    assert answer.status == 2
    assert "Take another (monotone-entropy" in answer.err
    assert list(tmp_path.glob("[rp].*")) == []


@pytest.mark.parametrize("algorithm", ["auto", "exact"])
@pytest.mark.parametrize("n", [7, 12])
def test_a_table_of_a_few_rows_has_a_proof_too(shoal, tmp_path, algorithm, n):
    """All partitions were compared; the checker compares them again, and takes no more than the cheapest costs."""
    table = tmp_path / "few.csv"
    table.write_text("age,town\n" + "".join(f"{20 + 7 * i % 31},{'ABC'[i % 3]}\n" for i in range(n)))
    asked = ("-k", 2, "--qi", "age,town")
    made = shoal(
        "anonymize",
        table,
        "-o",
        tmp_path / "r.csv",
        *asked,
        "--algorithm",
        algorithm,
        "--proof",
        tmp_path / "p",
        "--record",
        tmp_path / "m",
    )
    assert made.status == 0, made.err
    checked = shoal("verify", table, tmp_path / "r.csv", *asked, "--proof", tmp_path / "p", "--json")
    assert checked.status == 0, checked.err
    proof, record = json.loads(checked.out)["proof"], json.loads((tmp_path / "m").read_text())
    assert proof["lower_bound"] == pytest.approx(record["lower_bound"], rel=1e-9)
    assert proof["loss"] == pytest.approx(proof["lower_bound"], rel=1e-9)
    content = json.loads(gzip.decompress((tmp_path / "p").read_bytes()))
    assert set(content) == {"format", "shift", "all_partitions"}
    for more in (1, content["all_partitions"] // 1000, content["all_partitions"]):
        forged = {**content, "all_partitions": content["all_partitions"] + more}
        (tmp_path / "forged").write_bytes(gzip.compress(json.dumps(forged).encode()))
        answer = shoal("verify", table, tmp_path / "r.csv", *asked, "--proof", tmp_path / "forged")
        assert answer.status == 1
        assert "some partition of the rows costs less" in answer.err


def test_an_optimum_by_an_integer_program_has_the_proof_that_linear_prices_give(shoal, people, tmp_path):
    made = shoal(
        "anonymize", people, "-o", tmp_path / "r.csv", "-k", 4, "--qi", "age,zip", "--algorithm", "exact", "--proof", tmp_path / "p"
    )
    assert made.status == 0, made.err
    assert shoal("verify", people, tmp_path / "r.csv", "-k", 4, "--qi", "age,zip", "--proof", tmp_path / "p").status == 0


def test_all_partitions_are_no_proof_for_a_larger_table(shoal, people, released):
    claim = {"format": "shoal-proof-2", "shift": 0, "all_partitions": 0}
    (released / "claim").write_bytes(gzip.compress(json.dumps(claim).encode()))
    answer = shoal("verify", people, released / "r.csv", "-k", 4, *QI, "--proof", released / "claim")
    assert answer.status == 1
    assert "up to 12 rows" in answer.err


def test_it_is_said_where_nobody_can_tell_who_was_withheld(shoal, tmp_path):
    """Two rows fit the one that is lacking; a column of its own for each row tells which it is."""
    for name, head, rows in (
        ("doubt", "age", ["20", "21", "22", "50", "51"]),
        ("known", "age,note", ["20,a", "21,b", "22,c", "50,d", "51,e"]),
    ):
        (tmp_path / f"{name}.csv").write_text("\n".join([head, *rows]) + "\n")
        shown = [
            row.replace(row[:2], f"[{int(row[:2]) // 10 * 10}-{int(row[:2]) // 10 * 10 + 9}]", 1)
            for row in rows
            if not row.startswith("21")
        ]
        (tmp_path / "release.csv").write_text("\n".join([head, *shown]) + "\n")
        asked = ("verify", tmp_path / f"{name}.csv", tmp_path / "release.csv", "-k", 2, "--qi", "age")
        told = json.loads(shoal(*asked, "--json").out)["withheld"]
        assert told == {"rows": 1, "are_certain": name == "known"}
        assert ("AMBIGUOUS" in shoal(*asked).out) == (name == "doubt")

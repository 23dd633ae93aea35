"""``shoal assess`` and ``shoal explore`` as a person runs them."""

from __future__ import annotations

import json
from pathlib import Path


def test_assess_prints_the_risk(shoal, people: Path):
    answer = shoal("assess", people, "--qi", "age,zip", "--qi", "job", "--sensitive", "ill")
    assert answer.status == 0
    for words in ("60 rows", "unique rows", "prosecutor", "journalist", "marketer", "separate", "give it away"):
        assert words in answer.out
    assert "nurse" not in answer.out


def test_assess_as_json_and_as_a_page(shoal, people: Path, tmp_path: Path):
    page = tmp_path / "risk.html"
    answer = shoal("assess", people, "--qi", "age", "--qi", "job", "--json", "--report", page)
    found = json.loads(answer.out)
    assert found["n_rows"] == 60
    assert len(found["subsets"]) == 3
    assert "<h1>What people.csv gives away</h1>" in page.read_text()


def test_assess_without_quasi_identifiers_suggests_and_takes_none(shoal, people: Path):
    """U13: it says what to do next, and that is no error."""
    answer = shoal("assess", people)
    assert (answer.status, answer.err) == (0, "")
    assert "quasi-identifier age" in " ".join(answer.out.split())
    [command] = [line.split() for line in answer.out.splitlines() if line.strip().startswith("shoal assess")]
    assert shoal(*command[1:]).status == 0
    answer = shoal("assess", people, "--json")
    assert answer.status == 0
    assert {s["column"]: s["role"] for s in json.loads(answer.out)["suggestions"]}["age"] == "quasi-identifier"


def test_assess_refuses_to_write_over_its_input(shoal, people: Path):
    before = people.read_bytes()
    assert shoal("assess", people, "--qi", "age", "--report", people).status == 2
    assert people.read_bytes() == before


def test_explore_draws_and_goes_on(shoal, people: Path, tmp_path: Path):
    page, memory = tmp_path / "curve.html", tmp_path / "runs.json"
    arguments = ("explore", people, "--qi", "age,job", "-k", "2,5", "--report", page, "--resume", memory, "--quiet")
    answer = shoal(*arguments)
    assert answer.status == 0
    assert "loss per cell" in answer.out
    assert "<svg" in page.read_text()
    assert shoal(*arguments, "--json", "--force").status == 0
    assert len(json.loads(memory.read_text())["runs"]) == 2


def test_explore_says_what_is_wrong(shoal, people: Path, tmp_path: Path):
    assert shoal("explore", people, "--qi", "age", "-k", "two").status == 2
    assert "Did you mean" in shoal("explore", people, "--qi", "age", "--measure", "entropi").err
    assert shoal("explore", people, "--qi", "age", "--report", tmp_path / "no" / "x.html").status == 2
    assert shoal("explore", people, "--qi", "age", "--report", people).status == 2


def test_the_summary_tells_what_reading_assumed(shoal, tmp_path: Path):
    path = tmp_path / "old.csv"
    path.write_bytes(b"age,town\n" + b"".join(f"{i % 7},K\xf6ln\n".encode("latin-1") for i in range(40)))
    answer = shoal("anonymize", path, "-o", tmp_path / "out.csv", "-k", "4", "--qi", "age")
    assert answer.status == 0
    assert "note" in answer.out

"""``shoal assess`` and ``shoal explore`` as a person runs them."""

from __future__ import annotations

import json
from pathlib import Path


def test_assess_prints_the_risk(shoal, people: Path):
    answer = shoal("assess", people, "--qi", "age,zip", "--qi", "job", "--sensitive", "ill")
    assert answer.status == 0
    for words in ("60 rows", "unique rows", "that the person is in the table", "the table alone does not", "separate", "give it away"):
        assert words in answer.out
    assert "nurse" not in answer.out


def test_a_share_of_the_population_is_refused_with_the_reason(shoal, people: Path):
    """A tenth of a population was said to be at a tenth of the risk, though most who are alone in the sample are alone outside."""
    answer = shoal("assess", people, "--qi", "age", "--population", "600")
    assert (answer.status, answer.out) == (2, "")
    for words in ("--population was taken out", "too low", "Leave it out"):
        assert words in " ".join(answer.err.split())
    assert "--population" not in shoal("assess", "--help").out


def test_assess_as_json_and_as_a_page(shoal, people: Path, tmp_path: Path):
    page = tmp_path / "risk.html"
    answer = shoal("assess", people, "--qi", "age", "--qi", "job", "--json", "--report", page)
    found = json.loads(answer.out)
    assert found["n_rows"] == 60
    assert len(found["subsets"]) == 3
    assert "<h1>What people.csv gives away</h1>" in page.read_text()


def test_assess_without_quasi_identifiers_suggests_and_takes_none(shoal, people: Path):
    """It says what to do next, and that is not an error."""
    answer = shoal("assess", people)
    assert (answer.status, answer.err) == (0, "")
    assert "quasi-identifier age" in " ".join(answer.out.split())
    [command] = [line.split() for line in answer.out.splitlines() if line.startswith("  ") and line.split()[0].endswith("shoal")]
    assert shoal(*command[1:]).status == 0
    answer = shoal("assess", people, "--json")
    assert answer.status == 0
    assert {s["column"]: s["role"] for s in json.loads(answer.out)["suggestions"]}["age"] == "quasi-identifier"


def test_assess_refuses_to_write_over_its_input(shoal, people: Path):
    before = people.read_bytes()
    assert shoal("assess", people, "--qi", "age", "--report", people).status == 2
    assert people.read_bytes() == before

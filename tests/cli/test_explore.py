"""``shoal explore`` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path


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


def test_explore_says_first_that_k_counts_rows(shoal, tmp_path: Path):
    """Whoever chooses k from a curve of rows must know that people have several of them. With --person there is nothing to say."""
    visits = tmp_path / "visits.csv"
    visits.write_text("patient_id,age,ward\n" + "".join(f"P{i // 3:04},{20 + i // 3 % 40},{'abc'[i % 3]}\n" for i in range(240)))
    arguments = (
        "explore",
        visits,
        "--qi",
        "age,ward",
        "--identifier",
        "patient_id",
        "-k",
        "2",
        "--quiet",
        "--report",
        tmp_path / "curve.html",
    )
    answer = shoal(*arguments)
    assert answer.status == 0
    assert answer.out.startswith("K COUNTS ROWS: 'patient_id'")
    assert "K COUNTS ROWS: &#x27;patient_id&#x27;" in (tmp_path / "curve.html").read_text()
    assert "K COUNTS ROWS" not in shoal(*arguments, "--force", "--person", "patient_id").out

"""``shoal demo``: what `make demo` shows a new user, and the check that it tells her to make."""

from __future__ import annotations

import json
import shlex


def test_the_demo_leaves_a_verified_release_and_a_check_that_works(shoal, tmp_path):
    answer = shoal("demo", "-o", tmp_path, "--time-limit", 60)
    assert answer.status == 0, answer.err
    figures = json.loads((tmp_path / "manifest.json").read_text())
    assert figures["smallest_group"] >= 5
    assert figures["ratio"] >= 1
    assert (tmp_path / "report.html").exists()
    command = next(line for line in answer.out.splitlines() if line.startswith("Check it yourself:"))
    check = shoal(*shlex.split(command.partition(":")[2])[1:])
    assert check.status == 0, check.err
    assert "covers its original one" in check.out

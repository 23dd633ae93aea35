"""How long the way through the house is, for a table of six rows from file to verified release. It may get shorter; what makes it longer has to be worth it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.checkout import ROOT, environment
from benchmarks.way import walks

MOST = {"six rows, CSV to CSV": (700, 150, 4_600), "help": (12, 6, 18)}
"""Functions that are called, files that they are in, and calls."""
HEAVY = ("scipy", "highspy", "pyarrow.compute", "pandas", "duckdb", "rich", "shoal.reader", "shoal.proof", "shoal.partition.closing")
"""What a short run does not need is not loaded by it: libraries are most of its time."""


@pytest.mark.parametrize("name", MOST)
def test_a_walk_takes_no_more_than_so_many_functions_files_and_calls(name: str) -> None:
    taken = walks(ROOT, [name], repeats=0)[name]
    most = dict(zip(("functions", "files", "calls"), MOST[name], strict=True))
    assert all(taken[what] <= most[what] for what in most), f"{taken}: see python -m benchmarks way"
    assert taken["calls"] > 0.8 * most["calls"], f"{taken}: the way is shorter, so let this test hold it"


def test_a_run_on_six_rows_loads_no_library_that_it_does_not_use(tmp_path: Path) -> None:
    (tmp_path / "six.csv").write_text("age,sex\n31,f\n38,m\n33,f\n52,m\n57,f\n51,m\n")
    code = "import sys; from shoal.cli.main import run; assert run(sys.argv[1:]) == 0; print(*sys.modules, sep='\\n')"
    asked = ["anonymize", "six.csv", "-o", "out.csv", "-k", "3", "--qi", "age,sex"]
    answer = subprocess.run(
        [sys.executable, "-c", code, *asked], cwd=tmp_path, env=environment(ROOT), capture_output=True, text=True, check=True
    )
    loaded = set(answer.stdout.splitlines())
    assert [name for name in HEAVY if name in loaded] == []

"""Make-monotone from Python gives what the command writes, and it can be given as a hierarchy."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.cli.main import run
from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies.files import read_rows

ROWS = [["a", "ab", "*"], ["b", "ab", "*"], ["c", "cd", "*"], ["d", "cd", "*"]]
CELLS = ["a", "b", *"c" * 5, "d", *"c" * 40]


def test_it_is_what_the_command_writes(tmp_path: Path) -> None:
    (tmp_path / "job.csv").write_text("\n".join(";".join(row) for row in ROWS))
    (tmp_path / "people.csv").write_text("\n".join(["job", *CELLS]))
    out = tmp_path / "out.csv"
    assert run(["hierarchy", "monotone", str(tmp_path / "job.csv"), "--table", str(tmp_path / "people.csv"), "-o", str(out)]) == 0
    made = shoal.make_monotone(ROWS, CELLS)
    assert [list(row) for row in made.rows] == read_rows(out)
    assert list(made.rows) != [tuple(row) for row in ROWS]


def test_it_is_a_hierarchy() -> None:
    frame = pl.DataFrame({"job": CELLS})
    made = shoal.make_monotone(ROWS, frame["job"])
    release = shoal.anonymize(frame, k=2, quasi_identifiers=["job"], hierarchies={"job": made})
    assert set(release.frame["job"]) <= {label for row in made.rows for label in row}


def test_bad_input_is_told() -> None:
    with pytest.raises(HierarchyError):
        shoal.make_monotone(ROWS, ["a", "z"])
    with pytest.raises(PolicyError, match="measure"):
        shoal.make_monotone(ROWS, CELLS, measure="none such")

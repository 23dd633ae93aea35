"""A run's files: each of them whole, or not there."""

from __future__ import annotations

import polars as pl
import pytest

from shoal import io
from shoal.errors import WriteError
from shoal.policy.columns import ColumnPolicy
from shoal.policy.policy import Policy
from shoal.studio.runs import Run
from tests.limits import small_files

SMALL = 2048
"""Bytes: less than the files below have."""


@pytest.fixture
def run(tmp_path) -> Run:
    """A run that has ended well."""
    table = io.read(pl.DataFrame({"age": [str(20 + i % 7) for i in range(400)], "ill": ["flu", "gout"] * 200}))
    roles = {"age": ColumnPolicy(role="quasi-identifier"), "ill": ColumnPolicy(role="sensitive")}
    made = Run(1, "key", table, Policy(k=3, algorithm="mondrian", columns=roles), tmp_path)
    made.job.wait(60)
    return made


@pytest.mark.parametrize("name", ["release.csv", "report.html", "report.json", "owner-report.html", "record.json"])
def test_what_could_not_be_written_is_not_served_the_next_time(run, name):
    """The disk was full half-way: the half stayed under its name, and was given out when asked for again."""
    with small_files(SMALL // 2), pytest.raises(WriteError):
        run.file(name)
    whole = run.file(name).read_bytes()
    assert len(whole) > SMALL // 2
    assert whole.rstrip().endswith((b"</html>", b"}")) or name == "release.csv"


def test_the_policy_is_written_once(run, monkeypatch):
    """Every click that changed something wrote the policies of all runs anew: a third of a second each, with a tree of
    18,000 values.
    """
    first = run.policy_text()
    assert "quasi-identifier" in first
    monkeypatch.setattr(Policy, "toml", lambda policy: pytest.fail("written again"))
    assert run.policy_text() == first

"""``shoal init``: a policy to begin with."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.test_starter import people


def test_three_commands_none_of_which_fails(shoal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands that init prints work as they are printed."""
    monkeypatch.chdir(tmp_path)
    people().write_csv("t.csv")
    answer = shoal("init", "t.csv")
    assert answer.status == 0
    commands = [line.split()[1:] for line in answer.out.splitlines() if line.startswith("   ")]
    assert [c[0] for c in commands] == ["anonymize", "verify"]
    for command in commands:
        assert shoal(*command).status == 0
    assert "name" not in pl.read_csv("release.csv").columns
    assert shoal("init", "t.csv").status == 2  # nothing is replaced without --force
    assert shoal("init", "t.csv", "--force").status == 0


def test_the_owner_alone_can_read_a_starter_policy(shoal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says how many rows have a value of their own, and lists the values of ordered columns."""
    monkeypatch.chdir(tmp_path)
    people().write_csv("t.csv")
    for force in ((), ("--force",)):
        assert shoal("init", "t.csv", *force).status == 0
        assert (tmp_path / "policy.toml").stat().st_mode & 0o077 == 0

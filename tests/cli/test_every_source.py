"""Every command takes every source: files of each format, folders, databases."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.cli.main import run
from shoal.io import read
from tests.places import FILES

PEOPLE = pl.DataFrame(
    {
        "age": [str(20 + i % 3) for i in range(54)],
        "zip": [f"80{i % 2}" for i in range(54)],
        "ill": ["abc"[i // 18] for i in range(54)],
    }
)
QI = ("--qi", "age,zip")
COMMANDS = [
    ("verify", "people.csv", "GIVEN", "-k", "5", *QI, "--keep", "ill"), ("measure", "people.csv", "GIVEN", *QI), ("read", "GIVEN"), ("assess", "GIVEN", *QI),
    ("explore", "GIVEN", "--qi", "zip", "-k", "2,3"), ("init", "GIVEN", "-o", "policy.toml"), ("cluster", "GIVEN", "-o", "centres.csv", "-r", "5", "--qi", "zip"),
    ("hierarchy", "suggest", "GIVEN", "-o", "hierarchies"), ("anonymize", "GIVEN", "-o", "again.csv", "-k", "5", "--qi", "zip"),
]  # fmt: skip


@pytest.fixture(scope="module")
def released() -> pl.DataFrame:
    return shoal.anonymize(PEOPLE, k=5, quasi_identifiers=["age", "zip"], keep=["ill"]).frame


def said_of(given: str, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> str:
    assert run([given if word == "GIVEN" else word for word in command]) == 0, (command[0], capsys.readouterr().err)
    return capsys.readouterr().out.replace(given, "GIVEN")


@pytest.mark.parametrize("source", FILES)
def test_every_command_reads_it(
    source: str, released: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    PEOPLE.write_csv("people.csv")
    (tmp_path / "there").mkdir()
    given = FILES[source](released, tmp_path / "there")
    said = {command[0]: said_of(given, command, capsys) for command in COMMANDS}
    released.write_csv("release.csv")
    for command in COMMANDS[:2]:
        assert said[command[0]] == said_of("release.csv", command, capsys), "as of the same table in a text file"
    assert re.search(r"54 rows", said["verify"])
    made = read("again.csv").frame
    assert made.columns == released.columns
    assert made["ill"].to_list() == released["ill"].to_list()

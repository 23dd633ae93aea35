"""Small files, and the command run as a person runs it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from shoal.cli.main import run

MARKER = "ZebraMarker77"
"""Planted in cells; no message may ever show it."""


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str


@pytest.fixture
def shoal(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    def call(*arguments: object) -> Answer:
        status = run([str(a) for a in arguments])
        said = capsys.readouterr()
        return Answer(status, said.out, said.err)

    return call


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """Sixty rows: two columns of numbers, one of texts, one sensitive column, and one without a role."""
    lines = ["age,zip,job,ill,note"]
    for i in range(60):
        lines.append(f"{20 + i % 23},{81000 + i % 7},{['nurse', 'cook', 'clerk'][i % 3]},{['flu', 'cold', 'ache', 'gout'][i % 4]},n{i}")
    path = tmp_path / "people.csv"
    path.write_text("\n".join(lines) + "\n")
    return path

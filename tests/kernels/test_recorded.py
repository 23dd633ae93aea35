"""Releases, bounds and clusterings of sixty recorded runs stay the same to the bit.

Where one must change, say so in CHANGELOG.md under *Output* and record again: ``python -m
tests.kernels.test_recorded``.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kernels.runs import digest, runs

pytestmark = pytest.mark.usual_effort

RECORD = Path(__file__).with_name("recorded.json")


def test_every_recorded_run_is_still_made() -> None:
    assert sorted(json.loads(RECORD.read_text(encoding="utf-8"))) == sorted(runs())
    assert len(runs()) == 60


@pytest.mark.parametrize("name", sorted(json.loads(RECORD.read_text(encoding="utf-8"))))
def test_a_run_gives_what_was_recorded(name: str) -> None:
    assert digest(runs()[name]()) == json.loads(RECORD.read_text(encoding="utf-8"))[name]


if __name__ == "__main__":
    made = {name: digest(run()) for name, run in runs().items()}
    RECORD.write_text(json.dumps(made, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")

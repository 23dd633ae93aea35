"""Stages have words that a person reads, and a pace."""

from __future__ import annotations

import re
from pathlib import Path

import shoal
from shoal.stages import IN_WORDS, Pace, in_words


def test_every_stage_that_is_told_has_words():
    """A terminal showed 'split' and 'boxes'."""
    told = {
        stage for path in Path(shoal.__file__).parent.rglob("*.py") for stage in re.findall(r"\.tell\(\s*\"([^\"]+)\"", path.read_text())
    }
    assert {"reading", "search", "verifying"} <= told
    assert told <= set(IN_WORDS)


def test_a_stage_of_an_algorithm_of_ones_own_keeps_its_name():
    assert in_words("annealing") == "annealing"


def test_what_is_left_is_told_at_the_pace_of_the_stage(monkeypatch):
    now = 0.0
    monkeypatch.setattr("shoal.stages.time.monotonic", lambda: now)
    pace = Pace()
    assert pace.tell("reading", None)
    assert pace.seconds_left is None
    now = 10.0
    assert pace.tell("search", 0.0)
    now = 16.0
    assert not pace.tell("search", 0.75)
    assert (pace.seconds, pace.seconds_left) == (16.0, 2.0)

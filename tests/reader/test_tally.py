"""Counts: exact where they can be, else between what is certain and possible."""

from __future__ import annotations

import numpy as np
import polars as pl

import shoal
from tests.reader.people import ask, truth


def test_what_is_exact_is_counted_exactly():
    shown = pl.DataFrame({"age": ["30", "30", "41", "41"], "sex": ["f", "f", "m", "m"]})
    found = shoal.read(shown).count(age=30)
    assert (found.value, found.low, found.high, found.at_least, found.at_most) == (2, 2, 2, 2, 2)


def test_the_truth_lies_between_what_is_certain_and_what_is_possible(release):
    """The limits use no assumption at all, so they may never fail."""
    reading = shoal.read(release)
    rng = np.random.default_rng(0)
    for _ in range(300):
        asked = ask(rng)
        found = reading.count(asked)
        assert found.at_least <= truth(asked) <= found.at_most
        assert found.at_least <= found.low <= found.value + 1e-9
        assert found.value <= found.high + 1e-9
        assert found.high <= found.at_most

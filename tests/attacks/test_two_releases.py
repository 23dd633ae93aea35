"""Two releases of one table, joined.

He has:   two releases of the same people, each k-anonymous, with their rows in the order in which they came. Nothing else.
He wants: groups of fewer than k.
He does:  puts row i of the one beside row i of the other: what both show of a person holds for her.
He gets:  people who are alone. ``SECURITY.md``, ``docs/disclosure.md`` and each published report say: publish one release.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest

import shoal


def people() -> pl.DataFrame:
    rng = np.random.default_rng(9)
    return pl.DataFrame({"age": rng.integers(20, 80, 400), "town": rng.choice(list("abcdefgh"), 400), "sex": rng.choice(["f", "m"], 400)})


@pytest.mark.parametrize("other", [{"k": 6}, {"measure": "lm"}, {"seed": 1}], ids=["another k", "another measure", "another seed"])
def test_row_beside_row_people_are_alone(other: dict) -> None:
    asked = {"k": 5, "quasi_identifiers": ["age", "town", "sex"], "hierarchies": {"age": shoal.intervals(5, 10, 20, 40)}, "effort": 0.02}
    first, second = shoal.anonymize(people(), **asked), shoal.anonymize(people(), **{**asked, **other})
    for release in (first, second):
        assert min(Counter(release.frame.rows()).values()) >= 5
    beside = Counter(zip(first.frame.rows(), second.frame.rows(), strict=True))
    assert sum(1 for n in beside.values() if n == 1) >= 5, "people whom the two together single out"

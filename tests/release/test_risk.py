"""The risk of being picked out, from the sizes of the groups alone."""

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.release.risk import risk_of, risks


def test_people_who_stand_alone_or_below_k_are_counted():
    """Groups of 1, 1, 2 and 4 rows: two people are unique, four have fewer than 3 who look like them."""
    found = risk_of(np.array([1, 1, 2, 4]), 3)
    assert (found.n_rows, found.n_groups, found.n_unique, found.n_below_k) == (8, 4, 2, 4)
    assert found.highest == 1.0
    assert found.average == pytest.approx(sum([1, 1, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25]) / 8)


def test_no_rows_have_no_risk():
    found = risk_of(np.zeros(0, dtype=np.int64), 3)
    assert (found.highest, found.average, found.n_unique) == (0.0, 0.0, 0)


def test_after_the_release_nobody_is_picked_out_with_a_chance_above_one_in_k():
    table = pl.DataFrame({"age": [str(20 + i) for i in range(12)]})
    before, after = risks(shoal.anonymize(table, k=4, quasi_identifiers=["age"]))
    assert (before.n_unique, before.highest) == (12, 1.0)
    assert (after.n_unique, after.n_below_k) == (0, 0)
    assert after.highest <= 1 / 4

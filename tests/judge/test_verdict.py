"""The verdict: what it stands for."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.judge.verdict import Audit
from tests.judge.compared import ORIGINAL, RELEASED, check


def test_a_ratio_is_known_where_a_loss_and_a_bound_are():
    assert Audit("entropy", 2.0, 3.0).ratio == 1.5
    assert Audit("entropy", 0.0, 0.0).ratio == 1.0
    assert Audit("entropy", 0.0, 1.0).ratio is None
    assert Audit("entropy", 1.0, None).ratio is None


def test_a_column_that_only_the_release_has_must_be_named():
    more = RELEASED.with_columns(no=pl.Series([3, 1, 4, 1]))
    asked = {"k": 2, "quasi_identifiers": ["age", "zip"]}
    with pytest.raises(shoal.NotCompared, match="column 'no' is not in the original") as doubt:
        shoal.verify(ORIGINAL, more, **asked)
    assert (doubt.value.verdict.added, doubt.value.verdict.is_whole) == (("no",), False)
    assert doubt.value.verdict.has_checked_cells
    for named in ({"keep": ["no"]}, {"sensitive": ["no"]}):
        verdict = shoal.verify(ORIGINAL, more, **asked, **named)
        assert (verdict.added, verdict.named, verdict.is_whole) == ((), ("no",), True)


def test_what_was_not_asked_to_look_has_not_looked():
    """The recount of our own release names what is there by its plan; hints are for who gets two files."""
    assert check().hints == ()
    assert check().is_whole

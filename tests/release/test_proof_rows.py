"""Which rows may have been released, where the release does not tell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import measures, registry
from shoal.errors import NotAnonymous
from shoal.release.proof_case import Ladder
from shoal.release.proof_rows import may_be_released
from tests.release.audited import made


@pytest.mark.parametrize("measure", registry.names(measures.CATALOG))
def test_where_nothing_tells_who_was_withheld_the_proof_claims_no_more(tmp_path: Path, measure: str) -> None:
    release, flags = made(tmp_path, measure, withhold=0.2, note=False)
    release.proof(tmp_path / "proof")
    audit = shoal.verify(tmp_path / "table.csv", tmp_path / "release.csv", proof=tmp_path / "proof", **flags).audit
    assert audit is not None
    assert 0 < audit.lower_bound <= release.bound.value * (1 + 1e-9)


def released(rows: list[str], shown: list[str], other: list[int], released_other: list[int]):
    """One column with the hierarchy a, b below ab; c; and what else each row shows."""
    blocks = (np.array([0, 1, 2]), np.array([3, 3, 2]), np.array([4, 4, 4]))
    ladder = Ladder("x", ("a", "b", "c"), blocks, {0: "a", 1: "b", 2: "c", 3: "ab", 4: "*"}, None, np.ones(3, dtype=np.int64), 1.0)
    leaves = np.array(["abc".index(r) for r in rows])
    return may_be_released([leaves], [ladder], [pl.Series(shown)], np.array(other), np.array(released_other))


def test_a_row_may_have_been_released_if_a_released_row_covers_it() -> None:
    which, more = released(["a", "b", "c"], ["ab", "ab"], [0, 0, 0], [0, 0])
    assert which.tolist() == [True, True, False]
    assert more == {}
    which, more = released(["a", "b", "c"], ["*", "ab"], [0, 0, 0], [0, 0])
    assert which.all()
    assert more == {0: 1}, "one too many, and nothing tells which"


def test_what_else_a_row_shows_must_agree() -> None:
    which, more = released(["a", "a", "b"], ["a", "ab"], [0, 1, 2], [1, 2])
    assert which.tolist() == [False, True, True]
    assert more == {}


def test_a_label_that_is_not_known_may_stand_for_anything() -> None:
    """The safe side: more rows count, and the most expensive of them are taken off."""
    which, more = released(["a", "c"], ["young"], [0, 0], [0])
    assert which.all()
    assert more == {0: 1}


def test_a_release_that_covers_no_row_of_the_original_is_found_out() -> None:
    with pytest.raises(NotAnonymous, match="cover none of them"):
        released(["c", "c", "c"], ["ab", "ab"], [0, 0, 0], [0, 0])
    with pytest.raises(NotAnonymous, match="no row of it has so often"):
        released(["a"], ["a", "a"], [0], [0, 0])

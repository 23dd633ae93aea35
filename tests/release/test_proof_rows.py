"""Which rows may have been released, where the release does not tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import measures, registry
from shoal.errors import NotAnonymous
from shoal.hierarchies import levels
from shoal.release.proof_case import Ladder
from shoal.release.proof_rows import may_be_released

JOBS = levels(
    [["nurse", "health", "*"], ["doctor", "health", "*"], ["cook", "food", "*"], ["waiter", "food", "*"], ["clerk", "office", "*"]]
)


QI = ["age", "job", "kind"]


def table(n: int = 60, note: bool = True) -> pl.DataFrame:
    rng = np.random.default_rng(4)
    columns: dict[str, list[str | None]] = {
        "age": [str(a) for a in rng.integers(17, 90, n)],
        "job": [str(j) for j in rng.choice(["nurse", "doctor", "cook", "waiter", "clerk"], n)],
        "kind": [str(v) for v in rng.choice(["a", "b", "c"], n, p=[0.05, 0.05, 0.9])],
        "ill": [str(v) for v in rng.choice(["flu", "gout", "ache"], n)],
    }
    if note:
        columns["note"] = [f"n{i}" for i in range(n)]
    for row in (3, 11, 30):
        columns["job"][row] = None
    return pl.DataFrame(columns)


def made(tmp_path: Path, measure: str, **options: Any) -> tuple[shoal.Release, dict[str, Any]]:
    """A release of a file, and the flags that made it."""
    table(note=options.pop("note", True)).write_csv(tmp_path / "table.csv")
    asked = {"k": 3, "quasi_identifiers": QI, "measure": measure, "hierarchies": {"job": JOBS}, **options}
    release = shoal.anonymize(tmp_path / "table.csv", **asked)
    release.write(tmp_path / "release.csv")
    only_here = ("withhold", "deletion", "algorithm")
    return release, {name: value for name, value in asked.items() if name not in only_here}


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

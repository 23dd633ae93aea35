"""Every measure with every option: a proof that an audit accepts, with the manifest's bound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import measures, registry
from shoal.hierarchies import levels

JOBS = levels(
    [["nurse", "health", "*"], ["doctor", "health", "*"], ["cook", "food", "*"], ["waiter", "food", "*"], ["clerk", "office", "*"]]
)


RARE = levels([["a", "rare", "*"], ["b", "rare", "*"], ["c", "c", "*"]])


"""Counts 1, 1, 7 or alike: the pair of rare values costs more bits than the whole column."""


QI = ["age", "job", "kind"]


OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "weights": {"weights": {"age": 2.5, "job": 1e-3, "kind": 40.0}},
    "missing as a value": {"missing": "value"},
    "missing suppressed": {"missing": "suppress"},
    "rows withheld": {"withhold": 0.1},
    "rows deleted": {"deletion": True},
    "withheld and missing": {"withhold": 0.2, "missing": "suppress"},
    "demands": {"sensitive": ["ill"], "l_diversity": {"distinct": 2}},
    "default hierarchies": {"hierarchies": {}},
    "a tree that is not monotone": {"hierarchies": {"kind": RARE}},
    "another algorithm": {"algorithm": "mondrian"},
}


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


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("measure", registry.names(measures.CATALOG))
def test_a_proof_is_accepted_with_the_manifests_bound(tmp_path: Path, measure: str, option: str) -> None:
    """H1, R4: with no more than the same flags."""
    release, flags = made(tmp_path, measure, **OPTIONS[option])
    release.proof(tmp_path / "proof")
    audit = shoal.verify(tmp_path / "table.csv", tmp_path / "release.csv", proof=tmp_path / "proof", **flags).audit
    assert audit is not None
    assert audit.measure == measure
    assert audit.lower_bound == pytest.approx(release.bound.value, rel=1e-6, abs=1e-6)
    assert audit.lower_bound <= release.bound.value + 1e-9


def test_the_ratio_of_an_audit_is_the_loss_over_the_bound(tmp_path: Path) -> None:
    release, flags = made(tmp_path, "entropy")
    release.proof(tmp_path / "proof")
    audit = shoal.verify(tmp_path / "table.csv", tmp_path / "release.csv", proof=tmp_path / "proof", **flags).audit
    assert audit.loss == pytest.approx(release.loss)
    assert audit.ratio == pytest.approx(release.loss / audit.lower_bound)


def test_a_proof_of_another_release_of_the_same_table_is_not_accepted_for_more_rows(tmp_path: Path) -> None:
    """An attacker shows the proof of a smaller release: it does not price the rows that were released beside them."""
    few, flags = made(tmp_path, "entropy", withhold=0.2)
    assert few.record["n_withheld"] > 0
    few.proof(tmp_path / "proof")
    (tmp_path / "release.csv").unlink()
    made(tmp_path, "entropy")
    with pytest.raises(shoal.NotAnonymous, match="proof does not hold"):
        shoal.verify(tmp_path / "table.csv", tmp_path / "release.csv", proof=tmp_path / "proof", **flags)

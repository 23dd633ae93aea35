"""Forged proofs.

The attacker has    the original, the release, the policy, the program, and may write any proof file.
The attacker wants  ``shoal verify --proof`` to certify a bound above the true optimum, so that a poor release passes for a good one.
The attacker gets   an error: a file of prices that add up to more than the optimum breaks some box, and prices are all that is read.
"""

from __future__ import annotations

import inspect
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.errors import DataError, NotAnonymous
from shoal.policy.given import make_policy
from shoal.proof import check as proof_check
from shoal.proof.file import ProofPrices, ProofTexts, pack
from shoal.release.cases import case_for
from shoal.release.resolve import Hierarchies
from shoal.table import Table
from tests.attacks import forging

ROWS = [("17", "nurse"), ("18", "nurse"), ("39", "cook"), ("40", "cook"), ("52", "clerk"), ("53", "clerk"), ("68", "nurse"), ("69", "cook")]
QI = ["age", "job"]


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_forged_proof_claims_more_than_the_optimum(seed: int) -> None:
    """At random and guided."""
    tally = forging.attack(90, seed)
    assert tally.wrong == 0
    assert tally.honest == tally.tables


def test_the_attack_would_find_a_checker_that_walks_no_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_check, "count_broken", lambda *_: 0)
    assert forging.attack(100, 3).wrong > 20


# ---- the four forgeries that version 0.1.0 took ----


def write(path: Path, rows: list[Any]) -> Path:
    pl.DataFrame(rows, schema=dict.fromkeys(QI, pl.String), orient="row").write_csv(path)
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write(tmp_path / "table.csv", ROWS)


@pytest.fixture
def starred(tmp_path: Path) -> Path:
    """A release that tells nothing: the worst there is."""
    return write(tmp_path / "starred.csv", [("*", "*")] * len(ROWS))


def old_proof(path: Path, columns: list[dict[str, Any]], rows: list[Any], price: float, measure: str) -> Path:
    """A file of version 0.1.0, with everything that was believed then."""
    tuples = pl.DataFrame({"c0": [r[0] for r in rows], "c1": [r[1] for r in rows]})
    tuples = tuples.group_by("c0", "c1", maintain_order=True).agg(pl.len().cast(pl.Int64).alias("rows"))
    tuples = tuples.with_columns(price=pl.lit(int(price * 2**30)))
    header = {
        "format": "shoal-proof-1", "measure": measure, "k": 2, "n_released": len(rows), "n_rows": len(ROWS), "shift": 30, "bound": "dual",
        "lower_bound": price * len(rows), "total": int((tuples["rows"] * tuples["price"]).sum()), "columns": columns,
    }  # fmt: skip
    stream = io.BytesIO()
    tuples.write_parquet(stream)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("proof.json", json.dumps(header))
        archive.writestr("prices.parquet", stream.getvalue())
    return path


def new_proof(path: Path, rows: list[Any], price: float) -> Path:
    distinct = list(dict.fromkeys(rows))
    columns = {}
    for j, name in enumerate(QI):
        values = list(dict.fromkeys(r[j] for r in distinct))
        columns[name] = ProofTexts(values, np.array([values.index(r[j]) for r in distinct]))
    path.write_bytes(pack(ProofPrices(columns, np.full(len(distinct), int(price * 2**30)), 30)))
    return path


def flat(values: list[str], **more: Any) -> dict[str, Any]:
    """A hierarchy that only suppresses, as the old files wrote it."""
    return {"weight": 1.0, "starred": False, "intervals": None, "rows": [[v, "*"] for v in values], **more}


def distinct(j: int) -> list[str]:
    return list(dict.fromkeys(row[j] for row in ROWS))


def test_intervals_are_not_taken_from_the_proof(table: Path, starred: Path, tmp_path: Path) -> None:
    """For 'lm' the proof said how wide its nodes are, and said that all are as wide as the domain."""
    wide = [[[0.0, 1.0], [0.0, 1.0]] for _ in distinct(0)]
    columns = [flat(distinct(0), name="age", intervals=wide), flat(distinct(1), name="job")]
    old = old_proof(tmp_path / "old", columns, ROWS, 1.0, "lm")
    for file in (old, new_proof(tmp_path / "new", ROWS, 1.0)):
        with pytest.raises((NotAnonymous, DataError)):
            shoal.verify(table, starred, k=2, quasi_identifiers=QI, proof=file, **measured("lm"))


def test_default_hierarchies_are_not_taken_from_the_proof(table: Path, starred: Path, tmp_path: Path) -> None:
    """Columns without a hierarchy of their own were priced by the proof's, which knew no interval below '*'."""
    columns = [flat(distinct(0), name="age"), flat(distinct(1), name="job")]
    old = old_proof(tmp_path / "old", columns, ROWS, 1.0, "stars")
    for file in (old, new_proof(tmp_path / "new", ROWS, 1.5)):
        with pytest.raises((NotAnonymous, DataError)):
            shoal.verify(table, starred, k=2, quasi_identifiers=QI, proof=file, **measured("tree"))


def test_withheld_rows_are_not_chosen_by_the_proof(table: Path, tmp_path: Path) -> None:
    """Of the released rows only the number was checked: the forger priced expensive rows in place of the cheap ones that were released."""
    rows = [("17", "nurse")] * 6 + [("39", "cook"), ("68", "clerk")]
    original = write(tmp_path / "original.csv", rows)
    release = write(tmp_path / "release.csv", [("*", "*")] * 3)
    dear = [rows[0], rows[6], rows[7]]
    old = old_proof(
        tmp_path / "old", [flat(["17", "39", "68"], name="age"), flat(["nurse", "cook", "clerk"], name="job")], dear, 2.0, "stars"
    )
    for file in (old, new_proof(tmp_path / "new", dear, 2.0), new_proof(tmp_path / "newer", rows, 2.0)):
        with pytest.raises((NotAnonymous, DataError)):
            shoal.verify(original, release, k=2, quasi_identifiers=QI, proof=file, **measured("stars"))


def test_weights_are_not_taken_from_the_proof(table: Path, starred: Path, tmp_path: Path) -> None:
    """The proof said that a column weighs a thousand."""
    columns = [flat(distinct(0), name="age", weight=1000.0), flat(distinct(1), name="job", weight=1000.0)]
    old = old_proof(tmp_path / "old", columns, ROWS, 1000.0, "stars")
    for file in (old, new_proof(tmp_path / "new", ROWS, 1000.0)):
        with pytest.raises((NotAnonymous, DataError)):
            shoal.verify(table, starred, k=2, quasi_identifiers=QI, proof=file, **measured("stars"))


def measured(name: str) -> dict[str, Any]:
    """What the verifier is told about the measure; 0.1.0 took it from the proof and had no setting for it."""
    return {"measure": name} if "measure" in inspect.signature(shoal.verify).parameters else {}


# ---- withheld rows: what holds whichever they are ----


def test_whoever_was_withheld_the_dearest_may_have_been(tmp_path: Path) -> None:
    """Two of three pairs of equal rows are released as stars: the proof holds for any choice of four."""
    rows = [("17", "nurse")] * 2 + [("18", "nurse")] * 2 + [("90", "cook")] * 2
    frame = pl.DataFrame(rows, schema=dict.fromkeys(QI, pl.String), orient="row")
    asked = make_policy(None, k=4, quasi_identifiers=QI, measure="stars")
    case = case_for(Hierarchies(Table(frame), asked), 2)
    assert case.rows.sum() == 6
    proof = new_proof(tmp_path / "proof", rows, 1.0)
    proved = proof_check.check_proof(case, proof)  # every four rows of these differ in age: at least one star per row
    assert proved == pytest.approx(4.0)


@pytest.mark.parametrize(("asked", "told"), [({"withhold": 0.4}, 2), ({"deletion": True}, None)])
def test_a_proof_where_rows_may_leave_says_too_much_where_they_may_not_count(
    tmp_path: Path, asked: dict[str, Any], told: int | None
) -> None:
    """A release of few rows at no loss, and the proof of a release of all: whoever verifies says which rows may leave, and the proof holds for that or not at all."""
    frame = pl.DataFrame({"age": ["17", "17", "18", "90", "90"]})
    frame.write_csv(tmp_path / "table.csv")
    kept = shoal.anonymize(frame, k=2, quasi_identifiers=["age"], measure="stars", hierarchies={"age": shoal.suppression()})
    kept.proof(tmp_path / "proof")
    assert kept.lower_bound == 3
    few = shoal.anonymize(frame, k=2, quasi_identifiers=["age"], measure="stars", hierarchies={"age": shoal.suppression()}, **asked)
    few.write(tmp_path / "few.csv")
    assert few.loss == (1 if "deletion" in asked else 0)
    flags = {"k": 2, "quasi_identifiers": ["age"], "measure": "stars", "hierarchies": {"age": shoal.suppression()}, "withheld": told}
    with pytest.raises(NotAnonymous, match="proof does not hold"):
        shoal.verify(frame, tmp_path / "few.csv", proof=tmp_path / "proof", deletion="deletion" in asked, **flags)

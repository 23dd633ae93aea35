"""Every measure with every option: a proof that an audit accepts, with the manifest's bound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import shoal
from shoal import measures, registry
from shoal.hierarchies import levels
from tests.proof.audited import made

RARE = levels([["a", "rare", "*"], ["b", "rare", "*"], ["c", "c", "*"]])
"""Counts 1, 1, 7 or alike: the pair of rare values costs more bits than the whole column."""
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


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("measure", registry.names(measures.CATALOG))
def test_a_proof_is_accepted_with_the_manifests_bound(tmp_path: Path, measure: str, option: str) -> None:
    """With no more than the same flags."""
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

"""Proofs where columns are generalized freely: what a set costs at least."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import measures, registry
from shoal.bounds.neighbour import NEIGHBOUR
from shoal.errors import NotAnonymous
from shoal.hierarchies import any_interval, any_subset
from shoal.judge.measures.base import definition_of
from shoal.problem import Watch
from shoal.proof.check import check_prices
from shoal.release.cases import case_for
from shoal.release.resolve import Hierarchies
from shoal.release.witness import rounded, walked, why_none
from tests.naive.free import free_optimum
from tests.proof.audited import made

FREE = [{"age": any_interval()}, {"job": any_subset()}, {"age": any_interval(), "job": any_subset(), "kind": any_subset()}]


@pytest.mark.parametrize("algorithm", ["auto", "mondrian"])
@pytest.mark.parametrize("free", FREE)
@pytest.mark.parametrize("measure", registry.names(measures.CATALOG))
def test_free_columns_have_proofs_too(tmp_path: Path, measure: str, free: dict[str, Any], algorithm: str) -> None:
    release, flags = made(tmp_path, measure, hierarchies=free, algorithm=algorithm, withhold=0.05)
    release.proof(tmp_path / "proof")
    audit = shoal.verify(tmp_path / "table.csv", tmp_path / "release.csv", proof=tmp_path / "proof", **flags).audit
    assert audit is not None
    assert audit.lower_bound <= release.bound.value * (1 + 1e-9)
    assert audit.lower_bound == pytest.approx(release.bound.value, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("measure", registry.names(measures.CATALOG))
def test_proofs_of_free_columns_stay_below_the_optimum(tmp_path: Path, measure: str) -> None:
    """Small tables, against every partition and every allowed set; prices raised by a forger too."""
    rng = np.random.default_rng(5)
    for _ in range(12):
        n = int(rng.integers(4, 8))
        frame = pl.DataFrame(
            {"age": [str(a) for a in rng.choice([17, 23, 39, 68], n)], "job": [str(j) for j in rng.choice(list("aaabc"), n)]}
        )
        asked = {"k": int(rng.integers(2, 4)), "quasi_identifiers": ["age", "job"], "measure": measure}
        release = shoal.anonymize(frame, hierarchies={"age": any_interval(), "job": any_subset()}, algorithm="mondrian", **asked)
        best, problem = free_optimum(release.problem.by_rows()), release.problem
        case = case_for(Hierarchies(release.original, release.policy))
        by_sets = bool(rng.random() < 0.5)
        prices = NEIGHBOUR.compute(problem, Watch()).prices if by_sets else walked(problem).prices
        proof = replace(rounded(problem, prices), by_sets=by_sets)
        assert check_prices(case, proof) <= best + 1e-9
        for factor in (1.01, 1.3, 2.0, 5.0):
            try:
                claimed = check_prices(case, replace(proof, prices=(proof.prices * factor).astype(np.int64) + 1))
            except NotAnonymous:
                continue
            assert claimed <= best + 1e-9


def test_a_measure_that_does_not_say_what_supersets_cost_has_none_for_free_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release, _ = made(tmp_path, "entropy", hierarchies=FREE[0])
    silent = replace(definition_of("entropy"), superset_floor=None)
    monkeypatch.setattr("shoal.release.witness.definition_of", lambda name: silent)
    assert "no proof to write" in str(why_none(release.problem))

"""What an algorithm cannot do is refused, with a reason and the name of another algorithm; or it is done and said to have no guarantee."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import algorithms, measures, registry
from shoal.algorithms import exact

NAMES = registry.names(algorithms.CATALOG)


def table(n: int = 40, q: int = 3, values: int = 4) -> pl.DataFrame:
    rng = np.random.default_rng(n)
    cells = rng.integers(0, values, size=(n, q))
    return pl.DataFrame({f"c{j}": [f"v{v}" for v in cells[:, j]] for j in range(q)})


def ask(data: pl.DataFrame, algorithm: str, k: int = 2, measure: str = "stars", **options: object) -> shoal.Release:
    columns = [c for c in data.columns if c.startswith("c")]
    return shoal.anonymize(data, k=k, quasi_identifiers=columns, algorithm=algorithm, measure=measure, **options)


@pytest.mark.parametrize(("algorithm", "k"), [("one-two-factor", 3), ("one-two-factor", 5), ("two-factor", 2), ("two-factor", 4)])
def test_a_k_that_the_algorithm_does_not_support_is_refused(algorithm: str, k: int) -> None:
    with pytest.raises(shoal.Refused) as refusal:
        ask(table(), algorithm, k)
    others = [name for name in NAMES if name != algorithm and name in str(refusal.value)]
    assert others or "auto" in str(refusal.value)


def test_a_table_that_is_not_a_restricted_instance_is_refused() -> None:
    with pytest.raises(shoal.Refused, match=r"one-two-factor|set-cover|auto"):
        ask(table(values=4), "restricted-matching")


@pytest.mark.parametrize("algorithm", ["meyerson-williams", "forest"])
def test_a_measure_without_a_guarantee_runs_and_says_so(algorithm: str) -> None:
    manifest = ask(table(), algorithm, measure="non-uniform-entropy").manifest
    assert manifest["algorithm"] == algorithm
    assert not any(str(manifest["guarantee"]).startswith(digit) for digit in "123456789")
    with_one = ask(table(), algorithm, measure="entropy").manifest
    assert with_one["guarantee"] != manifest["guarantee"]


def test_the_default_measure_has_a_factor() -> None:
    manifest = ask(table(), "set-cover", k=2, measure=measures.DEFAULT).manifest
    assert manifest["guarantee"] == pytest.approx(3 * (1 + 1 / 2 + 1 / 3))
    assert "5.50" in manifest["guarantee_note"]


def test_a_table_too_large_for_exact_is_refused() -> None:
    with pytest.raises(shoal.Refused, match="'auto'"):
        ask(table(n=400, q=24, values=3), "exact")


def test_a_table_that_turns_out_too_large_for_exact_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MOST_BOXES", 10)
    with pytest.raises(shoal.Refused, match="'auto'"):
        ask(table(n=60), "exact")


def test_more_subsets_than_the_diameter_tries_are_refused() -> None:
    with pytest.raises(shoal.Refused, match="'meyerson-williams'"):
        ask(table(n=400), "meyerson-williams-diameter", k=3)


@pytest.mark.parametrize("algorithm", ["set-cover", "full-domain"])
def test_a_lattice_too_large_is_refused(algorithm: str) -> None:
    with pytest.raises(shoal.Refused, match=r"'auto'|'mondrian'|'forest'"):
        ask(table(n=64, q=36, values=2), algorithm)


@pytest.mark.parametrize("name", NAMES)
def test_fewer_rows_than_k_are_refused_without_a_cell(name: str) -> None:
    with pytest.raises(shoal.ShoalError) as trouble:
        ask(table(n=1), name, k=2)
    assert isinstance(trouble.value, shoal.Infeasible | shoal.Refused)
    assert "v0" not in str(trouble.value)

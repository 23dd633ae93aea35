"""Parts on the workers: what is sent and answered here, and on a cluster the release of a table that is too large for the driver."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import algorithms, registry
from shoal.engines import spark_parts
from shoal.engines.limits import BASE, SOLVER
from shoal.engines.parts import PartAnswer
from shoal.engines.spark_parts import _packed, solve_packed
from shoal.errors import Infeasible, Refused
from tests.clusters import session
from tests.tables import random_problem

MONDRIAN = registry.find(algorithms.CATALOG, "mondrian")


@pytest.mark.parametrize("measure", ["root-share", "entropy", "ncp"])
def test_a_part_is_solved_from_what_is_sent(measure: str) -> None:
    problem = random_problem(np.random.default_rng(0), 200, 3, 4, measure=measure, deep=True)
    answer = solve_packed(_packed(problem, MONDRIAN))
    assert isinstance(answer, PartAnswer)
    assert answer.rows.sum() == 200
    assert np.bincount(answer.group).min() >= 4


def test_an_error_comes_back_as_it_is() -> None:
    problem = replace(random_problem(np.random.default_rng(0), 3, 2, 4))
    assert isinstance(solve_packed(_packed(problem, MONDRIAN)), Infeasible | Refused)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_table_that_is_too_large_for_the_driver_is_solved_on_the_workers(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = pl.DataFrame({name: rng.integers(0, 30, 20_000).astype(str) for name in ("a", "b", "c")} | {"ill": ["flu", "gout"] * 10_000})
    table.write_parquet(tmp_path / "people.parquet")
    session()
    asked = {"k": 5, "quasi_identifiers": ["a", "b", "c"], "sensitive": ["ill"], "algorithm": "mondrian"}
    memory = BASE + 5_000 * SOLVER
    made = shoal.publish(str(tmp_path / "people.parquet"), tmp_path / "out", engine="spark", memory=memory, **asked)
    assert "cutting cost at most" in made.manifest["bound"]
    assert "parts of at most 5,000 different rows" in made.record["bound_note"]
    assert made.ratio >= 1
    found = pl.read_parquet(f"{tmp_path}/out/*.parquet")
    assert found.height == 20_000
    assert found.group_by("a", "b", "c").len()["len"].min() >= 5  # type: ignore[operator]
    whole = shoal.publish(str(tmp_path / "people.parquet"), tmp_path / "whole", engine="spark", **asked)
    assert "cutting" not in whole.manifest["bound"], "never where the driver can take it"
    assert made.lower_bound <= whole.loss
    with pytest.raises(Refused, match="the driver needs"):
        shoal.publish(str(tmp_path / "people.parquet"), tmp_path / "none", engine="spark", memory=1_000_000, **asked)


def test_what_workers_lack_is_said() -> None:
    assert "shoal spark package" in spark_parts.LACKING

"""What is proved of a clustering: one function, which records, manifests, lists and documents read."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.cli.main import run
from shoal.clustering.base import Task
from shoal.clustering.guarantee import Kind, guarantee, kind_of, kinds, listed
from tests.clustering.small import METHODS, check, exhaustive, folded, on_a_line, points_from, solve
from tests.naive.clusterings import random_metric

GUIDE = Path(__file__).parents[2] / "docs" / "clustering.md"


@pytest.mark.parametrize("method", METHODS)
def test_the_guide_lists_the_factors_that_the_function_gives(method: str) -> None:
    for (words, kind), (_, anywhere) in zip(kinds(method, "input"), kinds(method, "any"), strict=True):
        name = f"`{method}` {words}".strip()
        anyhow = guarantee(anywhere).factor
        assert (
            f"| {name} | {guarantee(kind).factor:g} | {'none' if anyhow is None else f'{anyhow:g}'} |"
            in GUIDE.read_text()
        )


def test_the_command_lists_the_factors_that_the_function_gives(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["algorithms"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    for method in METHODS:
        assert listed(method) in said


FRAME = pl.DataFrame({"age": [1, 2, 3, 4, 8, 9, 10, 11, 50], "ill": list("abcabcabc")})


@pytest.mark.parametrize(
    ("method", "r", "outliers", "centers"), list(product(METHODS, [1, 2], [0, "1/9"], ["input", "any"]))
)
def test_record_and_manifest_say_the_same_factor(method: str, r: int, outliers: object, centers: str) -> None:
    """0.2.0 published 36 where the record said 72, and 3 where it said 6."""
    more = {"max_clusters": 3} if method == "center" else {}
    made = shoal.cluster(
        FRAME, method=method, r=r, outliers=outliers, centers=centers, quasi_identifiers=["age"], **more
    )
    promised = guarantee(Kind(method, outliers != 0, centers, r > 1))  # type: ignore[arg-type]
    assert made.record["guarantee"] == made.manifest["guarantee"] == promised.factor
    assert made.record["guarantee_text"] == made.manifest["guarantee_text"] == promised.text


def test_a_share_that_leaves_no_row_out_is_no_outlier() -> None:
    assert guarantee(kind_of("gather", Task(on_a_line(0, 1, 2), 3, "any", max_outliers=0))).factor == 2.0


def test_what_is_not_proved_has_no_factor() -> None:
    none = guarantee(Kind("cellular", centres="any", setup="different"))
    assert none.factor is None
    assert none.text.startswith("none: ")


@pytest.mark.parametrize(
    ("method", "r", "outliers", "centres"), list(product(METHODS, [1, 2, 3], [0, 1, 2], ["input", "any"]))
)
def test_no_kind_of_task_costs_more_than_its_factor_allows(method: str, r: int, outliers: int, centres) -> None:
    """Every kind by itself against the exhaustive optimum, with the least cost that any centre in any space could
    have.
    """
    rng = np.random.default_rng([METHODS.index(method), r, outliers, centres == "any"])
    for turn in range(12):
        d = random_metric(rng, int(rng.integers(max(r, 3), 7)))
        d, points = folded(rng, d) if turn % 2 else (d, points_from(d))
        setup = np.full(points.space.n, float(turn % 4)) if method == "cellular" and turn % 3 else None
        if setup is not None and centres == "input" and turn % 3 == 1:
            setup = rng.choice([0.0, 1.0, 5.0, 40.0], points.space.n)
        task = Task(points, r, centres, 2 if method == "center" else None, outliers, setup)
        check(d, task, method, solve(method, task), exhaustive(d, task, method))

"""cluster(): what is published, what stays, and that the recount stands between."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from tests.clustering.small import CRITERIA, METHODS, keeps_all
from tests.naive.clusterings import random_metric


def test_distances_may_stand_instead_of_a_table() -> None:
    d = random_metric(np.random.default_rng(1), 7)
    for method in ("gather", "cellular"):
        c = shoal.cluster(distances=d, method=method, r=2)
        radii = [d[centre, rows].max() for centre, rows in c.clusters]
        assert c.cost == pytest.approx(
            max(radii) if method == "gather" else sum(len(m) * x for (_, m), x in zip(c.clusters, radii, strict=True))
        )
    frame = pl.DataFrame({"ill": list("abcdefg")})
    c = shoal.cluster(frame, distances=d, r=3, sensitive=["ill"])
    assert sorted(x for text in c.table["ill"] for x in json.loads(text)) == list("abcdefg")


def test_a_function_of_two_rows_may_be_the_metric() -> None:
    frame = pl.DataFrame({"word": ["ab", "abc", "xyz", "xy", "ab"]})
    c = shoal.cluster(
        frame, r=2, quasi_identifiers=["word"], metric=lambda a, b: float(len(set(a["word"]) ^ set(b["word"])))
    )
    assert sorted(sorted(rows) for _, rows in c.clusters) == [[0, 1, 4], [2, 3]]
    assert c.cost == 1.0


@pytest.mark.parametrize(
    ("outliers", "n", "most"), [(0.1, 30, 3), ("0.29", 100, 29), (Fraction(1, 3), 9, 3), ("1/3", 8, 2), (0.07, 100, 7)]
)
def test_the_number_of_outliers_is_exact(outliers: Any, n: int, most: int) -> None:
    c = shoal.cluster(pl.DataFrame({"x": list(range(n))}), r=2, quasi_identifiers=["x"], outliers=outliers)
    assert c.manifest["max_outliers"] == most


@pytest.mark.parametrize("seed", range(20))
def test_random_tables_keep_what_is_asked_and_their_verification_agrees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 40))
    cells = [
        ("7", "8.5", "20", "", None)[i] if seed % 2 else ("flu", "cold", "gout", "", None)[i]
        for i in rng.choice(5, n, p=[0.4, 0.3, 0.2, 0.05, 0.05])
    ]
    frame = pl.DataFrame({"age": rng.integers(18, 60, n), "town": rng.choice(["A", "B"], n), "ill": cells})
    criterion, parameters = CRITERIA[seed % len(CRITERIA)]
    method = METHODS[int(rng.integers(3))]
    asked: dict[str, Any] = {
        "method": method,
        "r": int(rng.integers(2, 5)),
        "quasi_identifiers": ["age", "town"],
        "sensitive": ["ill"],
    }
    asked |= {
        "outliers": str(rng.choice(["0", "0.1"])),
        "centers": str(rng.choice(["input", "any"])),
        "require": {criterion: parameters},
    }
    asked |= {"max_clusters": 4} if method == "center" else {}
    try:
        made = shoal.cluster(frame, **asked, sensitive_as=str(rng.choice(["list", "counts"])))
    except shoal.Infeasible:
        assert not keeps_all(
            criterion, parameters, [[cell or None for cell in cells]], [cell or None for cell in cells]
        )
        return
    groups = [[cells[row] or None for row in members] for _, members in made.clusters]
    assert keeps_all(criterion, parameters, groups, [cell or None for cell in cells])
    told = shoal.verify_clustering(frame, made.table, **asked)
    assert (told.n_clusters, told.kept) == (len(groups), tuple(made.manifest["criteria"]))
    assert made.lower_bound is not None
    assert made.lower_bound <= made.cost * (1 + 1e-9)

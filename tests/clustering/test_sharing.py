"""From clusters of any size to clusters of at least r rows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.clustering import verify
from shoal.clustering.base import Task
from shoal.clustering.guarantee import guarantee, kind_of
from shoal.clustering.sharing import disjoint, shared
from tests.clustering.small import folded, on_a_line, points_from, solve
from tests.naive.clusterings import half_diameter, random_metric, shared_optimum


def test_a_small_cluster_is_filled_up_with_the_rows_nearest_to_its_centre() -> None:
    points = on_a_line(0, 1, 2, 3, 50)
    lists = shared(points, points.of_row[[4, 0]], np.array([1, 1, 1, 1, 0], dtype=np.int32), 3)
    assert sorted(lists[0].tolist()) == [2, 3, 4]
    assert sorted(lists[1].tolist()) == [0, 1, 2, 3]


def test_an_outlier_near_a_centre_comes_back() -> None:
    points = on_a_line(0, 1, 2)
    assert shared(points, points.of_row[[0]], np.array([0, -1, 0], dtype=np.int32), 2)[0].tolist() == [0, 1, 2]


@pytest.mark.parametrize("seed", range(80))
def test_every_row_of_a_list_ends_in_one_cluster_of_at_least_r(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 16))
    d = random_metric(rng, n)
    d, points = folded(rng, d) if seed % 2 else (d, points_from(d))
    r = int(rng.integers(1, n // 2 + 1))
    centre = points.of_row[rng.choice(n, int(rng.integers(1, 5)), replace=False)]
    label = rng.integers(-1, len(centre), n).astype(np.int32)
    lists = shared(points, centre, label, r)
    assert all(len(rows) >= r for rows in lists)
    assert all(set(np.flatnonzero(label == c)) <= set(rows) for c, rows in enumerate(lists))
    found = disjoint(points, centre, lists, r, np.zeros(points.space.n))
    assert set(np.flatnonzero(found.label >= 0)) == {int(row) for rows in lists for row in rows}
    assert found.sizes().min() >= r
    assert set(found.centre) <= set(centre)


@pytest.mark.parametrize("centres", ["input", "any"])
@pytest.mark.parametrize("outliers", [0, 1])
def test_with_shared_rows_the_cost_is_within_its_factor_of_the_shared_optimum(centres, outliers: int) -> None:
    """6 times, 9 with outliers, for any set-up costs: of the best clusters that may share rows, and so of the best that
    may not.
    """
    rng = np.random.default_rng([outliers, centres == "any"])
    n_shared = 0
    for turn in range(60):
        n, r = int(rng.integers(4, 7)), int(rng.integers(2, 4))
        d = random_metric(rng, n)
        points = points_from(d)
        given = (
            np.zeros(n) if turn % 3 == 0 else np.full(n, 2.0) if centres == "any" else rng.choice([0.0, 1.0, 20.0], n)
        )
        task = Task(
            points, r, centres, None, outliers, None if turn % 3 == 0 else given[points.space.order], sharing=True
        )
        answer = solve("cellular", task)

        def cost(m: list[int], d=d, given=given) -> float:
            if centres == "any":
                return float(given.min()) + len(m) * half_diameter(d, m)
            return float((given + len(m) * d[:, m].max(axis=1)).min())

        best = shared_optimum(d, r, cost, most_outliers=outliers)
        factor = guarantee(kind_of("cellular", task)).factor
        assert factor == (9.0 if outliers else 6.0) * (2 if centres == "any" else 1)
        assert answer.lower_bound <= best * (1 + 1e-9) + 1e-9
        assert answer.cost <= answer.paper_cost <= factor * best * (1 + 1e-9) + 1e-9
        assert (answer.found.sizes() >= r).all()
        n_shared += answer.found.rows is not None
    assert n_shared


FRAME = pl.DataFrame({"age": [30] * 5 + [35], "ill": list("abcabc")})
ASKED = {"method": "cellular", "r": 5, "quasi_identifiers": ["age"], "metric": {"age": {"unit": 1}}}


def test_a_shared_row_is_counted_by_several_clusters_and_the_audit_knows_how(tmp_path: Path) -> None:
    """Five rows at one place and one apart, r = 5: apart they cost 6 · 5, and with four rows of both clusters 5 · 5."""
    made = shoal.cluster(FRAME, **ASKED, sharing=True)
    assert (made.cost, shoal.cluster(FRAME, **ASKED).cost) == (25, 30)
    assert sorted(made.table["size"]) == [5, 5]
    assert made.record["guarantee"] == made.manifest["guarantee"] == 6
    assert made.manifest["sharing"] is True
    assert (made.manifest["n_rows"], made.manifest["n_outliers"]) == (6, 0)
    counted = Counter(row for _, rows in made.clusters for row in rows)
    assert set(counted) == set(range(6))
    assert max(counted.values()) == 2
    assert Counter(made.members["row"]) == counted
    assert shoal.verify_clustering(FRAME, made.table, **ASKED, sharing=True).n_outliers == 0
    with pytest.raises(shoal.NotAnonymous):
        shoal.verify_clustering(FRAME, made.table, **ASKED)
    made.proof(tmp_path / "p.json")
    assert (
        shoal.verify_clustering(FRAME, made.table, **ASKED, sharing=True, proof=tmp_path / "p.json").lower_bound <= 25
    )


def test_the_audit_of_shared_rows_refuses_sizes_and_rows_that_cannot_be() -> None:
    made = shoal.cluster(FRAME, **ASKED, sharing=True)
    large = made.table.with_columns(size=pl.Series([7, 5]))
    nobody_at_35 = made.table.with_columns(radius=pl.Series([0.0, 0.0]), age=pl.Series(["30", "30"]))
    telling = made.table.with_columns(ill=pl.Series(['["a", "a", "b", "b", "c"]'] * 2))
    for forged in (large, nobody_at_35, telling):
        with pytest.raises(shoal.NotAnonymous):
            shoal.verify_clustering(FRAME, forged, **ASKED, sharing=True)


def test_sharing_is_refused_where_values_would_tell_which_rows_clusters_have_in_common() -> None:
    with pytest.raises(shoal.Refused, match="'ill'"):
        shoal.cluster(FRAME, **ASKED, sensitive=["ill"], sharing=True)
    with pytest.raises(shoal.Refused, match="--method cellular"):
        shoal.cluster(FRAME, r=2, quasi_identifiers=["age"], sharing=True)


@pytest.mark.parametrize(
    ("rows", "label"),
    [([0, 0, 1, 2], [0, 0, 0, 0]), ([0, 1], [0, 0]), ([0, 1, 2, 2], [0, 0, 0, -1])],
    ids=["twice", "missing", "both"],
)
def test_rows_that_are_counted_wrongly_are_not_published(rows: list[int], label: list[int]) -> None:
    with pytest.raises(shoal.NotAnonymous):
        verify.check_rows(np.array(rows), np.array(label, dtype=np.int32), 3)

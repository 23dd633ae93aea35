"""cluster(): what is published, what stays, and that the recount stands between."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars as pl
import pytest

import shoal
from shoal.clustering import publish, verify
from tests.naive.clusterings import random_metric

QI = ["age", "town", "sex"]


def people(n: int = 60, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "name": [f"person {i}" for i in range(n)],
            "age": rng.integers(18, 90, n),
            "town": rng.choice(["A", "B", "C"], n),
            "sex": rng.choice(["f", "m"], n),
            "illness": rng.choice(["flu", "cold", "gout"], n),
        }
    )


def run(frame: Any, **more: Any) -> Any:
    more = {"quasi_identifiers": QI, "sensitive": ["illness"], "identifiers": ["name"], "metric": {"age": {"unit": 10}}, **more}
    return shoal.cluster(frame, **more)


@pytest.mark.parametrize(
    "asked",
    [
        {"method": "gather"},
        {"method": "gather", "centers": "input"},
        {"method": "gather", "outliers": "0.1"},
        {"method": "gather", "outliers": 0.1, "centers": "input"},
        {"method": "center", "max_clusters": 4},
        {"method": "center", "max_clusters": 4, "outliers": 0.05},
        {"method": "cellular"},
        {"method": "cellular", "centers": "any"},
        {"method": "cellular", "setup_cost": 2.5},
        {"method": "cellular", "outliers": 0.1},
    ],
)
def test_what_is_published_is_true(asked: dict[str, Any]) -> None:
    frame = people()
    c = run(frame, r=5, **asked)
    told = c.manifest
    members = [row for _, rows in c.clusters for row in rows]
    assert sorted(members + c.outliers) == list(range(60))
    assert all(len(rows) >= 5 for _, rows in c.clusters)
    assert len(c.outliers) == told["n_outliers"] <= told["max_outliers"] == int(Fraction(str(asked.get("outliers", 0))) * 60)
    assert c.table.height == len(c.clusters) == told["n_clusters"]
    assert c.table["size"].to_list() == [len(rows) for _, rows in c.clusters]
    assert "name" not in c.table.columns
    radii = []
    for (centre, rows), shown in zip(c.clusters, c.table.to_dicts(), strict=True):
        assert json.loads(shown["illness"]) == sorted(frame["illness"][row] for row in rows)
        apart = [
            abs(frame["age"][i] - float(shown["age"])) / 10 + (frame["town"][i] != shown["town"]) + (frame["sex"][i] != shown["sex"])
            for i in rows
        ]
        radii.append(max(apart))
        if centre is not None:
            assert [str(frame[name][centre]) for name in QI] == [shown[name] for name in QI]
        if asked.get("centers") == "input":
            assert centre is not None
    cellular = asked["method"] == "cellular"
    assert ("radius" in c.table.columns) == cellular
    if cellular:
        assert c.table["radius"].to_list() == pytest.approx(radii)
    total = sum(len(rows) * radius for (_, rows), radius in zip(c.clusters, radii, strict=True))
    cost = total + asked.get("setup_cost", 0) * len(radii) if cellular else max(radii)
    assert c.cost == pytest.approx(cost) == told["cost"]
    assert c.lower_bound <= c.cost + 1e-9
    assert c.ratio == pytest.approx(c.cost / c.lower_bound)
    assert c.ratio <= told["guarantee"]
    assert told["largest_radius"] == pytest.approx(max(radii))


def test_long_form_members_and_files(tmp_path: Path) -> None:
    frame = people()
    c = run(frame, r=4, method="gather", outliers=0.05)
    assert c.long.height == 60 - len(c.outliers)
    assert c.long.columns == [*QI, "size", "illness"]
    together = c.long.group_by(QI).len()
    assert (together["len"] >= 4).all()
    assert c.members["row"].to_list() == list(range(60))
    assert [i for i, x in enumerate(c.members["cluster"].to_list()) if x is None] == c.outliers
    c.write(tmp_path / "out.csv")
    c.write(tmp_path / "long.parquet", long=True)
    c.report(tmp_path / "page.html")
    assert c.proof(tmp_path / "proof") <= c.lower_bound
    assert pl.read_csv(tmp_path / "out.csv").height == c.table.height
    assert pl.read_parquet(tmp_path / "long.parquet").height == c.long.height
    page = (tmp_path / "page.html").read_text()
    assert "<svg" in page
    assert "http" not in page.replace("http-equiv", "")
    assert "person" not in page


def test_sensitive_values_as_counts_and_missing_ones() -> None:
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "ill": ["a", None, "b", "b"]})
    c = shoal.cluster(frame, r=4, quasi_identifiers=["age"], sensitive=["ill"], sensitive_as="counts")
    assert json.loads(c.table["ill"][0]) == {"b": 2, "": 1, "a": 1}
    c = shoal.cluster(frame, r=4, quasi_identifiers=["age"], sensitive=["ill"])
    assert json.loads(c.table["ill"][0]) == ["a", "b", "b", None]


def test_the_kind_of_table_given_comes_back() -> None:
    assert isinstance(run(people().to_pandas(), r=5).table, pandas.DataFrame)
    assert type(run(people().to_arrow(), r=5).table).__module__.startswith("pyarrow")


def test_names_that_are_taken_get_out_of_the_way() -> None:
    frame = pl.DataFrame({"size": [1, 2, 9, 9], "radius": ["a", "b", "a", "b"]})
    c = shoal.cluster(frame, method="cellular", r=2, quasi_identifiers=["size"], sensitive=["radius"])
    assert c.table.columns == ["size", "size_", "radius_", "radius"]


def test_distances_instead_of_a_table() -> None:
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


def test_a_function_of_two_rows() -> None:
    frame = pl.DataFrame({"word": ["ab", "abc", "xyz", "xy", "ab"]})
    c = shoal.cluster(frame, r=2, quasi_identifiers=["word"], metric=lambda a, b: float(len(set(a["word"]) ^ set(b["word"]))))
    assert sorted(sorted(rows) for _, rows in c.clusters) == [[0, 1, 4], [2, 3]]
    assert c.cost == 1.0


@pytest.mark.parametrize(
    ("outliers", "n", "most"), [(0.1, 30, 3), ("0.29", 100, 29), (Fraction(1, 3), 9, 3), ("1/3", 8, 2), (0.07, 100, 7)]
)
def test_the_number_of_outliers_is_exact(outliers: Any, n: int, most: int) -> None:
    c = shoal.cluster(pl.DataFrame({"x": list(range(n))}), r=2, quasi_identifiers=["x"], outliers=outliers)
    assert c.manifest["max_outliers"] == most


def test_the_recount_refuses_what_is_not_true(monkeypatch: pytest.MonkeyPatch) -> None:
    right = publish.cluster_table

    def wrong(*given: Any) -> pl.DataFrame:
        return right(*given).with_columns(pl.col("size") + 1)

    monkeypatch.setattr(publish, "cluster_table", wrong)
    with pytest.raises(shoal.NotAnonymous, match="sizes"):
        run(people(), r=5)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"sizes": [3, 1], "radii": [1.0, 0.0]}, "fewer than 2"),
        ({"n_outliers": 3}, "only 2 may be left out"),
        ({"sizes": [2, 2, 2], "radii": [0.0] * 3}, "There are 3 clusters"),
    ],
)
def test_the_recount_holds_to_what_was_asked(told: dict[str, Any], words: str) -> None:
    count = verify.Recount(**{"sizes": [2, 3], "radii": [0.0, 1.0], "to_centre": np.zeros(5), "n_outliers": 0, **told})
    with pytest.raises(shoal.NotAnonymous, match=words):
        verify.check(count, r=2, most_outliers=2, most_clusters=2, sizes=count.sizes, radii=count.radii)


def test_a_radius_or_a_sensitive_value_that_is_not_true_is_refused() -> None:
    count = verify.Recount([2], [1.0], np.zeros(2), 0)
    with pytest.raises(shoal.NotAnonymous, match="radius"):
        verify.check(count, r=2, most_outliers=0, most_clusters=None, sizes=[2], radii=[1.1])
    from shoal.io import read

    table = read(pl.DataFrame({"ill": ["a", "b"]}))
    with pytest.raises(shoal.NotAnonymous, match="members"):
        verify.check_sensitive(table, pl.DataFrame({"ill": ['["a", "a"]']}), ["ill"], [0, 0])


def test_improvement_never_costs_more_and_helps() -> None:
    told = run(people(200, 3), r=5, method="cellular").manifest
    assert told["cost"] < told["cost_before_improvement"]
    assert told["ratio"] < 2

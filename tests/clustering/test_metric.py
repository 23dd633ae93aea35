"""Distances column by column."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.clustering.places import read_places
from shoal.clustering.space_of import Placed, from_table
from shoal.io import read
from shoal.policy import Policy


def placed(frame: dict[str, list[object]], metric: object = None, **more: object) -> Placed:
    table = read(pl.DataFrame(frame))
    return from_table(table, table.columns, metric, Policy(), more.get("hierarchies"))


def apart(made: Placed, a: int, b: int) -> float:
    return float(made.points.space.distances(int(made.points.of_row[a]), int(made.points.of_row[b])))


def test_numbers_by_unit_and_by_spread() -> None:
    frame = {"age": [20, 35, 70]}
    assert apart(placed(frame, {"age": {"unit": 10}}), 0, 1) == 1.5
    assert apart(placed(frame), 0, 1) == pytest.approx(0.3)
    assert apart(placed(frame, {"age": {"spread": True, "weight": 4}}), 0, 2) == pytest.approx(4)
    assert apart(placed({"age": [7, 7]}), 0, 1) == 0


def test_dates_categories_and_hamming() -> None:
    frame = {"born": ["2000-01-01", "2000-01-31", "2001-01-01"], "sex": ["f", "m", "f"]}
    made = placed(frame, {"born": {"unit": 30}})
    assert [c.kind for c in made.columns] == ["date", "category"]
    assert apart(made, 0, 1) == 2.0
    assert apart(placed(frame, "hamming"), 0, 1) == 2.0
    assert apart(placed(frame, "hamming"), 0, 2) == 1.0


def test_a_hierarchy_measures_the_level_of_the_join() -> None:
    rows = [["nurse", "health", "*"], ["doctor", "health", "*"], ["smith", "craft", "*"]]
    made = placed({"job": ["nurse", "doctor", "smith", "nurse"]}, {"job": {"hierarchy": rows}})
    assert made.columns[0].kind == "hierarchy"
    assert [apart(made, 0, i) for i in range(4)] == [0, 0.5, 1, 0]


def test_large_hierarchies_are_climbed() -> None:
    values = [f"v{i}" for i in range(1500)]
    rows = [[v, f"g{i // 100}", "*"] for i, v in enumerate(values)]
    made = placed({"x": list(values)}, {"x": {"hierarchy": rows}})
    assert (apart(made, 0, 99), apart(made, 0, 100), apart(made, 7, 7)) == (0.5, 1.0, 0.0)


def test_places_by_the_great_circle(tmp_path: Path) -> None:
    table = tmp_path / "places.csv"
    table.write_text("place,latitude,longitude\nParis,48.8566,2.3522\nLondon,51.5074,-0.1278\nOslo,59.9139,10.7522\n")
    made = placed({"town": ["Paris", "London", "Oslo"]}, {"town": {"places": str(table), "unit": 100}})
    assert apart(made, 0, 1) == pytest.approx(3.4356, abs=0.01)
    same = placed(
        {"town": ["Paris", "London"]}, {"town": {"places": {"Paris": (48.8566, 2.3522), "London": (51.5074, -0.1278)}, "unit": 100}}
    )
    assert apart(same, 0, 1) == pytest.approx(apart(made, 0, 1))


def test_missing_cells_are_a_value_as_far_as_the_farthest() -> None:
    made = placed({"age": [20, None, 70, None], "sex": ["f", "m", None, None]}, {"age": {"unit": 10}})
    assert apart(made, 1, 3) == 1.0
    assert apart(made, 0, 3) == 5.0 + 1.0
    assert apart(made, 2, 3) == 5.0


def test_columns_are_combined_as_asked() -> None:
    frame = {"x": [0, 3], "y": [0, 4]}
    units = {"x": {"unit": 1}, "y": {"unit": 1}}
    assert apart(placed(frame, {**units, "combine": "sum"}), 0, 1) == 7
    assert apart(placed(frame, {**units, "combine": "euclid"}), 0, 1) == 5
    assert apart(placed(frame, {**units, "combine": "largest"}), 0, 1) == 4


def test_a_metric_file_and_a_policy_say_the_same(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [20, 30, 55, 60], "sex": ["f", "f", "m", "m"]})
    file = tmp_path / "metric.toml"
    file.write_text('[columns.age]\nunit = 10\n[columns.sex]\nmetric = "category"\nweight = 3\n')
    policy = tmp_path / "policy.toml"
    policy.write_text(
        'k = 2\n[columns.age]\nrole = "quasi-identifier"\nunit = 10\n[columns.sex]\nrole = "quasi-identifier"\nmetric = "category"\nweight = 3\n'
    )
    one = shoal.cluster(frame, r=2, quasi_identifiers=["age", "sex"], metric=file)
    other = shoal.cluster(frame, policy=policy)
    assert one.manifest["metric"] == other.manifest["metric"]
    assert one.clusters == other.clusters
    assert other.manifest["r"] == 2


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"age": {"unit": 0}}, "unit must be a positive number"),
        ({"age": {"unit": 1, "spread": True}}, "not both"),
        ({"age": {"weight": -1}}, "weight must be a positive number"),
        ({"age": {"metric": "cosine"}}, "no metric called 'cosine'"),
        ({"age": {"stretch": 2}}, "no metric setting called 'stretch'"),
        ({"height": {"unit": 1}}, "no quasi-identifier is called 'height'"),
        ({"age": {"metric": "place"}}, "needs a table of latitudes"),
        ({"age": {"metric": "hierarchy"}}, "none was given"),
        ({"age": {"unit": 1}, "combine": "product"}, "combine must be one of"),
        (7, "not a int"),
    ],
)
def test_bad_settings_are_named(spec: object, words: str) -> None:
    with pytest.raises(shoal.PolicyError, match=words):
        placed({"age": [1, 2]}, spec)


def test_bad_cells_are_named_by_row_and_never_shown() -> None:
    with pytest.raises(shoal.DataError, match=r"2 of 4 cells are no numbers \(rows 2, 4\)") as told:
        placed({"age": ["20", "SECRET", "30", "SECRET"]}, {"age": {"unit": 10, "metric": "number"}})
    assert "SECRET" not in str(told.value)
    with pytest.raises(shoal.DataError, match="not finite"):
        placed({"age": [1.0, float("inf")]})
    with pytest.raises(shoal.DataError, match="lacks") as told:
        placed({"town": ["SECRET", "Paris"]}, {"town": {"places": {"Paris": (48.0, 2.0)}}})
    assert "SECRET" not in str(told.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,x\nParis,1\n", "needs a header"),
        ("name,lat,lon\nParis,48,x\n", "line 2"),
        ("name,lat,lon\nParis,95,2\n", "between -90 and 90"),
    ],
)
def test_tables_of_places_are_checked(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "places.csv"
    file.write_text(text)
    with pytest.raises(shoal.PolicyError, match=words):
        read_places("town", file)
    with pytest.raises(shoal.PolicyError, match="no table of places"):
        read_places("town", tmp_path / "none.csv")

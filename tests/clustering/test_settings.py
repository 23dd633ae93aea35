"""Every setting of a policy is kept by a clustering, or refused by it and by its verification."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.cli.main import run
from shoal.clustering.audit import verify_clustering
from shoal.clustering.settings import COLUMN
from shoal.policy.columns import ColumnPolicy
from shoal.policy.policy import Policy
from shoal.policy.settings import SETTINGS
from shoal.privacy import asking

FRAME = pl.DataFrame(
    {
        "id": list("pqrstuvw"),
        "age": [1, 2, 3, 4, 51, 52, 53, 54],
        "ill": ["HIV", "HIV", "HIV", "NA", "flu", "cold", "HIV", "gout"],
        "x": [0] * 8,
    }
)
ROLES = {"age": ColumnPolicy("quasi-identifier"), "ill": ColumnPolicy("sensitive"), "id": ColumnPolicy("identifier")}
UNUSUAL: dict[str, Any] = {
    "measure": "lm",
    "algorithm": "mondrian",
    "deletion": True,
    "missing": "suppress",
    "person": "id",
    "suppression_only": True,
    "target": "illness",
    "time_limit": 10.0,
    "stop_at_ratio": 1.5,
    "effort": 2.0,
}
"""A value for each setting that is refused, other than the usual one."""


def made(**asked: Any) -> Any:
    return shoal.cluster(FRAME, **{"policy": Policy(k=4, columns=ROLES), "method": "cellular", **asked})


def test_every_setting_is_kept_or_refused() -> None:
    """A new setting is refused until its entry says what it means to a clustering."""
    assert all(bool(entry.in_clusters) != bool(entry.instead) for entry in SETTINGS.values())
    assert {field.name for field in fields(ColumnPolicy)} == COLUMN.keys()
    assert UNUSUAL.keys() == {name for name, entry in SETTINGS.items() if not entry.in_clusters}


@pytest.mark.parametrize("name", UNUSUAL)
def test_what_is_not_kept_is_refused_by_its_name(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By Python and the command, when clusters are made and when they are verified."""
    policy = Policy(k=4, columns=ROLES).changed(**{name: UNUSUAL[name]})
    with pytest.raises(shoal.Refused, match=rf"^{name}: a clustering .*leave '{name}' out"):
        made(policy=policy)
    with pytest.raises(shoal.Refused, match=rf"^{name}: "):
        verify_clustering(FRAME, made().table, method="cellular", policy=policy)
    FRAME.write_csv(tmp_path / "t.csv")
    made().write(tmp_path / "c.csv")
    (tmp_path / "p.toml").write_text(policy.toml())
    files = [str(tmp_path / name) for name in ("t.csv", "c.csv", "p.toml")]
    assert run(["cluster", files[0], "-o", str(tmp_path / "o.csv"), "--method", "cellular", "--policy", files[2]]) == 2
    assert run(["verify", files[0], files[1], "--method", "cellular", "--policy", files[2]]) == 2
    assert capsys.readouterr().err.count(f"leave '{name}' out") == 2
    assert not (tmp_path / "o.csv").exists()


@pytest.mark.parametrize("criterion", [c.name for c in asking.criteria()])
def test_every_criterion_is_kept(criterion: str) -> None:
    parameters = next(c.parameters for c in asking.criteria() if c.name == criterion)
    demand = asking.demand_of(criterion, {p.name: min(max(p.least, 1.0), p.most) for p in parameters})
    policy = Policy(k=4, columns={**ROLES, "ill": ColumnPolicy("sensitive", demands=(demand,))})
    assert criterion in made(policy=policy).manifest["criteria"][0]


@pytest.mark.parametrize("of", [{"weight": 2.0}, {"metric": {"unit": 10}}, {"hierarchy": shoal.suppression()}])
def test_how_far_values_are_apart_is_said_of_quasi_identifiers_alone(of: dict[str, Any]) -> None:
    policy = Policy(k=4, columns={**ROLES, "x": ColumnPolicy("insensitive", **of)})
    with pytest.raises(shoal.PolicyError, match=r"Column 'x': .*its role is insensitive"):
        made(policy=policy)


def test_k_and_withhold_stand_in_for_r_and_outliers() -> None:
    told = made(policy=Policy(k=3, withhold=0.25, columns=ROLES)).record
    assert (told["r"], told["max_outliers"]) == (3, 2)


def test_every_seed_and_order_gives_the_same_clusters() -> None:
    for more in ({"seed": 7}, {"keep_order": False}):
        assert made(policy=Policy(k=4, columns=ROLES, **more)).table.equals(made().table)


def test_identifiers_and_insensitive_columns_are_not_published() -> None:
    columns = {**ROLES, "x": ColumnPolicy("insensitive")}
    told = made(policy=Policy(k=4, columns=columns))
    assert set(told.table.columns) == {"age", "size", "radius", "ill"}
    assert set(told.manifest["dropped"]) == {"id", "x"}


def test_marks_of_missing_cells_are_missing() -> None:
    shown = made(policy=Policy(k=4, columns=ROLES, missing_values=("NA",))).table["ill"].to_list()
    assert '["HIV", "HIV", "HIV", null]' in shown
    assert made(missing_values=["NA"]).table["ill"].to_list() == shown
    with pytest.raises(shoal.Infeasible):  # two values are known, and a mark is none
        made(missing_values=["NA", "cold", "gout"], l_diversity=3)


def test_hierarchies_weights_and_metrics_decide_distances(tmp_path: Path) -> None:
    (tmp_path / "town.csv").write_text("A;near;*\nB;near;*\nC;far;*\n")
    frame = pl.DataFrame({"town": ["A", "B", "C", "C"], "age": [1, 1, 1, 9]})
    columns = {
        "town": ColumnPolicy("quasi-identifier", weight=3.0),
        "age": ColumnPolicy("quasi-identifier", metric={"unit": 4}),
    }
    told = shoal.cluster(frame, method="cellular", r=2, policy=Policy(hierarchies=tmp_path, columns=columns)).record[
        "metric"
    ]["columns"]
    assert told == {
        "town": {"metric": "hierarchy", "weight": 3.0},
        "age": {"metric": "number", "weight": 1.0, "unit": 4.0},
    }

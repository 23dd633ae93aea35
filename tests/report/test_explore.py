"""Several k: figures, memory, and what is told when a k cannot be had."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal import io, measures
from shoal.policy.given import make_policy
from shoal.problem import Watch
from shoal.report import explore as room
from shoal.studio.curve import measure as on_curve
from tests.browsers import Seen, check
from tests.report.conftest import people

NOBODY = Watch()


@pytest.fixture
def policy():
    return make_policy(None, quasi_identifiers=["age", "job"], algorithm="mondrian")


def test_more_privacy_costs_more(policy):
    points = room.explore(people(), policy, [2, 20, 5], ["entropy", "lm"], None, NOBODY)
    assert [(p["measure"], p["k"]) for p in points] == [
        ("entropy", 2),
        ("entropy", 5),
        ("entropy", 20),
        ("lm", 2),
        ("lm", 5),
        ("lm", 20),
    ]
    for p in points:
        assert p["bound_per_cell"] <= p["loss_per_cell"] + 1e-9
        assert p["risk_after"]["highest"] <= 1 / p["k"]
    bounds = [p["bound_per_cell"] for p in points[:3]]
    assert bounds == sorted(bounds)


def test_loss_and_bound_count_the_same_rows_where_rows_are_deleted():
    """A bound per released row stood above the loss per row of the table."""
    odd = pl.DataFrame(
        {"age": ["x"] * 12 + ["y"] * 12 + ["p", "q", "r"], "job": ["1"] * 12 + ["2"] * 12 + ["7", "8", "9"]}
    )
    asked = make_policy(None, quasi_identifiers=["age", "job"], deletion=True)
    [point] = room.explore(odd, asked, [4], [measures.DEFAULT], None, NOBODY)
    assert point["n_withheld"] == 3
    assert point["bound_per_cell"] == pytest.approx(point["lower_bound"] / 54)
    assert point["loss_per_cell"] == pytest.approx(point["loss"] / 54)
    assert on_curve(io.read(odd), asked, 4, NOBODY).lost == pytest.approx(point["loss"] / 54)


def test_a_run_that_was_ended_early_is_said_before_the_figures(policy):
    class Impatient(Watch):
        def wants_stop(self) -> bool:
            return True

    points = room.explore(people(), policy.changed(algorithm="auto"), [3], ["entropy"], None, Impatient())
    assert room.text(points).startswith("ENDED EARLY: k = 3, entropy.")
    assert "ENDED EARLY" in room.html(points, "people.csv")
    assert "ENDED EARLY" not in room.text(room.explore(people(), policy, [3], ["entropy"], None, NOBODY))


def test_runs_that_were_made_are_not_made_again(policy, tmp_path: Path, monkeypatch):
    memory = tmp_path / "runs.json"
    first = room.explore(people(), policy, [2, 3], ["entropy"], memory, NOBODY)
    made = []
    monkeypatch.setattr(
        room,
        "run",
        lambda table, asked, watch: made.append(asked.k) or {"k": asked.k, "measure": asked.measure, "infeasible": "x"},
    )
    again = room.explore(people(), policy, [2, 3, 4], ["entropy"], memory, NOBODY)
    assert made == [4]
    assert json.loads(json.dumps(again[:2])) == json.loads(json.dumps(first))
    room.explore(people(seed=8), policy, [2], ["entropy"], memory, NOBODY)
    assert made == [4, 2], "another table is another run"


def test_a_k_that_cannot_be_had_is_told_and_the_rest_goes_on(policy):
    points = room.explore(people(30), policy, [3, 500], ["entropy"], None, NOBODY)
    assert "infeasible" in points[1]
    assert "Lower k" in room.text(points)
    assert "Lower k" in room.html(points, "people.csv")


def test_a_file_without_earlier_runs_is_refused(policy, tmp_path: Path):
    memory = tmp_path / "other.json"
    memory.write_text('{"format": "x", "runs": {}}')
    with pytest.raises(shoal.DataError, match="does not hold"):
        room.explore(people(), policy, [2], ["entropy"], memory, NOBODY)
    with pytest.raises(shoal.PolicyError, match="at least one k"):
        room.explore(people(), policy, [], ["entropy"], None, NOBODY)


@pytest.mark.browser
def test_the_page_has_no_faults(policy, tmp_path: Path, seen: Seen):
    path = tmp_path / "curve.html"
    path.write_text(room.html(room.explore(people(), policy, [2, 5, 10], ["entropy"], None, NOBODY), "people.csv"))
    seen.page.goto(path.as_uri())
    assert seen.requests == [path.as_uri()]
    check(seen)
    assert seen.complaints == []


def test_a_notebook_shows_the_curves_and_what_cannot_be_had_first():
    """shoal.explore(data, k=[…]) with its picture."""
    curve = shoal.explore(people(60), k=[3, 500], quasi_identifiers=["age", "job"], algorithm="mondrian")
    text = curve._repr_html_()
    assert text.index("k = 500 cannot be had") < text.index("<svg")
    assert curve.warnings()[0].startswith("k = 500")
    assert [p["k"] for p in shoal.explore(people(60), k=3, quasi_identifiers=["age"], algorithm="mondrian")] == [3]
    with pytest.raises(shoal.PolicyError, match="not both"):
        shoal.explore(people(60), k=[3], ks=[3], quasi_identifiers=["age"])

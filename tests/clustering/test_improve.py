"""Improvement never costs more."""

from __future__ import annotations

from tests.clustering.people import people, run


def test_improvement_never_costs_more_and_helps() -> None:
    told = run(people(200, 3), r=5, method="cellular").record
    assert told["cost"] < told["cost_before_improvement"]
    assert told["ratio"] < 2

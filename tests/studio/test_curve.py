"""The curve against k: quick runs in the background that give way to a real one."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.policy import ColumnPolicy, Policy
from shoal.studio import curve
from shoal.studio.curve import Curves, Quiet, measure
from shoal.studio.work import TURNS
from shoal.table import Table


@pytest.fixture
def table() -> Table:
    rng = np.random.default_rng(3)
    return Table(pl.DataFrame({"age": rng.integers(20, 80, 300).astype(str), "job": rng.choice(list("abcd"), 300)}))


@pytest.fixture
def policy() -> Policy:
    return Policy(algorithm="mondrian", columns={name: ColumnPolicy(role="quasi-identifier") for name in ("age", "job")})


def test_more_k_costs_more_and_risks_less(table: Table, policy: Policy):
    curves = Curves()
    curves.follow(table, policy)
    assert curves.job is not None
    curves.job.wait(60)
    assert [p.k for p in curves.points] == [2, 3, 5, 10, 20, 50]
    assert all(0 <= (p.bound or 0) <= p.lost + 1e-9 <= 1 + 1e-9 for p in curves.points)
    assert all(p.highest <= 1 / p.k for p in curves.points)
    assert curves.points[0].lost < curves.points[-1].lost
    drawn = curve.figure(curves.points)
    assert "lost: from" in drawn
    before = curves.job
    curves.follow(table, policy.changed(k=7))
    assert curves.job is before, "another k is on the same curve"
    curves.follow(table, policy.changed(withhold=0.1))
    assert curves.job is not before
    curves.job.wait(60)


def test_a_run_goes_first(table: Table, policy: Policy):
    """While a run holds the turn, no point is computed; what was begun is computed again."""
    curves = Curves()
    with TURNS:
        curves.follow(table, policy)
        curves.give_way()
        assert curves.points == []
    assert curves.job is not None
    curves.job.wait(60)
    assert len(curves.points) == 6


def test_it_can_be_stopped(table: Table, policy: Policy):
    curves = Curves()
    with TURNS:
        curves.follow(table, policy)
        curves.stop()
    assert curves.job is not None
    curves.job.wait(60)
    assert curves.points == []


def test_a_large_table_is_sampled_and_an_impossible_k_left_out(policy: Policy, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(curve, "SAMPLE", 100)
    table = Table(pl.DataFrame({"age": [str(i % 50) for i in range(1000)], "job": ["a", "b"] * 500}))
    some = curve.sample(table)
    assert some.n_rows == 100
    assert some.frame.equals(curve.sample(table).frame), "the same rows each time"
    assert measure(some, policy, 101, Quiet()) is None

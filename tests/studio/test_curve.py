"""The curve against k: quick runs in the background that give way to a real one."""

from __future__ import annotations

import threading
import time

import numpy as np
import polars as pl
import pytest

from shoal.policy.columns import ColumnPolicy
from shoal.policy.policy import Policy
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
    return Policy(
        algorithm="mondrian", columns={name: ColumnPolicy(role="quasi-identifier") for name in ("age", "job")}
    )


def test_more_k_costs_more_and_risks_less(table: Table, policy: Policy):
    curves = Curves()
    curves.follow(table, policy)
    assert curves.job is not None
    curves.job.wait(60)
    assert [p.k for p in curves.points] == [2, 3, 5, 10, 20, 50]
    assert all(0 <= (p.bound or 0) <= p.lost + 1e-9 <= 1 + 1e-9 for p in curves.points)
    assert all(p.highest <= 1 / p.k for p in curves.points)
    assert curves.points[0].lost < curves.points[-1].lost
    before = curves.job
    curves.follow(table, policy.changed(k=7))
    assert curves.job is before, "another k is on the same curve"
    curves.follow(table, policy.changed(withhold=0.1))
    assert curves.job is not before
    curves.job.wait(60)


def test_a_run_goes_first(table: Table, policy: Policy):
    """While a run holds the turn, no point is computed; a run that comes while one is computed is next, and what was
    begun is computed again.
    """
    curves = Curves()
    with TURNS.of_run():
        curves.follow(table, policy)
        time.sleep(0.05)
        assert curves.points == []
    for _ in range(5):
        with TURNS.of_run():
            n = len(curves.points)
            time.sleep(0.02)
            assert len(curves.points) == n
    assert curves.job is not None
    curves.job.wait(60)
    assert [p.k for p in curves.points] == [2, 3, 5, 10, 20, 50]


def test_a_run_never_waits_behind_a_second_turn_of_the_background():
    """The turn went to whoever asked first after it was given back: a run could wait for the whole curve."""
    order: list[str] = []
    has_begun = threading.Event()

    def background() -> None:
        for i in range(3):
            with TURNS.in_background():
                has_begun.set()
                while i == 0 and TURNS.n_waiting == 0:
                    time.sleep(0.001)
                order.append("background")

    def run() -> None:
        with TURNS.of_run():
            order.append("run")

    walking, running = threading.Thread(target=background), threading.Thread(target=run)
    walking.start()
    has_begun.wait(10)
    running.start()
    walking.join(10)
    running.join(10)
    assert order == ["background", "run", "background", "background"]


def test_runs_go_in_the_order_in_which_they_came():
    order: list[int] = []

    def run(number: int) -> None:
        with TURNS.of_run():
            order.append(number)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(5)]
    with TURNS.of_run():
        for i, thread in enumerate(threads):
            thread.start()
            while TURNS.n_waiting <= i:
                time.sleep(0.001)
    for thread in threads:
        thread.join(10)
    assert order == [0, 1, 2, 3, 4]


def test_nothing_begins_in_the_background_while_a_report_is_drawn():
    """The curve of k and the report of a run that had just ended shared the machine: whoever asked for the report
    waited three times as long.
    """
    began = threading.Event()

    def background() -> None:
        with TURNS.in_background():
            began.set()

    first, second = TURNS.beside(), TURNS.beside()
    walking = threading.Thread(target=background)
    walking.start()
    with TURNS.of_run():
        pass  # a run does not wait for it
    first()
    first()
    assert not began.wait(0.1)
    second()
    assert began.wait(10)
    walking.join(10)


def test_it_can_be_stopped(table: Table, policy: Policy):
    curves = Curves()
    with TURNS.of_run():
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

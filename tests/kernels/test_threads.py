"""How many threads there are is said by one setting, or by what the process may use."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from shoal import kernels
from shoal.kernels import threads
from tests.kernels.runs import table


def limited(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "cpu.max").write_text(text)
    return folder


def test_the_setting_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """There was no setting."""
    monkeypatch.setenv("SHOAL_THREADS", "3")
    assert threads.n_threads() == 3


@pytest.mark.parametrize("nonsense", ["0", "-1", "two", "1.5"])
def test_a_setting_that_is_no_number_of_threads_is_refused(monkeypatch: pytest.MonkeyPatch, nonsense: str) -> None:
    monkeypatch.setenv("SHOAL_THREADS", nonsense)
    with pytest.raises(ValueError, match="SHOAL_THREADS"):
        threads.n_threads()


def test_a_container_limits_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A container's share of two cores was not seen, and threads for all cores of the machine were started."""
    monkeypatch.delenv("SHOAL_THREADS", raising=False)
    monkeypatch.setattr(threads, "allowed_cores", lambda: 32)
    monkeypatch.setattr(threads, "CONTROL", limited(tmp_path / "two", "200000 100000\n"))
    assert threads.n_threads() == 2
    monkeypatch.setattr(threads, "CONTROL", limited(tmp_path / "part", "50000 100000\n"))
    assert threads.n_threads() == 1
    monkeypatch.setattr(threads, "CONTROL", limited(tmp_path / "free", "max 100000\n"))
    assert threads.n_threads() == 32
    monkeypatch.setattr(threads, "CONTROL", tmp_path / "nowhere")
    assert threads.n_threads() == 32


def test_the_older_kind_of_container_limits_them_too(tmp_path: Path) -> None:
    folder = tmp_path / "cpu"
    folder.mkdir()
    (folder / "cpu.cfs_quota_us").write_text("250000\n")
    (folder / "cpu.cfs_period_us").write_text("100000\n")
    assert threads.quota(tmp_path) == 3
    (folder / "cpu.cfs_quota_us").write_text("-1\n")
    threads.quota.cache_clear()
    assert threads.quota(tmp_path) == threads.MOST


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system does not tell")
def test_the_cores_of_the_process_limit_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOAL_THREADS", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {5})
    assert threads.n_threads() == 1


def test_nothing_depends_on_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = table("wide", "lm", 4)
    given = (problem.packed, problem.codes, problem.weight)
    answers = []
    for number in ("1", "2", "7"):
        monkeypatch.setenv("SHOAL_THREADS", number)
        upper = kernels.covering_prices(*given, 3)
        y, work = kernels.cheapest_boxes(*given, 4, upper)
        answers.append((*kernels.neighbours(*given, 5), upper, y, work))
    for other in answers[1:]:
        for a, b in zip(answers[0], other, strict=True):
            np.testing.assert_array_equal(a, b)

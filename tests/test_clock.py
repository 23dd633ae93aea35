"""A deadline hears a request to stop, stops the run and marks it."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import algorithms, clock, registry
from shoal.clock import Deadline
from shoal.problem import Watch


def people(n: int = 80) -> pl.DataFrame:
    rng = np.random.default_rng(1)
    return pl.DataFrame({"age": rng.integers(17, 80, n), "job": rng.choice(["nurse", "cook", "clerk"], n)})


class Rushing:
    """A clock on which a minute passes whenever somebody looks."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 60.0
        return self.now


@pytest.mark.parametrize(
    "name", [n for n in registry.names(algorithms.CATALOG) if n not in ("restricted-matching", "meyerson-williams-diameter")]
)
def test_a_run_that_the_clock_ends_is_a_release_and_is_marked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """'same bytes' is said only where it is so."""
    k = {"two-factor": 3, "one-two-factor": 2}.get(name, 4)
    asked = {"k": k, "quasi_identifiers": ["age", "job"], "algorithm": name}
    calm = shoal.anonymize(people(), **asked)
    assert calm.solution.is_repeatable
    monkeypatch.setattr(clock.time, "monotonic", Rushing())
    late = shoal.anonymize(people(), time_limit=5.0, **asked)
    assert late.verdict.smallest_group >= k
    assert late.record["is_repeatable"] is late.solution.is_repeatable
    if name in ("auto", "exact", "full-domain"):
        assert not late.solution.is_repeatable


def test_somebody_who_stops_a_run_marks_it() -> None:
    class Impatient(Watch):
        def wants_stop(self) -> bool:
            return True

    release = shoal.anonymize(people(), k=4, quasi_identifiers=["age", "job"], watch=Impatient())
    assert not release.solution.is_repeatable


def test_a_deadline_hears_and_stops() -> None:
    heard = []

    class Ear(Watch):
        def tell(self, stage: str, done: float | None = None, loss: float | None = None, bound: float | None = None) -> None:
            heard.append(stage)

    patient, late = Deadline(Ear(), None), Deadline(Ear(), -1.0)
    patient.tell("boxes")
    assert heard == ["boxes"]
    assert (patient.wants_stop(), patient.has_stopped) == (False, False)
    assert (late.wants_stop(), late.has_stopped) == (True, True)

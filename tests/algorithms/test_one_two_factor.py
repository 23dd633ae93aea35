"""The one-two-factor: its guarantees over many tables, and what happens when time is short or rows may stay out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from shoal.algorithms.one_two_factor import ONE_TWO_FACTOR
from shoal.matching import edge_cover
from tests.algorithms.factors import Factor, Hurry
from tests.tables import make_problem, random_problem


class TestOneTwoFactor(Factor):
    """Groups of two and three."""

    algorithm = ONE_TWO_FACTOR
    k = 2
    binary = 1.5
    otherwise = 2.0
    others = ((3, "two-factor"), (5, "forest"))
    always_guaranteed = True

    def test_the_guarantee_holds_when_the_time_limit_is_nothing(self) -> None:
        self.hold([replace(problem, time_limit=0.0) for problem in self.random(23, 100, 9, 3, 4)])

    def test_says_so_when_the_proof_was_cut_off(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(edge_cover, "FIRST_EDGES", 1)
        problem = random_problem(np.random.default_rng(24), 60, 6, 2, 9)
        cut, proved = self.solve(problem, Hurry()), self.solve(problem)
        assert "proved optimal among all pairs" in proved.note
        assert proved.guarantee == 2
        assert "time was over" in cut.note
        assert cut.guarantee is not None
        assert 2 < cut.guarantee <= 4

    def test_equal_rows_cost_nothing_and_lend_themselves_once(self) -> None:
        assert self.solve(make_problem([["a"]] * 1000 + [["b"]], 2)).loss == 2

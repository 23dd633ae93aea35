"""The two-factor: its guarantees over many tables, and what happens when time is short or rows may stay out."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.algorithms.two_factor import TWO_FACTOR
from shoal.matching import two_factor
from tests.algorithms.factors import Factor, Hurry
from tests.tables import make_problem, random_problem


class TestTwoFactor(Factor):
    """Groups of three to five."""

    algorithm = TWO_FACTOR
    k = 3
    binary = 2.0
    otherwise = 3.0
    others = ((2, "one-two-factor"), (5, "forest"))

    def test_says_so_when_the_proof_was_cut_off(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(two_factor, "NEAR", 1)
        problem = random_problem(np.random.default_rng(24), 60, 6, 3, 9)
        cut, proved = self.solve(problem, Hurry()), self.solve(problem)
        assert "proved optimal among all pairs" in proved.note
        assert proved.guarantee == 3
        assert "time was over" in cut.note
        assert cut.guarantee is None or cut.guarantee > 3

    def test_equal_rows_cost_nothing_and_lend_themselves(self) -> None:
        assert self.solve(make_problem([["a"]] * 1000 + [["b"], ["c"]], 3)).loss == 3


def test_rows_beyond_three_equal_ones_leave_with_them():
    """Five rows that cost as much together as left out: all three of their vertices are deleted, and the two others are
    deleted too.
    """
    cells = ["a"] * 8 + ["b"] + ["c"] * 2 + [None] * 5
    frame = pl.DataFrame({"mark": cells, "other": [str(i) for i in range(16)]})
    release = shoal.anonymize(
        frame,
        k=3,
        quasi_identifiers=["mark"],
        algorithm="two-factor",
        measure="stars",
        deletion=True,
        missing="suppress",
        keep=["other"],
    )
    assert release.frame.height >= 8
    shoal.verify(frame, release.frame, policy=release.policy)

"""Cuts: no release breaks one, and those that are said to be broken are."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from shoal.partition.cuts import KINDS, BrokenCuts, GroupCut, chosen_of, met_by, most_of
from shoal.partition.work import Work
from shoal.problem import Watch


def test_no_partition_breaks_a_cut() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        n = 8
        weight = rng.integers(1, 4, size=n)
        rows = rng.permutation(np.repeat(np.arange(n), weight))
        ends = np.sort(rng.choice(np.arange(1, len(rows)), size=3, replace=False))
        counts = sparse.csr_matrix(
            np.array([np.bincount(part, minlength=n) for part in np.split(rows, ends)], dtype=np.float64)
        )
        times, divisor = KINDS[int(rng.integers(len(KINDS)))]
        tuples = tuple(int(t) for t in np.sort(rng.choice(n, size=len(times), replace=False)))
        cut = GroupCut(tuples, times, divisor)
        assert met_by([cut], counts).sum() <= most_of([cut], weight)[0]


def test_three_halves_of_pairs_break_their_triple() -> None:
    counts = sparse.csr_matrix(np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]], dtype=np.float64))
    found = BrokenCuts(counts, np.full(3, 0.5), np.ones(3, dtype=np.int64), Work(None, Watch())).triples()
    assert found == {GroupCut((0, 1, 2), (1, 1, 1), 2): pytest.approx(0.5)}
    assert chosen_of(found, set(found), 3) == []


def test_what_is_found_is_broken_by_so_much() -> None:
    rng = np.random.default_rng(1)
    weight = np.array([1] * 9 + [2] * 3)
    counts = sparse.csr_matrix((rng.random((40, 12)) < 0.3).astype(np.float64))
    share = rng.random(40) * 0.25
    broken = BrokenCuts(counts, share, weight, Work(None, Watch()))
    found = {**broken.triples(), **broken.others()}
    assert len(found) > 5
    for cut, excess in found.items():
        taken = float(share @ met_by([cut], counts).toarray()[:, 0])
        assert taken - most_of([cut], weight)[0] == pytest.approx(excess)

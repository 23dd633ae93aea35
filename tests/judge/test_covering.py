"""Kinds of released rows go to kinds of original rows that they cover, just where that can be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from shoal.judge import covering, matching
from shoal.judge.covering import Amounts, TooLarge, kinds_of, numbers, ramp, spread
from shoal.judge.matching import MatchedColumn, Sides

AT_A_TIME = pytest.mark.parametrize("chunk", [1, 5, 1 << 20])


def _drawn(rng: np.random.Generator) -> Sides:
    """Tables of two columns in a few blocks; half of the releases cover rows that are there, in an order of chance."""
    n, blocks = int(rng.integers(1, 12)), int(rng.integers(1, 4))
    m = int(rng.integers(1, n + 1))
    covers = [rng.random((4, 3)) < 0.5 for _ in range(2)]
    for mask in covers:
        mask[0], mask[1:] = True, mask[1:] | (rng.random((3, 3)) < 0.1)
        mask[1] = [True, False, False]
    places, same = [rng.integers(0, 3, n) for _ in range(2)], rng.integers(0, blocks, n)
    if rng.random() < 0.5:
        return Sides(
            [MatchedColumn(p, rng.integers(0, 4, m), c) for p, c in zip(places, covers, strict=True)], same, rng.integers(0, blocks, m)
        )
    rows = rng.permutation(n)[:m]
    labels = [np.array([rng.choice(np.flatnonzero(c[:, v])) for v in p[rows]]) for p, c in zip(places, covers, strict=True)]
    return Sides([MatchedColumn(p, shown, c) for p, shown, c in zip(places, labels, covers, strict=True)], same, same[rows])


@AT_A_TIME
@pytest.mark.parametrize("few", [0, 20, 10_000_000])
@given(st.integers(0, 2**32 - 1))
def test_released_rows_find_their_rows_just_where_an_assignment_exists(chunk: int, few: int, seed: int):
    """Against the assignment of the least number of misfits, row by row."""
    sides = _drawn(np.random.default_rng(seed))
    fits = np.array([sides.fits(np.arange(sides.n_before), np.full(sides.n_before, row)) for row in range(sides.n_after)])
    possible = not (~fits)[linear_sum_assignment(~fits)].any()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(covering, "CHUNK", chunk)
        patch.setattr(covering, "FEW_PAIRS", few)
        patch.setattr(covering, "MOST_KEY", 30 if few else 1 << 62)
        rows = matching.in_any_order(sides)
    assert (rows is not None) == possible
    if rows is not None:
        assert len(set(rows.tolist())) == sides.n_after
        assert sides.fits(rows, np.arange(sides.n_after)).all()


@pytest.mark.parametrize("limit", ["MOST_WORK", "MOST_EDGES"])
def test_too_many_different_rows_are_not_matched(monkeypatch, limit: str):
    monkeypatch.setattr(covering, limit, 10)
    column = MatchedColumn(
        np.arange(6), np.repeat(np.arange(3), 2), np.repeat(np.eye(3, dtype=bool), 2, axis=1)[:, np.r_[0:6]] | (np.arange(6) < 4)
    )
    nothing = np.zeros(6, dtype=np.int64)
    with pytest.raises(TooLarge):
        matching.in_any_order(Sides([column], nothing, nothing))


def test_kinds_stand_in_the_order_of_their_blocks():
    kinds = kinds_of(np.array([1, 0, 1, 0, 1]), [np.array([2, 5, 2, 4, 1])])
    assert kinds.block.tolist() == [0, 0, 1, 1]
    assert kinds.size.tolist() == [1, 1, 1, 2]
    assert [kinds.order[a:b].tolist() for a, b in zip(kinds.start[:-1], kinds.start[1:], strict=True)] == [[3], [1], [4], [0, 2]]


def test_rows_without_an_amount_take_what_is_left_of_their_own_block():
    shown = kinds_of(np.array([0, 1, 1]), [np.array([0, 0, 1])])
    originals = kinds_of(np.array([1, 0, 1, 0]), [np.array([0, 0, 1, 1])])
    rows = spread(Amounts(np.array([2]), np.array([3]), np.array([1])), shown, originals)
    assert rows.tolist() == [1, 0, 2]


def test_numbers_are_equal_where_rows_are():
    assert numbers([np.array([1, 0, 1]), np.array([7, 7, 7])]).tolist() == [1, 0, 1]


def test_a_ramp_counts_from_nought_for_each_size():
    assert ramp(np.array([2, 0, 3])).tolist() == [0, 1, 0, 1, 2]

"""A round of raising prices."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.bounds.dual import own_parts
from shoal.kernels import price_round
from shoal.kernels.boxes import Boxes
from tests.naive.boxes import all_boxes
from tests.tables import random_problem


@pytest.mark.parametrize("measure", ["tree", "root-share"])
def test_a_round_against_the_obvious_way(measure: str) -> None:
    rng = np.random.default_rng(8)
    problem = random_problem(rng, 40, 3, 3, values=5, measure=measure, deep=True)
    own = own_parts(problem)
    part = np.zeros(problem.n_tuples) if own is None else own
    k, weight = problem.k, problem.weight
    y = rng.random(problem.n_tuples) + 0.1
    some = [(price, tuples) for price, tuples in all_boxes(problem).values() if len(tuples) > 1 and price > 0]
    start = np.concatenate([[0], np.cumsum([len(t) for _, t in some])]).astype(np.int64)
    flat = np.concatenate([np.array(t) for _, t in some]).astype(np.int32)
    price = np.array([p for p, _ in some])
    boxes = Boxes(np.zeros((len(some), 3), dtype=np.int32), price, price, start, flat)
    tightness, cover = price_round(boxes, weight, k, y, 0.5, 0.05, own)

    taken = np.zeros((len(some), problem.n_tuples))
    for b, (_, tuples) in enumerate(some):
        left = k
        for t in sorted(tuples, key=lambda t: -y[t] - part[t]):
            taken[b, t] = min(left, weight[t])
            left -= int(taken[b, t])
    added = k * price - (taken * part).sum(axis=1)
    assert (added > 1e-9).all() or own is None
    of_box = (taken * y).sum(axis=1) / added
    holds = np.array([[t in tuples for t in range(problem.n_tuples)] for _, tuples in some])
    expected = np.maximum(np.where(holds, of_box[:, None], 0.0).max(axis=0), 0.5)
    share = np.where(holds, np.exp(-(1 - of_box[:, None] / expected) / 0.05), 0.0)
    share = share / np.maximum(share.sum(axis=0), 1e-300)
    got = (share * weight * y / expected**2).sum(axis=1)
    asked = (taken * (got / added)[:, None]).sum(axis=0) * expected / weight
    assert np.allclose(tightness, expected)
    assert np.allclose(cover, asked, rtol=1e-6, atol=1e-7)


def test_what_does_not_fit_is_refused() -> None:
    boxes = Boxes(
        np.zeros((1, 1), dtype=np.int32), np.ones(1), np.ones(1), np.array([0, 1]), np.array([2], dtype=np.int32)
    )
    with pytest.raises(ValueError):
        price_round(boxes, np.ones(2, dtype=np.int64), 2, np.ones(3), 0.5, 0.05)
    with pytest.raises(IndexError):
        price_round(boxes, np.ones(2, dtype=np.int64), 2, np.ones(2), 0.5, 0.05)

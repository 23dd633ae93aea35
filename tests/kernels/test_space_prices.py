"""Prices of points, against their definition over every ball."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.kernels.space import Lists, Space
from shoal.kernels.space_prices import price_cover, price_pass
from tests.kernels.spaces import all_distances, mixed_space


def listed(space: Space, d: np.ndarray) -> Lists:
    """All points around each point, nearest first."""
    order = np.argsort(d, axis=1, kind="stable")
    return Lists(
        np.arange(space.n + 1) * space.n,
        order.reshape(-1).astype(np.int32),
        np.take_along_axis(d, order, 1).reshape(-1),
    )


def highest(y: np.ndarray, weight: np.ndarray, inside: np.ndarray, r: int) -> dict[int, int]:
    """How many of the r highest prices of rows inside each point has."""
    taken, left = {}, r
    for v in sorted(inside.tolist(), key=lambda v: -y[v]):
        taken[v] = min(left, int(weight[v]))
        left -= taken[v]
    return taken


@pytest.mark.parametrize("seed", range(5))
def test_the_strain_of_a_point_is_that_of_its_worst_ball(seed: int) -> None:
    rng = np.random.default_rng(seed)
    space, r = mixed_space(rng, 30), 3 + seed
    d, y = all_distances(space), rng.random(space.n)
    lists, t = listed(space, d), space.rth_distance(r)
    strain, tightest = price_pass(lists, t, space.weight, r, y)
    expected = np.zeros(space.n)
    for v in range(space.n):
        for radius in np.unique(d[v][d[v] >= t[v]]):
            inside = np.flatnonzero(d[v] <= radius)
            taken = highest(y, space.weight, inside, r)
            worst = sum(y[u] * count for u, count in taken.items()) / (r * radius) if radius > 0 else np.inf
            expected[inside] = np.maximum(expected[inside], worst)
    assert strain == pytest.approx(expected)
    assert (tightest >= 0).all()


def test_what_a_ball_is_given_reaches_its_r_dearest_rows() -> None:
    space = mixed_space(np.random.default_rng(2), 12)
    d, y, r = all_distances(space), np.random.default_rng(3).random(space.n), 4
    lists = listed(space, d)
    given = np.zeros(len(lists.at))
    last = 3 * space.n + 7  # the ball around point 3 that ends with its eighth point
    given[last] = 2.0
    cover = price_cover(lists, space.weight, r, y, given)
    taken = highest(y, space.weight, lists.at[3 * space.n : last + 1], r)
    reached = np.array([taken.get(v, 0) for v in range(space.n)])
    assert (cover > 0).tolist() == (reached > 0).tolist()
    share = cover[reached > 0] * space.weight[reached > 0] / reached[reached > 0]
    assert share == pytest.approx(np.full(len(share), share[0]))


def test_lists_that_do_not_fit_are_refused() -> None:
    space = mixed_space(np.random.default_rng(1), 8)
    lists, y = listed(space, all_distances(space)), np.ones(8)
    with pytest.raises(ValueError):
        price_pass(lists, np.zeros(7), space.weight, 2, y)
    with pytest.raises(ValueError):
        price_pass(lists, np.zeros(8), space.weight, 0, y)
    with pytest.raises(ValueError):
        price_cover(lists, space.weight, 2, y, np.zeros(3))
    with pytest.raises(IndexError):
        price_pass(Lists(lists.first, lists.at + 1, lists.d), np.zeros(8), space.weight, 2, y)

"""Cells of at least r rows: chosen along prices, and improved."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.clustering.points import Points
from shoal.kernels.space_cells import greedy_cells, improve_cells
from tests.kernels.spaces import all_distances, mixed_space


@pytest.mark.parametrize("seed", range(6))
def test_greedy_cells_take_r_rows_each_and_no_row_twice(seed: int) -> None:
    space = mixed_space(np.random.default_rng(seed), 40)
    r = 3 + seed
    centre, taken = greedy_cells(space, np.full(space.n, 0.3), np.zeros(space.n), r, space.weight, 0.0)
    count = taken.d.astype(np.int64)
    assert len(centre) == len(taken)
    assert np.bincount(taken.owner(), weights=count).tolist() == [r] * len(centre)
    assert (np.bincount(taken.at, weights=count, minlength=space.n) <= space.weight).all()


def test_the_first_cell_is_the_one_whose_prices_pay_most_of_its_cost() -> None:
    rng = np.random.default_rng(9)
    space, r = mixed_space(rng, 25), 4
    d, y = all_distances(space), rng.random(space.n)
    centre, _ = greedy_cells(space, y, np.full(space.n, 0.5), r, space.weight, 0.0)

    def worth(v: int) -> float:
        rows = np.repeat(np.argsort(d[v], kind="stable"), space.weight[np.argsort(d[v], kind="stable")])[:r]
        return float(y[rows].sum() / (0.5 + r * d[v][rows].max()))

    assert worth(int(centre[0])) == pytest.approx(max(worth(v) for v in range(space.n)))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("outside", [0, 4])
def test_improved_cells_cost_no_more_and_stay_large_enough(seed: int, outside: int) -> None:
    rng = np.random.default_rng(seed)
    space, r = mixed_space(rng, 40), 5
    d = all_distances(space)
    points = Points(space, np.repeat(np.arange(space.n, dtype=np.int32), space.weight))
    label = (np.arange(points.n_rows) % (points.n_rows // r)).astype(np.int32)
    centre = rng.integers(0, space.n, points.n_rows // r).astype(np.int32)
    near, _ = space.nearest(10)
    setup = np.full(space.n, 0.2)

    def cost(labels: np.ndarray, centres: np.ndarray) -> float:
        used = [c for c in range(len(centres)) if (labels == c).any()]
        return sum(0.2 + (labels == c).sum() * d[centres[c], points.of_row[labels == c]].max() for c in used)

    labels, centres = improve_cells(
        space, points.of_row, near, points.first, points.rows, setup, r, outside, label, centre, 12
    )
    sizes = np.bincount(labels[labels >= 0])
    assert sizes[sizes > 0].min() >= r
    assert int((labels < 0).sum()) <= outside
    assert cost(labels, centres) < cost(label, centre)


def test_arrays_that_do_not_fit_are_refused() -> None:
    space = mixed_space(np.random.default_rng(1), 8)
    with pytest.raises(ValueError):
        greedy_cells(space, np.ones(7), np.zeros(8), 2, space.weight, 0.0)
    with pytest.raises(ValueError):
        greedy_cells(space, np.ones(8), np.zeros(8), 0, space.weight, 0.0)

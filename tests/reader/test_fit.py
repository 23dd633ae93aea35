"""The shares: against the definition, by trying every way in which a group can be made."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.reader.families import family
from shoal.reader.fit import fit, spread
from tests.reader.sets import SETS, cells_of


def test_two_rows_that_show_a_pair_are_one_of_each():
    """k = 2 and a column of two values: a star says that both are there, however rare one of them is."""
    cells = cells_of([np.array([0]), np.array([0, 1])], [0, 1], [1, 2], [1000, 2], 2)
    assert fit(cells, 1.0, 0.5)[1:] == pytest.approx([0.5, 0.5], abs=1e-6)


def test_where_sets_cross_all_their_members_occur():
    cells = cells_of([np.array([0, 1]), np.array([1, 2])], [0, 1], [4, 4], [4, 4], 3)
    share = spread(cells, cells.of, np.array([0.98, 0.01, 0.01]), 1.0)
    assert share[:2].min() >= 0.25
    assert share[:2].sum() == pytest.approx(1)


def test_an_interval_of_its_own_has_both_ends():
    sets = [np.array([0, 1, 2]), np.array([1, 2, 3])]
    found = family(sets, 4, np.arange(4))
    assert found.kind == "crossing"
    assert [part.tolist() for part in found.parts] == [[1, 0, 1], [1, 0, 1]]


def test_shares_add_up_and_lean_zero_is_even():
    """With large groups nothing is learnt from what they must hold, and lean 0 spreads evenly."""
    cells = cells_of(SETS, [0, 1, 2, 3], [1, 1, 900, 900], [500, 20, 900, 900])
    for lean in (0.0, 0.5, 1.0):
        share = fit(cells, lean, 0.5)
        assert np.add.reduceat(share, cells.start[:-1]) == pytest.approx(1)
    assert fit(cells, 0.0, 0.5)[4:] == pytest.approx(0.25, abs=1e-3)


def test_lean_one_is_the_maximum_of_the_likelihood():
    """Large groups, almost no prior: no other shares of the column make the release likelier."""
    cells = cells_of(SETS[:3], [0, 1, 2], [1, 1, 10_000], [600, 200, 400], 2)
    share = fit(cells, 1.0, 1e-9)

    def likelihood(a: float) -> float:
        return 600 * np.log(a) + 200 * np.log(1 - a) + 400 * np.log(1.0)

    total = np.array([600 + 400 * share[2], 200 + 400 * share[3]]) / 1200
    assert total[0] == pytest.approx(0.75, abs=1e-4)
    assert likelihood(total[0]) >= max(likelihood(a) for a in np.linspace(0.01, 0.99, 99)) - 1e-3


def test_a_number_beyond_all_shown_gets_nothing_where_the_set_can_do_without():
    sets = [np.array([2]), np.array([3]), np.array([0, 1, 2, 3])]
    outside = np.array([True, True, False, False])
    cells = cells_of(sets, [0, 1, 2], [1, 1, 5], [50, 50, 5], 4, outside)
    assert fit(cells, 0.5, 1.0)[2:4] == pytest.approx(0)
    beyond = np.array([True, True, False, True])
    cells = cells_of([sets[0], sets[2]], [0, 1], [1, 5], [50, 5], 4, beyond)
    assert fit(cells, 0.5, 1.0)[1:].min() > 0  # something else than the one value that is shown must be there

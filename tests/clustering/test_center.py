"""(k,r)-center: at most so many clusters, each of at least r rows."""

from __future__ import annotations

import pytest

from shoal.clustering.base import Task
from shoal.clustering.center import solve
from shoal.errors import PolicyError
from tests.clustering.small import on_a_line


def test_a_largest_number_of_clusters_is_needed_and_the_other_method_named() -> None:
    with pytest.raises(PolicyError, match=r"--max-clusters.*take 'gather'"):
        solve(Task(on_a_line(0, 1), 1, "input"))


@pytest.mark.parametrize("most", [1, 2, 3])
def test_there_are_no_more_clusters_than_allowed(most: int) -> None:
    answer = solve(Task(on_a_line(0, 1, 10, 11, 20, 21), 2, "input", max_clusters=most))
    assert answer.found.n_clusters <= most
    assert answer.found.sizes().min() >= 2
    assert answer.cost == {1: 11.0, 2: 9.0, 3: 1.0}[most]
    assert answer.problem == "(k,r)-center"


def test_peeling_goes_on_until_every_row_left_has_r_rows_left() -> None:
    """The paper's filter gives a cluster of one here: points 0, 1, 2, k = 1, r = 3, ε = 2/3."""
    answer = solve(Task(on_a_line(0, 1, 2), 3, "input", max_clusters=1, max_outliers=2))
    assert answer.found.sizes().tolist() == [3]


def test_outliers_make_clusters_narrow() -> None:
    answer = solve(Task(on_a_line(0, 1, 2, 500, 900), 3, "any", max_clusters=1, max_outliers=2))
    assert answer.found.label.tolist() == [0, 0, 0, -1, -1]
    assert (answer.cost, answer.problem) == (1.0, "(k,r,ε)-center")

"""How alike the rows of a group are, against all ways in which its rows can be."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import lgamma, prod

import numpy as np
import pytest

from shoal.reader.families import family
from shoal.reader.fit import kinds
from shoal.reader.together import EVEN, correlation, grouped
from tests.reader.sets import cells_of


def chance(rows: tuple[int, ...], share: np.ndarray) -> float:
    """Of the values of a group's rows, one by one, where its shares are drawn from a Dirichlet distribution."""
    times = Counter(rows)
    ways = prod(np.exp(lgamma(EVEN * share[v] + n) - lgamma(EVEN * share[v])) for v, n in times.items())
    return float(ways * np.exp(lgamma(EVEN) - lgamma(EVEN + len(rows))))


@pytest.mark.parametrize("m", [2, 3, 5])
@pytest.mark.parametrize("asked", [(1.0, 0.0, 0.0, 0.0), (1.0, 0.0, 1.0, 0.0), (0.0, 0.0, 1.0, 1.0)])
def test_rows_that_are_not_all_in_one_part_vary_as_in_all_their_ways(m: int, asked: tuple[float, ...]) -> None:
    """The set {0, 1, 2, 3} has the parts {0, 1}, 2 and 3."""
    cells = cells_of([np.array([2]), np.array([0, 1]), np.array([0, 1, 2, 3])], [2], [m], [m])
    share, part = np.array([0.3, 0.25, 0.25, 0.2]), [0, 0, 1, 2]
    ways = [rows for rows in product(range(4), repeat=m) if len({part[v] for v in rows}) > 1]
    weight = np.array([chance(rows, share) for rows in ways])
    count = np.array([sum(asked[v] for v in rows) for rows in ways])
    variance = np.average(count**2, weights=weight) - np.average(count, weights=weight) ** 2
    alone = m * float(share @ asked) * (1 - float(share @ asked))
    found = correlation(cells, share, np.array(asked))[0]
    assert found == pytest.approx((variance / alone - 1) / (m - 1))


def test_two_rows_that_show_two_values_are_one_of_each() -> None:
    cells = cells_of([np.array([0]), np.array([1]), np.array([0, 1])], [2], [2], [2])
    assert correlation(cells, np.array([0.5, 0.5]), np.array([1.0, 0.0])) == pytest.approx([-1])


def test_the_needed_ends_of_an_interval_are_not_uncertain() -> None:
    """Of five rows that show the values 0 to 3, one is 0, one is 3, and three are free."""
    sets = [np.array([0, 1, 2, 3]), np.array([2, 3, 4])]
    crossing = family(sets, 5, np.arange(5))
    cells = kinds(sets, crossing, np.zeros(5, dtype=bool), np.array([0]), np.array([5.0]), np.array([5.0]), 5)
    share = np.array([0.35, 0.15, 0.15, 0.35])
    free = (5 * 0.35 - 1) / 3
    expected = (grouped(np.array([3.0]))[0] * free * (1 - free) / (5 * 0.35 * 0.65) - 1) / 4
    assert correlation(cells, share, np.array([1.0, 0.0, 0.0, 0.0])) == pytest.approx([expected])


def test_several_questions_of_one_kind_are_answered_as_one_by_one() -> None:
    cells = cells_of([np.array([2]), np.array([0, 1]), np.array([0, 1, 2, 3])], [2, 1], [4, 3], [4, 3])
    share = np.array([0.4, 0.2, 0.3, 0.1, 0.5, 0.5])
    place, kind = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 1])
    together = correlation(cells, share, np.ones(6), place, kind)
    one_by_one = [correlation(cells, share, (place == i).astype(float))[kind[i]] for i in range(3)]
    assert together == pytest.approx(one_by_one)

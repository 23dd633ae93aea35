"""The ladder of generalizations: the same for everybody, from exact values to stars."""

from __future__ import annotations

from itertools import pairwise

import pytest

from shoal.protocol.star import ladder as room
from shoal.protocol.star.ladder import chain, generalize, ladder, lattice
from tests.protocol.rehearsal import make_session, randomness_key

JOBS = [["nurse", "health", "*"], ["doctor", "health", "*"], ["clerk", "office", "*"]]
COLUMNS = [
    {"name": "job", "role": "quasi-identifier", "hierarchy": JOBS},
    {"name": "age", "role": "quasi-identifier", "numbers": [1, 9]},
    {"name": "ill", "role": "sensitive"},
]


def session(rounds: int):
    return make_session("star", 3, COLUMNS, randomness_key=randomness_key(), rounds=rounds)


def test_all_levels_from_exact_to_stars_the_cheapest_first() -> None:
    found = ladder(session(32))
    assert found[0] == (0, 0)
    assert found[-1] == (2, 1)
    assert sorted(found) == [(a, b) for a in range(3) for b in range(2)]
    costs = [a / 2 + b for a, b in found]
    assert costs == sorted(costs)


def test_among_equally_cheap_ones_the_column_with_many_values_is_generalized_first() -> None:
    found = lattice(session(32).quasi_identifiers)
    assert found.index((0, 1)) < found.index((2, 0))


@pytest.mark.parametrize("rounds", [1, 2, 3, 5])
def test_no_more_rungs_than_rounds_with_both_ends(rounds: int) -> None:
    found = ladder(session(rounds))
    assert len(found) <= rounds
    assert found[0] == (0, 0)
    assert rounds == 1 or found[-1] == (2, 1)


def test_a_large_lattice_is_climbed_along_one_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST", 1)
    found = ladder(session(32))
    assert found == chain(session(32).quasi_identifiers)
    assert all(sum(b) == sum(a) + 1 for a, b in pairwise(found))
    assert found[-1] == (2, 1)


def test_a_row_on_a_rung() -> None:
    assert generalize(session(32), ("nurse", "7"), (1, 1)) == ("health", "*")

"""Enhanced β-likeness from its definition: (q − p) / p ≤ min(β, −ln p)."""

from __future__ import annotations

from math import log

from hypothesis import given

from tests.privacy.counting import TABLES, groups_of, is_met

NAME = "enhanced-beta-likeness"


@given(rows=TABLES)
def test_a_value_gains_at_most_beta_and_at_most_minus_ln_p(rows):
    groups = groups_of(rows)
    table = [v for g in groups for v in g]
    for beta in (0.2, 1.0, 5.0):
        slow = []
        for g in groups:
            limits = {v: min(beta, -log(table.count(v) / len(table))) for v in set(g)}
            slow.append(all(g.count(v) / len(g) * len(table) / table.count(v) - 1 <= limits[v] + 1e-9 for v in limits))
        assert is_met(NAME, {"beta": beta}, groups) == slow


def test_a_frequent_value_may_not_gain_much_however_large_beta_is():
    """A value with three quarters of the table may gain 0.288 at most: all of a group is a gain of a third."""
    groups = [[0, 0, 0, 0], [0, 0, 1, 1]]
    assert is_met("basic-beta-likeness", {"beta": 9.0}, groups) == [True, True]
    assert is_met(NAME, {"beta": 9.0}, groups) == [False, True]

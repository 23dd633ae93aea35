"""A plan says how many rows of each kind go where, and deals them out the same way in one piece and in many."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.plan import Plan, plan_of_units

ENTRIES = st.lists(st.tuples(st.integers(0, 4), st.integers(-1, 3), st.integers(1, 5)), min_size=1, max_size=20)


def plan_of(entries: list[tuple[int, int, int]]) -> Plan:
    kind, group, rows = (np.array(column, dtype=np.int32) for column in zip(*entries, strict=True))
    return plan_of_units(kind, group, rows)


@given(ENTRIES)
def test_it_counts_rows_and_not_units(entries: list[tuple[int, int, int]]) -> None:
    plan, counted = plan_of(entries), Counter[tuple[int, int]]()
    for kind, group, rows in entries:
        counted[kind, group] += rows
    found = list(zip(plan.kind.tolist(), plan.group.tolist(), plan.count.tolist(), strict=True))
    assert found == [(kind, group, rows) for (kind, group), rows in sorted(counted.items())]
    kept = [sum(rows for (k, group), rows in counted.items() if k == kind and group >= 0) for kind in range(5)]
    assert plan.released(5).tolist() == kept


@given(ENTRIES, st.randoms(use_true_random=False), st.lists(st.integers(1, 7), min_size=1, max_size=40))
def test_the_first_rows_of_a_kind_go_to_its_lowest_group_however_the_table_is_cut(entries, random, lengths) -> None:
    plan = plan_of(entries)
    kinds = np.repeat(plan.kind, plan.count).tolist()
    random.shuffle(kinds)
    left = {kind: np.repeat(plan.group[plan.kind == kind], plan.count[plan.kind == kind]).tolist() for kind in set(kinds)}
    wanted = [left[kind].pop(0) for kind in kinds]
    assert plan.groups_of(np.array(kinds)).tolist() == wanted
    deal, found, at = plan.dealer(), [], 0
    for length in [*lengths, len(kinds)]:
        found += deal(np.array(kinds[at : at + length], dtype=np.int32)).tolist()
        at += length
    assert found == wanted


def test_rows_that_the_plan_does_not_know_are_refused() -> None:
    plan = plan_of([(0, 0, 2), (1, 0, 1)])
    with pytest.raises(ValueError, match="another number of rows"):
        plan.groups_of(np.array([0, 0]))
    with pytest.raises(ValueError, match="more rows of a kind"):
        plan.groups_of(np.array([0, 1, 1]))
